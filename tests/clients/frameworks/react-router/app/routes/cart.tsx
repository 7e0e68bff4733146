import { PaymentError } from "../payment-error.ts";

/** The loader fails. */
export function loader() {
  throw new PaymentError("loader");
}

export default function Cart() {
  return <h1>Cart</h1>;
}
