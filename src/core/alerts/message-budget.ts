/**
 * The budgets of messages of one destination. Each allows a few messages at once, then one per
 * interval. Further alerts are gathered into a summary, for a time that grows during a long storm.
 * Issues that get worse have budgets of their own, so that no number of new issues delays them, and
 * so has each trust level. Pure.
 */
import type { Trust } from "../trust/trust.ts";
import { alertLimits } from "./alert-limits.ts";
import type { DueAlert } from "./due-alert.ts";
import { getTrigger } from "./triggers/triggers.ts";

/** Messages left at `atMs`, and how many summaries were sent since the budget was last full. */
export interface MessageBudget {
  readonly tokens: number;
  readonly atMs: number;
  readonly summaries: number;
}

/** The budgets of a destination, the most urgent one first. */
export const MESSAGE_BUDGETS = [
  ...(["server-worse", "server"] as const),
  ...(["page-worse", "page"] as const),
  ...(["public-worse", "public"] as const),
] as const satisfies readonly (Trust | `${Trust}-worse`)[];

export type MessageBudgetName = (typeof MESSAGE_BUDGETS)[number];

/** How long each summary gathers alerts: the first one, the second one, and so on. */
const GATHER_MS = [30_000, 60_000, 2 * 60_000, 5 * 60_000, 10 * 60_000];

/** The longest time for which a summary gathers alerts. */
export const MAX_GATHER_MS = Math.max(...GATHER_MS);

/** The budget that an alert about an issue uses. */
export function toBudgetName({ trust = "server", triggers }: DueAlert): MessageBudgetName {
  return triggers.every(({ kind }) => getTrigger(kind).isCommon) ? trust : `${trust}-worse`;
}

/** True if a message can be sent at once. */
export function hasMessage(budget: MessageBudget | undefined, nowMs: number): boolean {
  return refill(budget, nowMs).tokens >= 1;
}

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
