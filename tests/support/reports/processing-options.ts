// The context of ingest in tests: a fixed clock and counted ids.

import { createHash } from "node:crypto";
import type { ProcessingOptions } from "#src/core/processing/process-report.ts";

/** A time after all captures: 2026-11-21T18:00:00Z. */
export const NOW_MS = 1_795_284_000_000;

/** A context whose ids count up: `…0001`, `…0002`. */
export function createProcessingOptions(): ProcessingOptions {
  let minted = 0;
  return {
    nowMs: NOW_MS,
    newId: () => (++minted).toString(16).padStart(32, "0"),
    trust: "server",
    sha256: (text) => new Uint8Array(createHash("sha256").update(text).digest()),
  };
}
