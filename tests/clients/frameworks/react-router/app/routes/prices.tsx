import { Notice } from "errata/react";
import { Suspense } from "react";
import { Await, useAsyncError, useLoaderData } from "react-router";
import { PaymentError } from "../payment-error.ts";

/** Two promises are rejected, in place of which the page shows an element. */
export function loader() {
  const reject = (name: string, delayMs: number) =>
    new Promise<number>((_, fail) => {
      setTimeout(() => fail(new PaymentError(`no price of ${name}`)), delayMs);
    });
  return { prices: [reject("tea", 50), reject("cake", 80)] };
}

export default function Prices() {
  const { prices } = useLoaderData<typeof loader>();
  return prices.map((price, place) => (
    <Suspense key={`${place + 1}`} fallback={<p>…</p>}>
      <Await resolve={price} errorElement={<Failed />}>
        {(value) => <p>{value}</p>}
      </Await>
    </Suspense>
  ));
}

function Failed() {
  return <Notice error={useAsyncError()} />;
}
