import { connection } from "next/server";
import { Suspense } from "react";

// Long enough for a client to leave.
async function Slow() {
  await connection();
  await new Promise((resolve) => setTimeout(resolve, 500));
  return <p>At last</p>;
}

export default function SlowPage() {
  return (
    <Suspense fallback={<p>Waiting …</p>}>
      <Slow />
    </Suspense>
  );
}
