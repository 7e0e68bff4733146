import { createFileRoute } from "@tanstack/react-router";
import { Suspense, use } from "react";
import { PaymentError } from "../payment-error";

/** A component behind Suspense fails on the server alone. */
export const Route = createFileRoute("/late")({
  loader: () => ({
    text: new Promise<string>((resolve) => setTimeout(resolve, 20, "Very good")),
  }),
  component: Late,
});

function Late() {
  const { text } = Route.useLoaderData();
  return (
    <Suspense fallback={<p>…</p>}>
      <Review text={text} />
    </Suspense>
  );
}

function Review({ text }: { text: Promise<string> }) {
  const shown = use(text);
  if (typeof document === "undefined") throw new PaymentError("late component");
  return <p id="shown">{shown}</p>;
}
