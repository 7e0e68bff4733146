import { createFileRoute } from "@tanstack/react-router";
import { PaymentError } from "../payment-error";

/** The guard fails. The page for it knows nothing of Errata. */
export const Route = createFileRoute("/account")({
  beforeLoad: () => {
    throw new PaymentError("beforeLoad");
  },
  errorComponent: ({ error }) => <p role="alert">{(error as Error).message}</p>,
  component: () => <h1>Account</h1>,
});
