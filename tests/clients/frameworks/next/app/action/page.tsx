"use client";

import { useState } from "react";
import { order } from "./actions.ts";

// A server action whose caller handles the failure.
export default function Action() {
  const [digest, setDigest] = useState<string>();
  const onClick = () =>
    order().catch((error: Error & { digest?: string }) => setDigest(error.digest));
  return (
    <main>
      <button type="button" onClick={onClick}>
        Order
      </button>
      {digest && <p>Digest: {digest}</p>}
    </main>
  );
}
