/**
 * Turns a parsed report into the report that is stored: classifies noise, scrubs, groups, sets id,
 * time and digest, and fits it into the limits. Used for reports from outside and for Errata's own
 * failed renders. Pure: the clock, ids and the hash are parameters. Never throws.
 */

import { digestFromHash } from "../grouping/encode-digest.ts";
import { isDigest } from "../grouping/parse-digest.ts";
import { describeStack } from "../grouping/stack-identity.ts";
import { toHex } from "../hex.ts";
import { createUserSketch } from "../hyperloglog.ts";
import { OTHER_ANONYMOUS_DIGEST } from "../issue/other-anonymous-reports.ts";
import { limits } from "../limits.ts";
import { classifyNoise, type NoiseMatch } from "../noise/classify-noise.ts";
import type { SwitchableNoiseRule } from "../noise/noise-rules.ts";
import type { PolicyProof } from "../noise/policy-proof.ts";
import { type Sha256, toStoredId } from "../report/report-id.ts";
import { isSelfReport, tagSelfReport } from "../report/self-reports.ts";
import type { Digest, NoiseRule, ParsedReport, Report, ReportId } from "../report.ts";
import { type ScrubSettings, scrubReport } from "../scrubbing/scrub.ts";
import { truncateOneLine, truncateText } from "../truncate.ts";
import { TRUST_POLICY, type Trust } from "../trust/trust.ts";
import { dropVars, shrinkToLimit } from "./fit-to-size.ts";
import { findOwnIssue, type OwnIssue } from "./own-issue.ts";

/** Clock, ids, hash and sender of a report. */
export interface ProcessingOptions extends PolicyProof {
  /** The time of receipt. */
  readonly nowMs: number;
  /** A new id: 32 lower-case hex characters. */
  readonly newId: () => ReportId;
  readonly trust: Trust;
  readonly sha256: Sha256;
  /** An anonymous key of the sender. Equal reports of two senders are different reports. */
  readonly sender?: string;
  /** The user of a browser report that names none: address and browser. Hashed, not stored. */
  readonly userKey?: string;
  /** The network and the key of public reports, as a report stores them. */
  readonly publicSender?: Pick<Report, "networkSketch" | "senderKey">;
  /** Values to remove in addition to secrets. */
  readonly scrub?: ScrubSettings;
  /** Noise rules that the project has switched off. */
  readonly disabledNoiseRules?: readonly SwitchableNoiseRule[];
  /** Digests that the project splits by stack. */
  readonly splitDigests?: readonly Digest[];
}

const MAX_AHEAD_MS = 60_000;

/**
 * The report to store. Its id is derived from the sender's if valid, otherwise from `dedupeKey` or
 * `fuzzyDedupeKey`, otherwise it is new. Its time is the sender's if plausible (at most a minute in
 * the future and an hour in the past, of a server 30 days), otherwise the time of receipt.
 * A valid `linkedDigest` sets the digest and makes the report linked. Reports whose own digest is
 * in `splitDigests` get a digest for each stack.
 */
