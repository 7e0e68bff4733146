/** Which waiting message of each destination is sent next, and when. Pure. */
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import { MESSAGE_BUDGETS, toBudgetName } from "../../core/alerts/message-budget.ts";
import type { Digest } from "../../core/report.ts";
import type { Delivery } from "./tables/delivery-table.ts";
import type { DestinationState } from "./tables/destination-table.ts";

/** The next message of a destination. */
interface NextMessage {
  readonly delivery: Delivery;
  /** When it can be sent, ms. */
  readonly readyMs: number;
  readonly isSlow: boolean;
}

interface ScheduleDeps {
  /** Messages that wait, oldest first. */
  readonly waiting: readonly Delivery[];
  /** True for a message that is being sent. */
  readonly isCalled: (delivery: Delivery) => boolean;
  readonly getState: (destination: string) => DestinationState;
  readonly nowMs: number;
}

/**
 * The next message of each destination that can be called: at `nowMs`, or else the earliest one. A
 * destination gets one call at a time. Those whose last call took long share a few calls, so that
 * they leave the connections of the object to the others.
 */
export function scheduleMessages(deps: ScheduleDeps): readonly NextMessage[] {
  const { waiting, isCalled, getState, nowMs } = deps;
  const byDestination = Map.groupBy(waiting, ({ destination }) => destination);
  const next: NextMessage[] = [];
  let slowCalls: number = alertLimits.maxSlowCalls;
  for (const [destination, deliveries] of byDestination) {
    const { nextMs = 0, isSlow = false } = getState(destination);
    if (deliveries.some(isCalled)) {
      if (isSlow) slowCalls -= 1;
      continue;
    }
    const found = findNext(deliveries, nextMs, nowMs);
    if (found !== undefined) next.push({ ...found, isSlow });
  }
  // The destination that has waited longest is first.
  next.sort((a, b) => a.readyMs - b.readyMs);
  return next.filter(({ isSlow, readyMs }) => {
    if (!isSlow || readyMs > nowMs) return true;
    slowCalls -= 1;
    return slowCalls >= 0;
  });
}

/** A message that waits for its second attempt blocks the others, unless it alone was refused. */
function findNext(
  deliveries: readonly Delivery[],
  nextMs: number,
  nowMs: number,
): Omit<NextMessage, "isSlow"> | undefined {
  const blocking = deliveries.find(
    ({ attempts, contents }) => attempts === 1 && contents.isRefused !== true,
  );
  const candidates = (blocking === undefined ? deliveries : [blocking]).map((delivery) => ({
    delivery,
    readyMs: Math.max(delivery.dueMs, nextMs),
  }));
  const ready = candidates.filter(({ readyMs }) => readyMs <= nowMs);
  if (ready.length === 0) return candidates.toSorted((a, b) => a.readyMs - b.readyMs)[0];
  const [first] = ready.toSorted((a, b) => getRank(a.delivery) - getRank(b.delivery));
  // Messages about one issue arrive in their order.
  const digest = getDigest(first?.delivery);
  return digest === undefined
    ? first
    : ready.find(({ delivery }) => getDigest(delivery) === digest);
}

/** The first issue of a message. */
function getDigest(delivery: Delivery | undefined): Digest | undefined {
  return delivery?.contents.alerts[0]?.alert.digest;
}

/**
 * The urgency: the order of the budgets. Alerts without an issue are the most urgent ones, and
 * summaries of days and weeks the least.
 */
function getRank({ kind, contents: { alerts } }: Delivery): number {
  const [first] = alerts;
  if (kind === "period") return MESSAGE_BUDGETS.length;
  return first?.alert.digest === undefined
    ? -1
    : MESSAGE_BUDGETS.indexOf(toBudgetName(first.alert));
}
