import { createFileRoute } from "@tanstack/react-router";
import { useEffect } from "react";
import { PaymentError } from "../payment-error";

/** An effect fails: only the browser runs it. */
export const Route = createFileRoute("/clock")({ component: Clock });

function Clock() {
  useEffect(() => {
    throw new PaymentError("effect");
  }, []);
  return <h1>Clock</h1>;
}
