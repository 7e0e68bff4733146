import { createFileRoute } from "@tanstack/react-router";
import { PaymentError } from "../payment-error";

/** The page fails on the server alone. */
export const Route = createFileRoute("/reviews")({ component: Reviews });

function Reviews() {
  if (typeof document === "undefined") throw new PaymentError("component on the server");
  return <p id="shown">Very good</p>;
}
