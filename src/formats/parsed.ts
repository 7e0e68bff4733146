/** The ends that an item can have in a format, spelled once. See core/outcome.ts. */

import { limits } from "../core/limits.ts";
import type { DropReason, InvalidReason, Parsed } from "../core/outcome.ts";
import type { Draft } from "../core/report.ts";
import type { Tally } from "../core/tally.ts";
import type { JsonFailure } from "./json.ts";

/** An item that became a draft. */
export function drafted(item: string, draft: Draft): Parsed {
  return { draft, item };
}

/**
 * Makes drafts while there is room, for `limits.maxReportsAtOnce` of them; what comes then is over-count, and its draft is
 * never made. For formats that bring thousands of items at once.
 */
export function createDrafting(): (item: string, make: () => Draft) => Parsed {
  let room: number = limits.maxReportsAtOnce;
  return (item, make) => {
    if (room === 0) return dropped(item, "over-count");
    room -= 1;
    return drafted(item, make());
  };
}

/** An item that is known but whose body is not kept, and what it counts beside itself. */
export function counted(item: string, tallies: readonly Tally[] = []): Parsed {
  return { outcome: "counted", item, ...(tallies.length > 0 && { tallies }) };
}

/** An item that is not kept although nothing is wrong with it. */
export function dropped(item: string, why: DropReason): Parsed {
  return { outcome: "dropped", item, why };
}

/** An item that could not be understood. `expected` says what was expected and where, and never what was found. */
export function invalid(item: string, why: InvalidReason, expected: string): Parsed {
  return { outcome: "invalid", item, why, expected };
}

/** An item whose JSON could not be read. Nesting too deep counts as too large: both are caps. */
export function unreadable(item: string, failure: JsonFailure): Parsed {
  const why = failure.reason === "not-json" ? "not-json" : "too-large";
  return invalid(item, why, `${item}: ${failure.expected}`);
}

/** The sender's word for an item, when it is a plain word (`csp-violation`), else `unknown`. */
export function itemName(value: unknown): string {
  return typeof value === "string" && /^[a-z][a-z0-9_-]{0,39}$/i.test(value) ? value : "unknown";
}
