import { createFileRoute } from "@tanstack/react-router";
import { PaymentError } from "../payment-error";

/** The loader fails. */
export const Route = createFileRoute("/cart/$id")({
  loader: () => {
    throw new PaymentError("loader");
  },
  component: () => <h1>Cart</h1>,
});