export function processReport(received: ParsedReport, options: ProcessingOptions): Report {
  const isOwn = isSelfReport(received, options);
  const parsed = isOwn ? tagSelfReport(received) : received;
  const noise = classifyNoise(parsed, options.disabledNoiseRules, options);
  const { value, scrubbedCount } = scrubReport(
    {
      ...(mayKeepVars(options) ? parsed : dropVars(parsed)),
      ...(noise?.reason && { tags: [[noise.rule, noise.reason] as const, ...(parsed.tags ?? [])] }),
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
    originalPolicy: _originalPolicy,
    hasControlFlowDigest: _hasControlFlowDigest,
    isCarried: _isCarried,
    linkedDigest,
    userKey: reportedUserKey,
    release: _release,
    environment: _environment,
    ...rest
  } = value;
  const userKey = reportedUserKey ?? (parsed.side === "browser" ? options.userKey : undefined);
  const shownDigest = linkedDigest && isLinkable(linkedDigest) ? linkedDigest : undefined;
  const issue = assignIssue(value, shownDigest, { noise, isOwn }, options);
  const noiseRule: NoiseRule | undefined =
    noise?.rule ?? (isOwn && shownDigest === undefined ? "errata" : undefined);
  return shrinkToLimit({
    // First, so that the prefix of a stored line shows its kind.
    v: 1,
    ...rest,
    ...trimBuild(value),
    noise: noiseRule,
    userSketch:
      userKey === undefined ? undefined : createUserSketch(options.sha256(`user\n${userKey}`)),
    ...createIds(parsed, options),
    ...issue,
    trust: options.trust,
    ...(options.trust === "public" && options.publicSender),
    occurredAtMs: toPlausibleTime(parsed.occurredAtMs, options),
    receivedAtMs: options.nowMs,
    scrubbedCount,
  });
}

/** Scripts that read a version from a file send its line end too. */
function trimBuild({
  release,
  environment,
}: ParsedReport): Pick<Report, "release" | "environment"> {
  return {
    release: release?.trim() || undefined,
    environment: environment?.trim() || undefined,
  };
}

/** A linked report names its issue, but never the issue "Other anonymous reports". */
function isLinkable(digest: Digest): boolean {
  return isDigest(digest) && digest !== OTHER_ANONYMOUS_DIGEST;
}

/** Browsers send no local variables, and only a server key proves that a server sent them. */
function mayKeepVars({ trust, scrub }: ProcessingOptions): boolean {
  return TRUST_POLICY[trust].keepsVars && scrub?.vars !== true;
}

/**
 * The issue whose digest the sender was shown, or that of the report's own grouping. A server may
 * have been shown the digest of its own report, which adapters compute before they send it. A
 * browser names that of another one.
 */
function assignIssue(
  parsed: ParsedReport,
  shownDigest: Digest | undefined,
  marks: { readonly noise: NoiseMatch | undefined; readonly isOwn: boolean },
  options: ProcessingOptions,
): Pick<Report, "digest" | "grouping" | "isLinked"> {
  if (shownDigest === undefined)
    return { ...assignOwnIssue(parsed, marks, options), isLinked: false };
  if (parsed.side === "server") {
    const own = assignOwnIssue(parsed, marks, options);
    if (own.digest === shownDigest) return { ...own, isLinked: parsed.isCarried === true };
    if (own.grouping?.splitFrom === shownDigest) return { ...own, isLinked: true };
  }
  return { digest: shownDigest, isLinked: true };
}

/**
 * The digest of the report's own grouping. Noise is grouped by rule and source, so that an
 * extension does not create an issue for every page that it breaks. Its key cannot collide with a
 * grouping key, which begins with a version. Neither can the key of Errata's own errors, so that
 * they do not hide an application's issue with the same grouping.
 */
function assignOwnIssue(
  parsed: ParsedReport,
  { noise, isOwn }: { readonly noise: NoiseMatch | undefined; readonly isOwn: boolean },
  { sha256, splitDigests = [] }: ProcessingOptions,
): Pick<Report, "digest" | "grouping"> {
  if (noise !== undefined)
    return { digest: digestFromHash(sha256(`noise\n${noise.rule}\n${noise.source}`)) };
  const { key, digest, grouping } = findOwnIssue(parsed, sha256, isOwn ? "errata\n" : "");
  if (isOwn || !splitDigests.includes(digest)) return { digest, grouping };
  return splitByStack(parsed, { key, digest, grouping }, sha256);
}

/**
 * The digest of the key and the stack; without a usable stack, of the key alone. The derived key
 * begins with a word and a line break, so it cannot collide with a grouping key or another kind.
 */
function splitByStack(
  parsed: ParsedReport,
  { key, digest, grouping }: OwnIssue,
  sha256: Sha256,
): Pick<Report, "digest" | "grouping"> {
  const stack = describeStack(parsed, grouping);
  if (stack === undefined) return { digest, grouping };
  const value = truncateOneLine(stack, limits.maxStoredKeyPartChars);
  const parts = [
    ...grouping.parts.slice(0, limits.maxStoredKeyParts - 1),
    { role: "stack", value } as const,
  ];
  return {
    digest: digestFromHash(sha256(`stack\n${key}\n${stack}`)),
    grouping: { ...grouping, parts, splitFrom: digest },
  };
}

function createIds(
  parsed: ParsedReport,
  options: ProcessingOptions,
): Pick<Report, "id" | "retryId" | "eventId"> {
  const { trust, sha256 } = options;
  if (parsed.id !== undefined && /^[0-9a-f]{32}$/.test(parsed.id)) {
    const id = toStoredId(parsed.id, trust, sha256);
    return { id, ...(id !== parsed.id && { eventId: parsed.id }) };
  }
  if (parsed.dedupeKey !== undefined)
    return { id: toHex(sha256(`${trust}\n${parsed.dedupeKey}`).subarray(0, 16)) };
  if (parsed.fuzzyDedupeKey === undefined) return { id: options.newId() };
  return createFuzzyIds(parsed.fuzzyDedupeKey, parsed.occurredAtMs ?? options.nowMs, options);
}

/** The time of a retry comes from its age and arrival, so it varies with the network latency. */
const RETRY_JITTER_MS = 4_000;

/**
 * An id for the interval that contains the time, and one for the nearer neighbor. The first half of
 * both depends only on content and sender, so both have the same shard.
 */
function createFuzzyIds(
  fuzzyDedupeKey: string,
  atMs: number,
  { sha256, trust, sender = "" }: ProcessingOptions,
): Pick<Report, "id" | "retryId"> {
  const content = toHex(sha256(`${trust}\n${sender}\n${fuzzyDedupeKey}`).subarray(0, 16));
  const idAt = (interval: number) =>
    content.slice(0, 16) + toHex(sha256(`${interval}\n${content}`).subarray(0, 8));
  const interval = Math.floor(atMs / RETRY_JITTER_MS);
  const isLate = atMs - interval * RETRY_JITTER_MS >= RETRY_JITTER_MS / 2;
  return { id: idAt(interval), retryId: idAt(isLate ? interval + 1 : interval - 1) };
}

function toPlausibleTime(
  occurredAtMs: number | undefined,
  { nowMs, trust }: Pick<ProcessingOptions, "nowMs" | "trust">,
): number {
  const isPlausible =
    occurredAtMs !== undefined &&
    occurredAtMs <= nowMs + MAX_AHEAD_MS &&
    occurredAtMs >= nowMs - TRUST_POLICY[trust].maxAgeMs;
  return isPlausible ? occurredAtMs : nowMs;
}
