import { PaymentError } from "../payment-error.ts";

/** The page itself fails, on the server and in the browser. */
export default function Menu() {
  throw new PaymentError("component");
}
