/**
 * Parses an exported report, or the summary of a rollup: checks every member, truncates to the
 * limits and scrubs again, because the line may have been edited. A line that Errata wrote stays
 * unchanged.
 */

import { isDigest } from "../core/grouping/parse-digest.ts";
import { limits } from "../core/limits.ts";
import { normalizeAlias } from "../core/lookup/alias.ts";
import { shrinkToLimit } from "../core/processing/fit-to-size.ts";
import { REPORT_LEVELS, type ReportLevel } from "../core/report/level.ts";
import type { ReportSummary } from "../core/report/report-summary.ts";
import {
  type Attachment,
  type Breadcrumb,
  type Cause,
  type Frame,
  type Json,
  KEY_PART_ROLES,
  type KeyPart,
  type LogTemplate,
  NOISE_RULES,
  PLATFORMS,
  REPORT_KINDS,
  type Report,
  type ReportGrouping,
  type ReportKind,
  type ReportRequest,
  type ReportResponse,
  type Side,
} from "../core/report.ts";
import { ok, type Result } from "../core/result.ts";
import { type ScrubSettings, scrubReport } from "../core/scrubbing/scrub.ts";
import { NETWORK_SKETCH } from "../core/stats/network-sketch.ts";
import { truncateJson } from "../core/truncate.ts";
import type { Trust } from "../core/trust/trust.ts";
import { REPORT_FORMATS } from "../ingest/formats.ts";
import {
  booleanSchema,
  enumSchema,
  listSchema,
  nonNegativeInteger,
  numberSchema,
  objectSchema,
  pairsSchema,
  patternSchema,
  refine,
  type Schema,
  type SchemaMismatch,
  textSchema,
  timestampMs,
  trueSchema,
} from "./schema.ts";

/** The summary of a rollup. Reports with a trace are never rolled up. */
type RollupSummary = Omit<
  ReportSummary,
  "position" | "traceId" | "pageTraceId" | "occurrences" | "lastAtMs" | "tags" | "author"
>;

/** Scrubbing after truncation can lengthen text: a placeholder can be longer than the secret. */
const SCRUB_GROWTH = 4;
/** Parts of a fingerprint and names of truncated fields. */
const MAX_LIST_ITEMS = 100;

/** A digest as Errata writes it. */
export const digestSchema = refine(
  (value): value is string => typeof value === "string" && isDigest(value),
  "a valid digest",
);
/** 32 hex characters. */
export const hexIdSchema = patternSchema(/^[0-9a-f]{32}$/, "32 lower-case hex characters");

const nonZeroHexId = patternSchema(/^(?!0+$)[0-9a-f]{32}$/, "32 lower-case hex characters");
const shortText = textSchema(limits.maxStringChars * SCRUB_GROWTH);
const kindSchema = enumSchema<ReportKind>(REPORT_KINDS);
const levelSchema = enumSchema<ReportLevel>(REPORT_LEVELS);
const trustSchema = enumSchema<Trust>({ server: true, page: true, public: true });
const sideSchema = enumSchema<Side>({ server: true, browser: true });
const formatSchema = enumSchema(REPORT_FORMATS);
const platformSchema = enumSchema(PLATFORMS);
const keyPartRoleSchema = enumSchema(KEY_PART_ROLES);
const noiseSchema = enumSchema(NOISE_RULES);
/** The entry of one user, or a sketch of many (`core/hyperloglog.ts`). */
const userSketchSchema = patternSchema(/^(?:[0-9a-f]{2}[0-9a-z]|[0-9a-z]{256})$/, "a user sketch");

/** The networks of reports (`core/stats/network-sketch.ts`). */
export const networkSketchSchema = patternSchema(NETWORK_SKETCH, "a sketch of networks");
const senderKeySchema = patternSchema(/^[\w-]{1,40}$/, "the id of a key");

const detailSchema: Schema<Json> = (value) =>
  ok(
    truncateJson(value, { ...limits, maxStringChars: limits.maxStringChars * SCRUB_GROWTH }).value,
  );

