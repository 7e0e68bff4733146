/**
 * From a draft to the report that is stored: tell from noise, scrub, group, give it an id, a time and a digest, and fit it into the limits.
 * Reports from outside and Errata's own failed renders go through here alike. Pure: the clock, ids and the hash are
 * parameters. Never throws.
 */

import { digestFromHash, isDigest } from "../grouping/digest.ts";
import { createGroupingCacheKey, createGroupingKey } from "../grouping/grouping.ts";
import { toHex } from "../hex.ts";
import { createUserSketch } from "../hyperloglog.ts";
import { limits } from "../limits.ts";
import { MemoCache } from "../memo-cache.ts";
import { classifyNoise, type NoiseMatch } from "../noise/classify-noise.ts";
import { omitUndefined } from "../omit-undefined.ts";
import type { Digest, ParsedReport, Report, ReportId } from "../report.ts";
import { type ScrubSettings, scrubReport } from "../scrubbing/scrub.ts";
import { truncateText } from "../truncate.ts";
import { shrinkToLimit } from "./fit-to-size.ts";

/** What finishing needs from the world. */
export interface ProcessingOptions {
  /** The moment of receipt. */
  readonly nowMs: number;
  /** A fresh id: 32 lower-case hex characters. */
  readonly newId: () => ReportId;
  /** SHA-256 of the text's UTF-8 bytes, 32 bytes. */
  readonly sha256: (text: string) => Uint8Array;
  /** Tells senders apart, without saying who they are: reports that look alike and come from two are two. */
  readonly sender?: string;
  /** Who reports, where a browser's report does not say it itself: an address and a browser. Hashed, and not kept. */
  readonly userKey?: string;
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
export function processReport(parsed: ParsedReport, options: ProcessingOptions): Report {
  const noise = classifyNoise(parsed);
  const { value, scrubbedCount } = scrubReport(
    {
      ...parsed,
      type: truncateText(parsed.type, limits.maxTypeChars),
      message: truncateText(parsed.message, limits.maxMessageChars),
    },
    options.scrub,
  );
  const {
    id: _id,
    dedupeKey: _dedupeKey,
    fuzzyDedupeKey: _fuzzyDedupeKey,
    occurredAtMs: _occurredAtMs,
    aboutEventId: _aboutEventId,
    linkedDigest,
    userKey: reportedUserKey,
    ...rest
  } = value;
  const userKey = reportedUserKey ?? (parsed.side === "browser" ? options.userKey : undefined);
  const isLinked = linkedDigest !== undefined && isDigest(linkedDigest);
  return shrinkToLimit({
    ...rest,
    ...omitUndefined({
      noise: noise?.rule,
      userSketch:
        userKey === undefined ? undefined : createUserSketch(options.sha256(`user\n${userKey}`)),
    }),
    v: 1,
    ...createIds(parsed, options),
    digest: isLinked ? linkedDigest : computeDigest(value, noise, options),
    isLinked,
    occurredAtMs: toPlausibleTime(parsed.occurredAtMs, options.nowMs),
    receivedAtMs: options.nowMs,
    scrubbedCount,
  });
}

/**
 * The digest of a draft's own grouping, whatever digest its sender was shown. Noise groups coarsely, since nobody wants an issue
 * for each page that an extension breaks on, and by a key that no grouping and no sender can make: those begin with a version.
 */
function computeDigest(
  parsed: ParsedReport,
  noise: NoiseMatch | undefined,
  options: ProcessingOptions,
): Digest {
  const { kind, type, message, frames, fingerprint, request } = parsed;
  const route = request?.route;
  const groupable = { kind, type, message, frames, ...omitUndefined({ fingerprint, route }) };
  const digestFrom = (key: string) => digestFromHash(options.sha256(key));
  return noise === undefined
    ? digestCache.getOrCreate(createGroupingCacheKey(groupable), () =>
        digestFrom(createGroupingKey(groupable)),
      )
    : digestFrom(`noise\n${noise.rule}\n${noise.source}`);
}

/** A fault seldom comes alone: a tenth of the time that a report takes, the hash included. */
const digestCache = new MemoCache<Digest>();

function createIds(
  parsed: ParsedReport,
  options: ProcessingOptions,
): Pick<Report, "id" | "retryId"> {
  if (parsed.id !== undefined && /^[0-9a-f]{32}$/.test(parsed.id)) return { id: parsed.id };
  if (parsed.dedupeKey !== undefined)
    return { id: toHex(options.sha256(parsed.dedupeKey).subarray(0, 16)) };
  if (parsed.fuzzyDedupeKey === undefined) return { id: options.newId() };
  return createFuzzyIds(parsed.fuzzyDedupeKey, parsed.occurredAtMs ?? options.nowMs, options);
}

/** A retry's moment is known from its age and its arrival: off by as much as the network differs. */
const RETRY_JITTER_MS = 4_000;

/**
 * An id for the interval that the moment lies in, and one for the neighbour that is nearer. The first half of both comes from
 * content and sender alone, so that both belong to the same shard.
 */
function createFuzzyIds(
  fuzzyDedupeKey: string,
  atMs: number,
  { sha256, sender = "" }: ProcessingOptions,
): Pick<Report, "id" | "retryId"> {
  const content = toHex(sha256(`${sender}\n${fuzzyDedupeKey}`).subarray(0, 16));
  const idAt = (interval: number) =>
    content.slice(0, 16) + toHex(sha256(`${interval}\n${content}`).subarray(0, 8));
  const interval = Math.floor(atMs / RETRY_JITTER_MS);
  const isLate = atMs - interval * RETRY_JITTER_MS >= RETRY_JITTER_MS / 2;
  return { id: idAt(interval), retryId: idAt(isLate ? interval + 1 : interval - 1) };
}

function toPlausibleTime(occurredAtMs: number | undefined, nowMs: number): number {
  const isPlausible =
    occurredAtMs !== undefined &&
    occurredAtMs <= nowMs + MAX_AHEAD_MS &&
    occurredAtMs >= nowMs - MAX_AGE_MS;
  return isPlausible ? occurredAtMs : nowMs;
}
