/** When the next attempt of a message is due. Pure. */

/** The delays after the first attempt, the second one, and so on, ms. */
const RETRY_DELAYS_MS = [
  ...[5_000, 60_000, 5 * 60_000, 30 * 60_000],
  ...[2 * 3_600_000, 6 * 3_600_000, 12 * 3_600_000],
] as const;

const JITTER = 0.2;

/**
 * The delay after `attempts` failed attempts, at least `afterMs`; null after the last attempt.
 * `random` is between 0 and 1: the delay varies by 20 %, so that messages do not arrive together.
 */
export function getRetryDelayMs(attempts: number, random: number, afterMs = 0): number | null {
  const delayMs = RETRY_DELAYS_MS[attempts - 1];
  if (delayMs === undefined) return null;
  return Math.round(Math.max(delayMs * (1 - JITTER + 2 * JITTER * random), afterMs));
}