const frameSchema = objectSchema<Frame>({
  function: { optional: shortText },
  rawFunction: { optional: shortText },
  module: { optional: shortText },
  file: { optional: shortText },
  absPath: { optional: shortText },
  package: { optional: shortText },
  address: { optional: shortText },
  imageOffset: { optional: shortText },
  line: { optional: numberSchema },
  column: { optional: numberSchema },
  inApp: booleanSchema,
  source: { optional: shortText },
  sourceBefore: { optional: listSchema(shortText, limits.maxSourceLines) },
  sourceAfter: { optional: listSchema(shortText, limits.maxSourceLines) },
  vars: { optional: detailSchema },
});
const typeSchema = textSchema(limits.maxTypeChars * SCRUB_GROWTH);
const messageSchema = textSchema(limits.maxMessageChars * SCRUB_GROWTH);
const framesSchema = listSchema(frameSchema, limits.maxFrames);
const causeSchema = objectSchema<Cause>({
  type: typeSchema,
  typeModule: { optional: typeSchema },
  message: messageSchema,
  frames: framesSchema,
  isGroup: { optional: trueSchema },
  parent: { optional: nonNegativeInteger },
  isSuppressed: { optional: trueSchema },
});
const templateSchema = objectSchema<LogTemplate>({
  text: messageSchema,
  params: { optional: detailSchema },
});
const groupingSchema = objectSchema<ReportGrouping>({
  version: nonNegativeInteger,
  parts: listSchema(
    objectSchema<KeyPart>({
      role: keyPartRoleSchema,
      value: shortText,
      of: { optional: enumSchema<"cause" | "member">({ cause: true, member: true }) },
    }),
    MAX_LIST_ITEMS,
  ),
  splitFrom: { optional: digestSchema },
});

const attachmentSchema = objectSchema<Attachment>({
  name: shortText,
  type: { optional: shortText },
  bytes: nonNegativeInteger,
  text: { optional: textSchema(limits.maxExportedLineBytes) },
  base64: {
    optional: patternSchema(
      /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==|[A-Za-z0-9+/]=))?$/,
      "base64",
    ),
  },
  notKept: {
    optional: enumSchema<"too-large" | "over-count">({ "too-large": true, "over-count": true }),
  },
});

/** Keeps only valid foreign codes. */
const aliasesSchema: Schema<readonly string[]> = (value) => {
  const codes = listSchema(shortText, limits.maxAliasesPerReport)(value);
  return codes.ok ? ok(codes.value.flatMap((code) => normalizeAlias(code) ?? [])) : codes;
};

