/**
 * The counters of an item, as they are counted for its sender's trust level. A browser can send
 * invented names and counts, so unknown names count as "other" and counts are limited.
 */

import { limits } from "../core/limits.ts";
import { type Sha256, toOnceId } from "../core/report/report-id.ts";
import type { CounterDelta, CounterName } from "../core/stats/counters.ts";
import type { Trust } from "../core/trust/trust.ts";
import { DISCARD_CATEGORIES, DISCARD_REASONS } from "./sentry/client-report.ts";
import { ENVELOPE_ITEM_TYPES } from "./sentry/envelope-items.ts";

/** Item names of formats other than envelopes, and of the parts of a body. */
const OTHER_ITEM_NAMES = [
  ...["attachment", "body", "csp-report", "csp-violation", "envelope", "network-error"],
  ...["report", "request-error", "exception", "span", "unknown"],
  ...["uncaught", "rejection", "recovered", "caught", "mismatch", "chunk", "notice"],
];

const ITEM_NAMES: ReadonlySet<string> = new Set([...ENVELOPE_ITEM_TYPES, ...OTHER_ITEM_NAMES]);

interface CounterSender {
  readonly trust: Trust;
  readonly sha256: Sha256;
}

/**
 * The counters of an item: the counter of its outcome, then its own. The names of sessions and all
 * ids contain the sender's trust level. Limits the counts of senders without a server key.
 */
export function toSenderCounters(
  outcome: CounterDelta,
  own: readonly CounterDelta[] | undefined,
  { trust, sha256 }: CounterSender,
): readonly CounterDelta[] {
  const counted = trust === "server" ? (own ?? []) : limitCounts(own ?? []);
  return [outcome, ...counted].map(([name, count, once]): CounterDelta => {
    const stored = toSenderName(name, trust);
    return once === undefined ? [stored, count] : [stored, count, toOnceId(once, trust, sha256)];
  });
}

function toSenderName(name: CounterName, trust: Trust): CounterName {
  const [first = "", ...rest] = name;
  if (first === "session") return [first, trust, ...rest];
  if (trust === "server") return name;
  const [item = "", reason = ""] = rest;
  switch (first) {
    case "dropped":
    case "invalid":
      return [first, ITEM_NAMES.has(item) ? item : "other", reason];
    case "discarded":
      return [
        first,
        DISCARD_CATEGORIES.has(item) ? item : "other",
        DISCARD_REASONS.has(reason) ? reason : "other",
      ];
    default:
      return name;
  }
}

/** The counts of one item in proportion, none above `limits.maxBrowserCountPerItem`. */
function limitCounts(counters: readonly CounterDelta[]): readonly CounterDelta[] {
  const highest = counters.reduce((max, [, count]) => Math.max(max, count), 0);
  const share = limits.maxBrowserCountPerItem / highest;
  if (share >= 1) return counters;
  return counters
    .map(([name, count, once]): CounterDelta => {
      const limited = Math.round(count * share);
      return once === undefined ? [name, limited] : [name, limited, once];
    })
    .filter(([, count]) => count > 0);
}
