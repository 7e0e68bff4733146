import { PaymentError } from "../payment-error.ts";

/** A resource route fails. */
export function loader() {
  throw new PaymentError("resource");
}
