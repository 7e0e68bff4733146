/**
 * The budget of messages of one destination: a few at once, then one per interval. Further alerts
 * are gathered into a summary, for a time that grows during a long storm. Pure.
 */
import { alertLimits } from "./alert-limits.ts";

/** Messages left at `atMs`, and how many summaries were sent since the budget was last full. */
export interface MessageBudget {
  readonly tokens: number;
  readonly atMs: number;
  readonly summaries: number;
}

/** How long each summary gathers alerts: the first one, the second one, and so on. */
const GATHER_MS = [60_000, 5 * 60_000, 15 * 60_000, 3_600_000];

/** Takes a message from the budget: the new budget, and how long to gather if none is left. */
export function takeMessage(
  budget: MessageBudget | undefined,
  nowMs: number,
): { readonly budget: MessageBudget; readonly gatherMs: number } {
  const { tokens, summaries } = refill(budget, nowMs);
  if (tokens >= 1) return { budget: { tokens: tokens - 1, atMs: nowMs, summaries }, gatherMs: 0 };
  const gatherMs = GATHER_MS[Math.min(summaries, GATHER_MS.length - 1)] ?? 0;
  // The summary is a message too, so the budget refills from the time of the summary.
  return { budget: { tokens: 0, atMs: nowMs + gatherMs, summaries: summaries + 1 }, gatherMs };
}

function refill(budget: MessageBudget | undefined, nowMs: number): MessageBudget {
  const { burst, refillMs } = alertLimits;
  if (budget === undefined) return { tokens: burst, atMs: nowMs, summaries: 0 };
  const passedMs = Math.max(0, nowMs - budget.atMs);
  const tokens = Math.min(burst, budget.tokens + passedMs / refillMs);
  return { tokens, atMs: nowMs, summaries: tokens >= burst ? 0 : budget.summaries };
}