const reportSchema = objectSchema<Omit<Report, "retryId">>({
  v: refine((value) => value === 1, "1"),
  id: nonZeroHexId,
  eventId: { optional: nonZeroHexId },
  digest: digestSchema,
  isLinked: booleanSchema,
  grouping: { optional: groupingSchema },
  noise: { optional: noiseSchema },
  userSketch: { optional: userSketchSchema },
  networkSketch: { optional: networkSketchSchema },
  senderKey: { optional: senderKeySchema },
  occurredAtMs: timestampMs,
  receivedAtMs: timestampMs,
  clockSkewMs: { optional: numberSchema },
  scrubbedCount: nonNegativeInteger,
  kind: kindSchema,
  side: sideSchema,
  format: formatSchema,
  platform: { optional: platformSchema },
  type: typeSchema,
  typeModule: { optional: typeSchema },
  message: messageSchema,
  template: { optional: templateSchema },
  level: { optional: shortText },
  frames: framesSchema,
  isGroup: { optional: trueSchema },
  stack: { optional: textSchema(limits.maxStackChars * SCRUB_GROWTH) },
  componentStack: { optional: textSchema(limits.maxComponentStackChars * SCRUB_GROWTH) },
  causes: { optional: listSchema(causeSchema, limits.maxCauses) },
  request: {
    optional: objectSchema<ReportRequest>({
      method: { optional: shortText },
      url: { optional: shortText },
      query: { optional: shortText },
      route: { optional: shortText },
      headers: { optional: pairsSchema(limits.maxStringChars * SCRUB_GROWTH, limits.maxHeaders) },
      userAgent: { optional: shortText },
    }),
  },
  response: {
    optional: objectSchema<ReportResponse>({ status: numberSchema, isSilent200: booleanSchema }),
  },
  release: { optional: shortText },
  environment: { optional: shortText },
  traceId: { optional: shortText },
  pageTraceId: { optional: shortText },
  rayId: { optional: shortText },
  tags: { optional: pairsSchema(limits.maxStringChars * SCRUB_GROWTH, limits.maxTags) },
  breadcrumbs: {
    optional: listSchema(
      objectSchema<Breadcrumb>({
        atMs: { optional: timestampMs },
        category: { optional: shortText },
        level: { optional: shortText },
        message: messageSchema,
        data: { optional: detailSchema },
      }),
      limits.maxBreadcrumbs,
    ),
  },
  detail: { optional: detailSchema },
  trust: trustSchema,
  attachments: { optional: listSchema(attachmentSchema, limits.maxItems) },
  aliases: { optional: aliasesSchema },
  fingerprint: { optional: listSchema(shortText, MAX_LIST_ITEMS) },
  blockedUri: { optional: shortText },
  truncated: { optional: listSchema(shortText, MAX_LIST_ITEMS) },
});

const summarySchema = objectSchema<RollupSummary>({
  // All zeros if the reports were erased.
  id: hexIdSchema,
  digest: digestSchema,
  isLinked: booleanSchema,
  kind: kindSchema,
  side: sideSchema,
  atMs: timestampMs,
  type: typeSchema,
  message: shortText,
  otherErrors: { optional: nonNegativeInteger },
  culprit: { optional: shortText },
  sentStack: { optional: shortText },
  dist: { optional: shortText },
  route: { optional: shortText },
  url: { optional: shortText },
  release: { optional: shortText },
  environment: { optional: shortText },
  browser: { optional: shortText },
  level: { optional: levelSchema },
  isSilent200: { optional: booleanSchema },
  aliases: { optional: aliasesSchema },
  noise: { optional: noiseSchema },
  grouping: { optional: groupingSchema },
  trust: trustSchema,
  blockedUri: { optional: shortText },
  userSketch: { optional: userSketchSchema },
  networkSketch: { optional: networkSketchSchema },
  senderKey: { optional: senderKeySchema },
});

/** Parses a stored report of version 1, ready to be stored again. */
export function parseExportedReport(
  value: unknown,
  scrub: ScrubSettings,
): Result<Report, SchemaMismatch> {
  const result = reportSchema(value);
  if (!result.ok) return result;
  const scrubResult = scrubReport<Report>(result.value, scrub);
  const scrubbedCount = result.value.scrubbedCount + scrubResult.scrubbedCount;
  return ok(
    shrinkToLimit({
      ...scrubResult.value,
      ...pickHashes(result.value),
      scrubbedCount,
    }),
  );
}

/** Parses the summary of a rollup, ready to be stored again. */
export function parseRollupSummary(
  value: unknown,
  scrub: ScrubSettings,
): Result<RollupSummary, SchemaMismatch> {
  const result = summarySchema(value);
  if (!result.ok) return result;
  const report = { ...result.value, format: "reporter", frames: [] } as const;
  const { format: _format, frames: _frames, ...scrubResult } = scrubReport(report, scrub).value;
  return ok({ ...scrubResult, ...pickHashes(result.value) });
}

/** Hashes and ids that look like secrets. */
function pickHashes({
  userSketch,
  networkSketch,
  senderKey,
}: Pick<Report, "userSketch" | "networkSketch" | "senderKey">) {
  return { userSketch, networkSketch, senderKey };
}
