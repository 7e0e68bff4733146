import { serve } from "@hono/node-server";
import { reactRenderer } from "@hono/react-renderer";
import { errata, reportErrors } from "errata/hono";
import { watchProcess } from "errata/node";
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { type ReactNode, Suspense, use } from "react";
import { getPrice, pause } from "./cart.ts";

declare module "@hono/react-renderer" {
  interface Props {
    title: string;
  }
}

watchProcess();
const app = errata(new Hono());

function Layout({ children, title }: { children?: ReactNode; title?: string }) {
  return (
    <html lang="en">
      <head>
        <title>{title}</title>
      </head>
      <body>{children}</body>
    </html>
  );
}

const renderer = createMiddleware((c, next) => {
  // Each page has its own reporter. Without scripts in the page, its end shows what failed.
  const readableStreamOptions = { onError: reportErrors(c, { hasNotices: true }) };
  return reactRenderer(Layout, { stream: true, readableStreamOptions })(c, next);
});

function Price({ id }: { id: string }) {
  return <p>{getPrice(id)}</p>;
}

function LatePrice({ id, stock }: { id: string; stock: Promise<unknown> }) {
  use(stock);
  return <Price id={id} />;
}

app.use(renderer);
app.get("/", (c) => c.render(<h1>Shop</h1>, { title: "Shop" }));
app.get("/shell/:id", (c) => c.render(<Price id={c.req.param("id")} />, { title: "Cart" }));
app.get("/late/:id", (c) =>
  c.render(
    <Suspense fallback={<p>Counting …</p>}>
      <LatePrice id={c.req.param("id")} stock={pause()} />
    </Suspense>,
    { title: "Cart" },
  ),
);
app.get("/hanging", (c) =>
  c.render(
    <Suspense fallback={<p>Counting …</p>}>
      <LatePrice id="h" stock={new Promise(() => undefined)} />
    </Suspense>,
    { title: "Cart" },
  ),
);

const hostname = process.env.HOST ?? "localhost";
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname });
