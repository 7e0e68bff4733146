import { isRouteErrorResponse } from "react-router";
import { PaymentError } from "../payment-error.ts";

/** The action fails. */
export function action() {
  throw new PaymentError("action");
}

export default function Order() {
  return <h1>Order</h1>;
}

/** A boundary that knows nothing of Errata, as in React Router's template. */
export function ErrorBoundary({ error }: { error: unknown }) {
  let details = "An unexpected error occurred.";
  if (isRouteErrorResponse(error)) details = error.statusText || details;
  return <p role="alert">{details}</p>;
}
