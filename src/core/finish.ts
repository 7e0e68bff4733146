/**
 * From a draft to the report that is stored: scrub, group, give it an id, a time and a digest, and fit it into the limits.
 * Reports from outside and Errata's own failed renders go through here alike. Pure: the clock, ids and the hash are
 * parameters. Never throws.
 */
import { cutText } from "./cut.ts";
import { digestFromHash, isDigest } from "./digest.ts";
import { fitReport } from "./fit.ts";
import { groupingKey } from "./grouping.ts";
import { limits } from "./limits.ts";
import { present } from "./present.ts";
import type { Digest, Draft, Report, ReportId } from "./report.ts";
import { scrubReport } from "./scrub.ts";

/** What finishing needs from the world. */
export interface FinishFacts {
  /** The moment of receipt. */
  readonly nowMs: number;
  /** A fresh id: 32 lower-case hex characters. */
  readonly mintId: () => ReportId;
  /** SHA-256 of the text's UTF-8 bytes, 32 bytes. */
  readonly sha256: (text: string) => Uint8Array;
}

const MAX_AHEAD_MS = 60_000;
const MAX_AGE_MS = 30 * 86_400_000;

/**
 * The report that a draft becomes. Its id is the sender's own, else made from `sameAs`, else minted. Its time is the
 * sender's where that is plausible (not more than a minute ahead, not older than 30 days), else the moment of receipt. A
 * digest that the sender was shown decides the issue, and the report is linked.
 */
export function finish(draft: Draft, facts: FinishFacts): Report {
  const { value, scrubbed } = scrubReport({
    ...draft,
    type: cutText(draft.type, limits.maxTypeChars),
    message: cutText(draft.message, limits.maxMessageChars),
  });
  const { id: _id, sameAs: _sameAs, occurredAtMs: _at, shownDigest: _shown, ...rest } = value;
  const shown = draft.shownDigest;
  const linked = shown !== undefined && isDigest(shown);
  return fitReport({
    ...rest,
    v: 1,
    id: reportIdOf(draft, facts),
    digest: linked ? shown : digestOf(value, facts),
    linked,
    occurredAtMs: timeOf(draft.occurredAtMs, facts.nowMs),
    receivedAtMs: facts.nowMs,
    scrubbed,
  });
}

/** The digest of a draft's own grouping, whatever digest its sender was shown. */
function digestOf(draft: Draft, facts: FinishFacts): Digest {
  const route = draft.request?.route;
  return digestFromHash(facts.sha256(groupingKey({ ...draft, ...present({ route }) })));
}

function reportIdOf(draft: Draft, facts: FinishFacts): ReportId {
  if (draft.id !== undefined && /^[0-9a-f]{32}$/.test(draft.id)) return draft.id;
  if (draft.sameAs === undefined) return facts.mintId();
  const hash = facts.sha256(draft.sameAs).subarray(0, 16);
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function timeOf(occurredAtMs: number | undefined, nowMs: number): number {
  const plausible =
    occurredAtMs !== undefined &&
    occurredAtMs <= nowMs + MAX_AHEAD_MS &&
    occurredAtMs >= nowMs - MAX_AGE_MS;
  return plausible ? occurredAtMs : nowMs;
}
