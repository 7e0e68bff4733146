/**
 * Waits for the effects of background work in a browser or the log: checks repeatedly for at most
 * twenty seconds. Chromium delays its reports, and the load of the machine is unknown.
 */
import { vi } from "vitest";

/** Resolves when `check` no longer throws; after `timeoutMs` it rejects with the last failure. */
export function eventually<T>(check: () => T | Promise<T>, timeoutMs = 20_000): Promise<T> {
  return vi.waitFor(check, { timeout: timeoutMs, interval: 20 });
}
