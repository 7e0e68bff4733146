/** Waits for what a browser or the log does behind an answer: looks again until it holds, for at most fifteen seconds. */
import { vi } from "vitest";

/** Resolves when `check` passes without throwing; rejects with its last failure. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 15_000, interval: 20 });
}
