/**
 * A report, and the mark of a sum, as a line of an export holds them: every member checked, cut to the limits, and scrubbed again,
 * because the line may have been edited. What Errata wrote itself comes out as it was.
 */
import { normaliseAlias } from "../core/alias.ts";
import { cutJson } from "../core/cut.ts";
import { isDigest } from "../core/digest.ts";
import { fitReport } from "../core/fit.ts";
import type { Mark } from "../core/issue.ts";
import { limits } from "../core/limits.ts";
import { present } from "../core/present.ts";
import type {
  Attachment,
  Breadcrumb,
  Cause,
  Frame,
  Json,
  NoiseRule,
  Report,
  ReportFormat,
  ReportKind,
  RequestFacts,
  ResponseFacts,
  Side,
} from "../core/report.ts";
import { ok, type Result } from "../core/result.ts";
import { type ScrubSettings, scrubReport } from "../core/scrub.ts";
import {
  flag,
  list,
  matching,
  moment,
  number,
  object,
  oneOf,
  only,
  pairs,
  type Read,
  text,
  type Unlike,
  whole,
  yes,
} from "./exported-shape.ts";

/** A mark as a sum holds it. One that names a render's trace is never summed up. */
export type SummedMark = Omit<
  Mark,
  "position" | "trace" | "pageTrace" | "times" | "untilMs" | "tags"
>;

/** What was cut to a limit and then scrubbed may be longer than that: a short secret gives way to a longer word. */
const GROWN = 4;
/** Parts of a fingerprint, and names of what was cut: those are Errata's own words. */
const MAX_WORDS = 100;

/** The digest of an issue, in the form that Errata writes. */
export const digest = only(
  (value): value is string => typeof value === "string" && isDigest(value),
  "a digest of eight characters that fit together",
);
/** 32 hex characters. */
export const hexId = matching(/^[0-9a-f]{32}$/, "32 lower-case hex characters");

const ownId = matching(/^(?!0+$)[0-9a-f]{32}$/, "32 lower-case hex characters");
const word = text(limits.maxStringChars * GROWN);
const kind = oneOf<ReportKind>({
  ...{ error: true, message: true, csp: true, browser: true, network: true },
  ...{ notice: true, feedback: true },
});
const side = oneOf<Side>({ server: true, browser: true });
const format = oneOf<ReportFormat>({
  ...{ render: true, reporter: true, sentry: true, next: true, otlp: true, tail: true },
  ...{ "reporting-api": true, "csp-report": true },
});
const noise = oneOf<NoiseRule>({ extension: true, injected: true, translated: true });
/** One visitor, or a sketch of many (`core/visitors.ts`). */
const visitors = matching(
  /^(?:[0-9a-f]{2}[0-9a-z]|[0-9a-z]{256})$/,
  "visitors as Errata counts them",
);

const frame = object<Frame>({
  function: { optional: word },
  file: { optional: word },
  line: { optional: number },
  column: { optional: number },
  inApp: flag,
  source: { optional: word },
  sourceBefore: { optional: list(word, limits.maxSourceLines) },
  sourceAfter: { optional: list(word, limits.maxSourceLines) },
});
const type = text(limits.maxTypeChars * GROWN);
const message = text(limits.maxMessageChars * GROWN);
const frames = list(frame, limits.maxFrames);

const attachment = object<Attachment>({
  name: word,
  type: { optional: word },
  bytes: whole,
  text: { optional: text(limits.maxExportedLineBytes) },
  base64: {
    optional: matching(
      /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==|[A-Za-z0-9+/]=))?$/,
      "base64",
    ),
  },
});

const detail: Read<Json> = (value) =>
  ok(cutJson(value, { ...limits, maxStringChars: limits.maxStringChars * GROWN }).value);

/** Only codes that a foreign code can be. */
const aliases: Read<readonly string[]> = (value) => {
  const codes = list(word, limits.maxAliasesPerReport)(value);
  return codes.ok ? ok(codes.value.flatMap((code) => normaliseAlias(code) ?? [])) : codes;
};

const stored = object<Omit<Report, "retryId">>({
  v: only((value) => value === 1, "1"),
  id: ownId,
  digest,
  linked: flag,
  noise: { optional: noise },
  visitors: { optional: visitors },
  occurredAtMs: moment,
  receivedAtMs: moment,
  scrubbed: whole,
  kind,
  side,
  format,
  type,
  message,
  level: { optional: word },
  frames,
  stack: { optional: text(limits.maxStackChars * GROWN) },
  componentStack: { optional: text(limits.maxComponentStackChars * GROWN) },
  causes: { optional: list(object<Cause>({ type, message, frames }), limits.maxCauses) },
  request: {
    optional: object<RequestFacts>({
      method: { optional: word },
      url: { optional: word },
      route: { optional: word },
      headers: { optional: pairs(limits.maxStringChars * GROWN, limits.maxHeaders) },
      userAgent: { optional: word },
    }),
  },
  response: { optional: object<ResponseFacts>({ status: number, silent: flag }) },
  release: { optional: word },
  environment: { optional: word },
  traceId: { optional: word },
  pageTraceId: { optional: word },
  rayId: { optional: word },
  tags: { optional: pairs(limits.maxStringChars * GROWN, limits.maxTags) },
  breadcrumbs: {
    optional: list(
      object<Breadcrumb>({
        atMs: { optional: moment },
        category: { optional: word },
        level: { optional: word },
        message,
      }),
      limits.maxBreadcrumbs,
    ),
  },
  detail: { optional: detail },
  keyed: { optional: yes },
  attachments: { optional: list(attachment, limits.maxAttachments) },
  aliases: { optional: aliases },
  fingerprint: { optional: list(word, MAX_WORDS) },
  blocked: { optional: word },
  cut: { optional: list(word, MAX_WORDS) },
});

const mark = object<SummedMark>({
  // Zeros where the reports that it stands for were erased.
  id: hexId,
  digest,
  linked: flag,
  kind,
  side,
  atMs: moment,
  type,
  message: word,
  where: { optional: word },
  route: { optional: word },
  url: { optional: word },
  release: { optional: word },
  environment: { optional: word },
  browser: { optional: word },
  silent: { optional: flag },
  aliases: { optional: aliases },
  noise: { optional: noise },
  keyed: { optional: yes },
  blocked: { optional: word },
  visitors: { optional: visitors },
});

/** A stored report of version 1 that is ready to be stored again. */
export function readReport(value: unknown, scrub: ScrubSettings): Result<Report, Unlike> {
  const read = stored(value);
  if (!read.ok) return read;
  const clean = scrubReport<Report>(read.value, scrub);
  const scrubbed = read.value.scrubbed + clean.scrubbed;
  return ok(fitReport({ ...clean.value, ...present({ visitors: read.value.visitors }), scrubbed }));
}

/** The mark of a sum that is ready to be stored again. */
export function readMark(value: unknown, scrub: ScrubSettings): Result<SummedMark, Unlike> {
  const read = mark(value);
  if (!read.ok) return read;
  const draft = { ...read.value, format: "reporter", frames: [] } as const;
  const { format: _format, frames: _frames, ...clean } = scrubReport(draft, scrub).value;
  return ok({ ...clean, ...present({ visitors: read.value.visitors }) });
}
