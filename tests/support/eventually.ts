/**
 * Waits for the effects of background work in a browser or the log: checks repeatedly for at most
 * fifteen seconds.
 */
import { vi } from "vitest";

/** Resolves when `check` no longer throws; rejects with its last failure. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 15_000, interval: 20 });
}
