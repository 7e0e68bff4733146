/**
 * Reduces a report to the summary that the index reads. Pure, so that rebuilding the index gives
 * the same result.
 */

import * as v from "valibot";
import { asRecord, asText } from "../decode/as-type.ts";
import { chooseError } from "../grouping/grouping.ts";
import { limits } from "../limits.ts";
import {
  aliasList,
  groupingSchema,
  kindSchema,
  noiseSchema,
  type Report,
  type ReportGrouping,
  shortText,
  sideSchema,
  trustSchema,
  typeText,
} from "../report.ts";
import { parseBrowserName, parseSystemName } from "../request/browser-name.ts";
import { isPageTraceId } from "../request/page-trace.ts";
import {
  choice,
  code,
  count,
  local,
  pairs,
  positiveCount,
  type StoredValue,
  storedObject,
  timeMs,
  trueOrFalse,
} from "../schema/stored-object.ts";
import { truncateOneLine } from "../truncate.ts";
import { DEFAULT_LEVEL, getReportLevel, REPORT_LEVELS } from "./level.ts";
import { toSentStack } from "./sent-stack.ts";
import { findCulprit } from "./title.ts";

/**
 * The position of a report in the log: `<yyyymmddhh>/<shard>.<chunk>:<line>`. Known when the report
 * is acknowledged.
 */
export type LogPosition = string;

/** The part of a report that the index reads. Small, because every report has one. */
export type ReportSummary = StoredValue<typeof reportSummarySchema>;
/** Imports have summaries of rollups only, in which the members that differ are absent. */
export const reportSummarySchema = /* @__PURE__ */ storedObject({
  /** All zeros if the reports of a rollup were erased. */
  id: code("id"),
  digest: code("digest"),
  isLinked: trueOrFalse,
  trust: trustSchema,
  /** A `LogPosition`. */
  position: local(code()),
  kind: kindSchema,
  side: sideSchema,
  atMs: timeMs,
  /** Of the error that stands for the report (`chooseError`). */
  type: typeText,
  /** At most 300 characters. */
  message: shortText,
  /** How many further different members the group has that the error is a member of. */
  otherErrors: v.optional(count),
  /** Function and file that threw: `priceOf · cart.tsx`. */
  culprit: v.optional(shortText),
  /** The frames that a source map may resolve (`sent-stack.ts`), and the dist of their build. */
  sentStack: v.optional(shortText),
  dist: v.optional(shortText),
  route: v.optional(shortText),
  url: v.optional(shortText),
  release: v.optional(shortText),
  environment: v.optional(shortText),
  browser: v.optional(shortText),
  /** Absent for `error`, the level of most reports. */
  level: v.optional(choice(REPORT_LEVELS)),
  isSilent200: v.optional(trueOrFalse),
  /** The name that the author of feedback gave. */
  author: local(v.optional(shortText)),
  aliases: v.optional(aliasList),
  noise: v.optional(noiseSchema),
  /** The first parts of the key, truncated to `limits.maxKeyPartChars` together. */
  grouping: v.optional(groupingSchema),
  /**
   * The trace of a failed render in Errata itself, or the trace that a browser error names. The
   * index uses both trace ids to link reports and does not store them with the issue.
   */
  traceId: local(v.optional(shortText)),
  /** The trace of the page that the browser loaded last. */
  pageTraceId: local(v.optional(shortText)),
  /** The first `limits.tagsPerSummary` tags, truncated. */
  tags: local(v.optional(pairs(limits.maxSummaryTagChars, limits.tagsPerSummary))),
  /** The blocked resource: a URL, or `inline`, `eval`, `data`. */
  blockedUri: v.optional(shortText),
  /** A sketch (`hyperloglog.ts`) of the affected user; in a rollup, of all affected users. */
  userSketch: v.optional(code("userSketch")),
  /** Of a public report: its network as a sketch (`network-sketch.ts`), and the id of its key. */
  networkSketch: v.optional(code("networkSketch")),
  senderKey: v.optional(code("senderKey")),
  /** The number of reports that a rollup counts. Absent for a single report. */
  occurrences: local(v.optional(positiveCount)),
  /** When the last of these reports occurred. */
  lastAtMs: local(v.optional(timeMs)),
});

export const MAX_SUMMARY_MESSAGE_CHARS = 300;
const MAX_SUMMARY_URL_CHARS = 500;
const MAX_SUMMARY_NAME_CHARS = 200;
const MAX_AUTHOR_CHARS = 80;

/**
 * The summary of a report stored at `position`: at most about 6,000 characters, and no control
 * characters (JSON writes each as six), because an issue lists many summaries in one row. Combining
 * marks are limited, because lists show each text on one line. Aliases lead to the issue. A trace
 * id identifies one render; the index deletes it after a day.
 */
