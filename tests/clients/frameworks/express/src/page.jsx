import { Boundary } from "errata/react";
import { Suspense, use } from "react";

/** A page for each part that can fail. */
export function Page({ name, stock }) {
  return (
    <html lang="en">
      <head>
        <title>{name}</title>
      </head>
      <body>
        <h1>Cart</h1>
        {name === "shell" && <Price name={name} />}
        <Boundary>
          <Suspense fallback={<p>Counting …</p>}>
            {name !== "shell" && <Stock name={name} stock={stock} />}
          </Suspense>
        </Boundary>
      </body>
    </html>
  );
}

function Price({ name }) {
  if (typeof window === "undefined") throw new TypeError(`secret-of-the-kitchen: ${name}`);
  return <p>Price</p>;
}

function Stock({ name, stock }) {
  // The browser does not wait again.
  if (stock) use(stock);
  if (name === "late") return <Price name={name} />;
  if (name === "both") throw new RangeError("no stock");
  return <p>In stock</p>;
}
