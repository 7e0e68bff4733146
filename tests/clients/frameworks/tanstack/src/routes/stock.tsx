import { Await, createFileRoute } from "@tanstack/react-router";
import { Suspense } from "react";
import { PaymentError } from "../payment-error";

/** A promise that the loader does not await is rejected. */
export const Route = createFileRoute("/stock")({
  loader: () => ({
    amount: new Promise<number>((_, reject) => {
      setTimeout(() => reject(new PaymentError("deferred")), 50);
    }),
  }),
  component: Stock,
});

function Stock() {
  const { amount } = Route.useLoaderData();
  return (
    <Suspense fallback={<p>…</p>}>
      <Await promise={amount}>{(value) => <p>{value}</p>}</Await>
    </Suspense>
  );
}
