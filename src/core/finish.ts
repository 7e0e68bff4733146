/**
 * From a draft to the report that is stored: tell from noise, scrub, group, give it an id, a time and a digest, and fit it into the limits.
 * Reports from outside and Errata's own failed renders go through here alike. Pure: the clock, ids and the hash are
 * parameters. Never throws.
 */
import { cutText } from "./cut.ts";
import { digestFromHash, isDigest } from "./digest.ts";
import { fitReport } from "./fit.ts";
import { groupingFacts, groupingKey } from "./grouping.ts";
import { hexOf } from "./hex.ts";
import { limits } from "./limits.ts";
import { Memory } from "./memory.ts";
import { type Noise, noiseOf } from "./noise.ts";
import { present } from "./present.ts";
import type { Digest, Draft, Report, ReportId } from "./report.ts";
import { type ScrubSettings, scrubReport } from "./scrub.ts";
import { visitorOf } from "./visitors.ts";

/** What finishing needs from the world. */
export interface FinishFacts {
  /** The moment of receipt. */
  readonly nowMs: number;
  /** A fresh id: 32 lower-case hex characters. */
  readonly mintId: () => ReportId;
  /** SHA-256 of the text's UTF-8 bytes, 32 bytes. */
  readonly sha256: (text: string) => Uint8Array;
  /** Tells senders apart, without saying who they are: reports that look alike and come from two are two. */
  readonly sender?: string;
  /** Who reports, where a browser's report does not say it itself: an address and a browser. Hashed, and not kept. */
  readonly visitor?: string;
  /** What is removed beside secrets. */
  readonly scrub?: ScrubSettings;
}

const MAX_AHEAD_MS = 60_000;
const MAX_AGE_MS = 30 * 86_400_000;

/**
 * The report that a draft becomes. Its id is the sender's own, else made from `sameAs` or `sameAbout`, else minted. Its time is the
 * sender's where that is plausible (not more than a minute ahead, not older than 30 days), else the moment of receipt. A
 * digest that the sender was shown decides the issue, and the report is linked.
 */
export function finish(draft: Draft, facts: FinishFacts): Report {
  const noise = noiseOf(draft);
  const { value, scrubbed } = scrubReport(
    {
      ...draft,
      type: cutText(draft.type, limits.maxTypeChars),
      message: cutText(draft.message, limits.maxMessageChars),
    },
    facts.scrub,
  );
  const {
    id: _id,
    sameAs: _same,
    sameAbout: _about,
    occurredAtMs: _at,
    about: _report,
    issueDigest: shown,
    visitor,
    ...rest
  } = value;
  const met = visitor ?? (draft.side === "browser" ? facts.visitor : undefined);
  const linked = shown !== undefined && isDigest(shown);
  return fitReport({
    ...rest,
    ...present({
      noise: noise?.rule,
      visitors: met === undefined ? undefined : visitorOf(facts.sha256(`visitor\n${met}`)),
    }),
    v: 1,
    ...idsOf(draft, facts),
    digest: linked ? shown : digestOf(value, noise, facts),
    linked,
    occurredAtMs: timeOf(draft.occurredAtMs, facts.nowMs),
    receivedAtMs: facts.nowMs,
    scrubbed,
  });
}

/**
 * The digest of a draft's own grouping, whatever digest its sender was shown. Noise groups coarsely, since nobody wants an issue
 * for each page that an extension breaks on, and by a key that no grouping and no sender can make: those begin with a version.
 */
function digestOf(draft: Draft, noise: Noise | undefined, facts: FinishFacts): Digest {
  const { kind, type, message, frames, fingerprint, request } = draft;
  const route = request?.route;
  const fault = { kind, type, message, frames, ...present({ fingerprint, route }) };
  const digestFrom = (key: string) => digestFromHash(facts.sha256(key));
  return noise === undefined
    ? digests.getOrMake(groupingFacts(fault), () => digestFrom(groupingKey(fault)))
    : digestFrom(`noise\n${noise.rule}\n${noise.what}`);
}

/** A fault seldom comes alone: a tenth of the time that a report takes, the hash included. */
const digests = new Memory<Digest>();

function idsOf(draft: Draft, facts: FinishFacts): Pick<Report, "id" | "retryId"> {
  if (draft.id !== undefined && /^[0-9a-f]{32}$/.test(draft.id)) return { id: draft.id };
  if (draft.sameAs !== undefined) return { id: hexOf(facts.sha256(draft.sameAs).subarray(0, 16)) };
  if (draft.sameAbout === undefined) return { id: facts.mintId() };
  return idsAbout(draft.sameAbout, draft.occurredAtMs ?? facts.nowMs, facts);
}

/** A retry's moment is known from its age and its arrival: off by as much as the network differs. */
const RETRY_JITTER_MS = 4_000;

/**
 * An id for the interval that the moment lies in, and one for the neighbour that is nearer. The first half of both comes from
 * content and sender alone, so that both belong to the same shard.
 */
function idsAbout(
  sameAbout: string,
  atMs: number,
  { sha256, sender = "" }: FinishFacts,
): Pick<Report, "id" | "retryId"> {
  const content = hexOf(sha256(`${sender}\n${sameAbout}`).subarray(0, 16));
  const idAt = (interval: number) =>
    content.slice(0, 16) + hexOf(sha256(`${interval}\n${content}`).subarray(0, 8));
  const interval = Math.floor(atMs / RETRY_JITTER_MS);
  const isLate = atMs - interval * RETRY_JITTER_MS >= RETRY_JITTER_MS / 2;
  return { id: idAt(interval), retryId: idAt(isLate ? interval + 1 : interval - 1) };
}

function timeOf(occurredAtMs: number | undefined, nowMs: number): number {
  const plausible =
    occurredAtMs !== undefined &&
    occurredAtMs <= nowMs + MAX_AHEAD_MS &&
    occurredAtMs >= nowMs - MAX_AGE_MS;
  return plausible ? occurredAtMs : nowMs;
}
