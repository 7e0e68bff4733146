import { connection } from "next/server";
import { type ReactNode, Suspense } from "react";

// Fails when the page is on its way.
async function Stock(): Promise<ReactNode> {
  await connection();
  await new Promise((resolve) => setTimeout(resolve, 400));
  throw new RangeError("the stock was counted too late, secret-of-the-kitchen");
}

export default function Late() {
  return (
    <Suspense fallback={<p>Counting …</p>}>
      <Stock />
    </Suspense>
  );
}
