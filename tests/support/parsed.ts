// Looking into what a format made of a body.

import type { Parsed } from "../../src/core/outcome.ts";
import type { Draft } from "../../src/core/report.ts";

/** The draft of an item that must have become one. */
export function draftOf(parsed: Parsed | undefined): Draft {
  if (parsed === undefined || !("draft" in parsed)) {
    throw new Error(`expected a draft, got ${JSON.stringify(parsed)}`);
  }
  return parsed.draft;
}

/** How each item ended, in a word or two: `event → error`, `session → counted`, `event → invalid not-json`. */
export function endsOf(parsed: readonly Parsed[]): readonly string[] {
  return parsed.map((end) => {
    if ("draft" in end) return `${end.item} → ${end.draft.kind}`;
    if ("partOf" in end) return `${end.item} → part of ${end.partOf}`;
    return "why" in end
      ? `${end.item} → ${end.outcome} ${end.why}`
      : `${end.item} → ${end.outcome}`;
  });
}
