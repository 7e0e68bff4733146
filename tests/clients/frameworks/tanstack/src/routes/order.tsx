import { createFileRoute } from "@tanstack/react-router";
import { createServerFn } from "@tanstack/react-start";
import { useState } from "react";
import { PaymentError } from "../payment-error";

/** A server function fails. */
const placeOrder = createServerFn({ method: "POST" }).handler(async () => {
  throw new PaymentError("server function");
});

export const Route = createFileRoute("/order")({ component: Order });

function Order() {
  const [failure, setFailure] = useState<Error & { digest?: string }>();
  return (
    <>
      <button type="button" onClick={() => placeOrder().catch(setFailure)}>
        Order
      </button>
      <output>
        {failure && JSON.stringify({ message: failure.message, digest: failure.digest })}
      </output>
    </>
  );
}
