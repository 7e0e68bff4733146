import { connection } from "next/server";
import { type ReactNode, Suspense } from "react";

// Fails on the server when the page is on its way: status 200, and the same error page a moment later.
async function Stock(): Promise<ReactNode> {
  await connection();
  await new Promise((resolve) => setTimeout(resolve, 100));
  throw new RangeError("the stock was counted too late");
}

export default function Late() {
  return (
    <Suspense fallback={<p>Counting …</p>}>
      <Stock />
    </Suspense>
  );
}
