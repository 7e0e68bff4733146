// Secrets of a deployment, of which the Worker knows only the hash.

import { createHash } from "node:crypto";

/** `<SHA-256 in hex>.<time in ms>`: the value of ERRATA_SETUP and ERRATA_UPLOAD. */
export function formatExpiringHash(secret: string, expiresMs: number): string {
  return `${sha256(secret)}.${expiresMs}`;
}

/** What `/deployment.json` answers to prove that it knows the hash of a secret. */
export function proofOf(secret: string): string {
  return sha256(sha256(secret));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
