import { Suspense, use } from "react";
import { useLoaderData } from "react-router";
import { PaymentError } from "../payment-error.ts";

export function loader() {
  return { text: new Promise<string>((resolve) => setTimeout(resolve, 20, "Very good")) };
}

/** A component behind Suspense fails on the server alone. */
export default function Reviews() {
  const { text } = useLoaderData<typeof loader>();
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
