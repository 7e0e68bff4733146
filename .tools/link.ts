// The one-time link by which whoever runs or deploys Errata enters it: a random code behind `#`, which no server and no log
// ever sees, and its hash for the Worker (ERRATA_SETUP).

import { createHash, randomBytes } from "node:crypto";

const GOOD_FOR_MS = 86_400_000;

/** A new code, good for a day and once. `setup` is what the Worker is told. */
export function makeLink(nowMs: number) {
  const code = randomBytes(32).toString("base64url");
  const hash = createHash("sha256").update(code).digest("hex");
  return {
    setup: `${hash}.${nowMs + GOOD_FOR_MS}`,
    /** The link to the desk at this address. */
    at: (origin: string) => `${origin}/enter#${code}`,
  };
}