export function summarizeReport(report: Report, position: LogPosition): ReportSummary {
  const userAgent = report.request?.userAgent;
  const level = getReportLevel(report);
  const { error, others } = chooseError(report);
  // A member of a group may have no stack.
  const { frames } = error.frames.length > 0 ? error : report;
  return {
    id: report.id,
    digest: report.digest,
    isLinked: report.isLinked,
    trust: report.trust,
    position,
    kind: report.kind,
    side: report.side,
    atMs: report.occurredAtMs,
    type: truncateOneLine(error.type, MAX_SUMMARY_NAME_CHARS),
    message: summarizeMessage(error.message),
    otherErrors: others === 0 ? undefined : others,
    culprit: truncateOneLine(findCulprit(frames, report.platform), MAX_SUMMARY_NAME_CHARS),
    route: truncateOneLine(report.request?.route, MAX_SUMMARY_URL_CHARS),
    url: truncateOneLine(report.request?.url, MAX_SUMMARY_URL_CHARS),
    release: truncateOneLine(report.release, limits.maxReleaseChars),
    environment: truncateOneLine(report.environment, MAX_SUMMARY_NAME_CHARS),
    browser: userAgent === undefined ? undefined : parseBrowserName(userAgent),
    level: level === DEFAULT_LEVEL ? undefined : level,
    isSilent200: report.response?.isSilent200 === true ? true : undefined,
    author: truncateOneLine(findAuthor(report), MAX_AUTHOR_CHARS),
    tags: limitTags(report),
    blockedUri: truncateOneLine(report.blockedUri, MAX_SUMMARY_URL_CHARS),
    aliases: report.aliases,
    noise: report.noise,
    grouping: limitGrouping(report.grouping),
    userSketch: report.userSketch,
    networkSketch: report.networkSketch,
    senderKey: report.senderKey,
    ...toTraceIds(report),
    ...toBuildFields({ ...report, frames }),
  };
}

function findAuthor({ kind, detail }: Report): string | undefined {
  if (kind !== "feedback") return undefined;
  const { name, contact_email: email } = asRecord(detail) ?? {};
  return asText(name) ?? asText(email);
}

/** Only Sentry events have a dist. */
function toBuildFields(report: Report): Pick<ReportSummary, "sentStack" | "dist"> {
  const sentStack = toSentStack(report);
  if (sentStack === undefined) return {};
  const dist = asText(asRecord(report.detail)?.dist);
  return { sentStack, dist: truncateOneLine(dist, MAX_SUMMARY_NAME_CHARS) };
}

/** A failed render's own trace ids, or the trace ids of a browser error that may belong to one. */
function toTraceIds(report: Report): Pick<ReportSummary, "traceId" | "pageTraceId"> {
  const { format, side, kind, traceId, pageTraceId } = report;
  const hasPageTrace =
    format === "render" || (side === "browser" && (kind === "error" || kind === "recovered"));
  if (!hasPageTrace) return {};
  return {
    traceId: isPageTraceId(traceId) ? traceId : undefined,
    pageTraceId: isPageTraceId(pageTraceId) ? pageTraceId : undefined,
  };
}

/** The first tags, truncated, for counting by tag; if there is room, the system of the browser. */
function limitTags({ tags = [], request }: Report): ReportSummary["tags"] {
  const system = parseSystemName(request?.userAgent ?? "");
  const isNamed = system === undefined || tags.some(([key]) => key === "os");
  const all = isNamed ? tags : [...tags, ["os", system] as const];
  if (all.length === 0) return undefined;
  const max = limits.maxSummaryTagChars;
  return all
    .slice(0, limits.tagsPerSummary)
    .map(([key, value]) => [truncateOneLine(key, max), truncateOneLine(value, max)]);
}

/** The first parts of a key, together at most `limits.maxKeyPartChars`. Long ones are truncated. */
function limitGrouping(grouping: ReportGrouping | undefined): ReportGrouping | undefined {
  if (grouping === undefined) return undefined;
  const stack = grouping.parts.findLast(({ role }) => role === "stack");
  const others = grouping.parts.filter((part) => part !== stack);
  const parts =
    stack === undefined
      ? others.slice(0, limits.maxKeyParts)
      : [...others.slice(0, limits.maxKeyParts - 1), stack];
  // Short parts leave their room to the long ones.
  const lengths = parts.map(({ value }) => value.length).sort((a, b) => a - b);
  let room: number = limits.maxKeyPartChars;
  let share = room;
  lengths.forEach((length, nth) => {
    share = Math.floor(room / (lengths.length - nth));
    room -= Math.min(length, share);
  });
  return {
    ...grouping,
    parts: parts.map((part) => ({ ...part, value: truncateOneLine(part.value, share) })),
  };
}

/** The beginning of a message in one line, as summaries and headings have it. */
export function summarizeMessage(message: string): string {
  return truncateOneLine(message, MAX_SUMMARY_MESSAGE_CHARS);
}
