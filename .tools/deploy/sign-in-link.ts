// The one-time sign-in link: a random code after `#`, which browsers send to no server, and its
// hash for the Worker (ERRATA_SETUP).

import { randomBytes } from "node:crypto";
import { toSignInLink } from "../../src/core/scrubbing/own-secrets.ts";
import { formatExpiringHash } from "./expiring-hash.ts";

const VALIDITY_MS = 86_400_000;

/** A new code, valid once within a day. `setup` is the value of ERRATA_SETUP. */
export function makeLink(nowMs: number) {
  const code = randomBytes(32).toString("base64url");
  return {
    setup: formatExpiringHash(code, nowMs + VALIDITY_MS),
    /** The link at this origin. */
    at: (origin: string) => toSignInLink(origin, code),
  };
}
