import { Suspense } from "react";
import { Await, useLoaderData } from "react-router";
import { PaymentError } from "../payment-error.ts";

/** A promise that the loader does not await is rejected. */
export function loader() {
  const amount = new Promise<number>((_, reject) => {
    setTimeout(() => reject(new PaymentError("deferred")), 50);
  });
  return { amount };
}

export default function Stock() {
  const { amount } = useLoaderData<typeof loader>();
  return (
    <Suspense fallback={<p>…</p>}>
      <Await resolve={amount}>{(value) => <p>{value}</p>}</Await>
    </Suspense>
  );
}
