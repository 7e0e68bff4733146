import { useEffect } from "react";
import { PaymentError } from "../payment-error.ts";

/** An effect fails: only the browser runs it. */
export default function Clock() {
  useEffect(() => {
    throw new PaymentError("effect");
  }, []);
  return <h1>Clock</h1>;
}
