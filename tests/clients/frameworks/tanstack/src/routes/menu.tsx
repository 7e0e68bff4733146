import { createFileRoute } from "@tanstack/react-router";
import { PaymentError } from "../payment-error";

/** The page itself fails, on the server and in the browser. */
export const Route = createFileRoute("/menu")({ component: Menu });

function Menu() {
  throw new PaymentError("component");
}
