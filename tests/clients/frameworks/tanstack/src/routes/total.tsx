import { createFileRoute } from "@tanstack/react-router";
import { createServerFn } from "@tanstack/react-start";
import { PaymentError } from "../payment-error";

/** A server function fails that a loader calls. */
const addUp = createServerFn().handler(async () => {
  throw new PaymentError("server function of a loader");
});

export const Route = createFileRoute("/total")({
  loader: () => addUp(),
  component: () => <h1>Total</h1>,
});
