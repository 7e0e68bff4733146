/**
 * Bytes, or tail events, in; exactly one outcome per item out. Tells the format by looking, lets it make drafts, finishes
 * them to reports and resolves when the log has made them durable. Knows no HTTP and no storage but the log's port.
 */
import { type FinishFacts, finish } from "./core/finish.ts";
import { limits } from "./core/limits.ts";
import type { Outcome, Parsed } from "./core/outcome.ts";
import type { Log } from "./core/ports.ts";
import { present } from "./core/present.ts";
import type { Draft, Report, ReportId } from "./core/report.ts";
import { exhaustive, fail, ok, type Result } from "./core/result.ts";
import { parseCspReport } from "./formats/csp-report.ts";
import { type Detected, type DetectFailure, detect, type Format } from "./formats/detect.ts";
import type { EnvelopeFailure } from "./formats/envelope.ts";
import { parseNextRequestError } from "./formats/next-request-error.ts";
import { parseOtlpLogs, parseOtlpTraces, type TooManyOtlpItems } from "./formats/otlp.ts";
import type { OtlpSignal } from "./formats/otlp-answer.ts";
import { decodeOtlpLogs, decodeOtlpTraces } from "./formats/otlp-protobuf.ts";
import type { ProtobufFailure } from "./formats/protobuf.ts";
import { parseReporter } from "./formats/reporter.ts";
import { parseReports, type TooManyReports } from "./formats/reporting-api.ts";
import { parseSentryEnvelope } from "./formats/sentry-envelope.ts";
import { parseSentryEvent } from "./formats/sentry-event.ts";
import { parseTail } from "./formats/tail.ts";

/** Asked before a body is taken: whose it is may stand in nothing but its first line. */
export { dsnOf } from "./formats/envelope.ts";

/** What OTLP's clients want to hear. */
export {
  type OtlpEncoding,
  type OtlpSignal,
  otlpAnswer,
  otlpFailure,
} from "./formats/otlp-answer.ts";

/** What ingest needs beside the bytes. */
export interface IngestContext extends FinishFacts {
  readonly log: Log;
  /** Of the request that brought the bytes: a browser's own report often says neither. */
  readonly userAgent?: string;
  readonly rayId?: string;
  readonly referer?: string;
  /**
   * The bytes are OTLP in protobuf's binary encoding, which cannot be told by looking: the path and the content type say so.
   */
  readonly protobuf?: OtlpSignal;
}

/** What became of a body. */
export interface Ingested {
  readonly format: Format;
  /** One per item, in the items' order. */
  readonly outcomes: readonly Outcome[];
  /** The event id that the answer to a Sentry SDK repeats. */
  readonly id?: ReportId;
}

/** Why nothing of a body was kept. `expected` is a sentence for the sender and quotes nothing of the body. */
export type IngestFailure = ReadFailure | LogFailure;

type ReadFailure =
  | DetectFailure
  | EnvelopeFailure
  | ProtobufFailure
  | TooManyReports
  | TooManyOtlpItems;

/** The log could not promise to keep the reports. `cause` is for Errata's own log, never for the sender. */
interface LogFailure {
  readonly reason: "log-unavailable";
  readonly expected: string;
  readonly cause: unknown;
}

/**
 * Takes a body of at most `limits.maxInflatedBytes`. Resolves when everything accepted is durable; never rejects. A body in
 * which some items are broken still succeeds, with their outcomes. An id that comes twice in one body counts once.
 */
export async function ingest(
  bytes: Uint8Array,
  context: IngestContext,
): Promise<Result<Ingested, IngestFailure>> {
  const read = readBody(bytes, context);
  if (!read.ok) return read;
  const { format, parsed, id } = read.value;
  const taken = await take(parsed, context);
  if (!taken.ok) return taken;
  const first = taken.value.find((outcome) => outcome.outcome === "accepted");
  return ok(present({ format, outcomes: taken.value, id: id ?? first?.id }));
}

/**
 * Takes what the platform hands to `tail()`: an outcome for each invocation, exception and log, in their order. Resolves when
 * everything accepted is durable; never rejects. The events are not sent again: what fails here is lost.
 */
export async function ingestTail(
  events: readonly unknown[],
  context: Pick<IngestContext, "log" | keyof FinishFacts>,
): Promise<Result<readonly Outcome[], LogFailure>> {
  return take(parseTail(events), context);
}

/** Finishes and stores the drafts. Gives each item its outcome, in their order. */
async function take(
  parsed: readonly Parsed[],
  context: IngestContext,
): Promise<Result<readonly Outcome[], LogFailure>> {
  const ends = parsed.map((end) =>
    "draft" in end
      ? { item: end.item, report: finish(withSender(end.draft, context), context) }
      : end,
  );
  const firsts = new Map<ReportId, Report>();
  for (const end of ends) {
    if ("report" in end && !firsts.has(end.report.id)) firsts.set(end.report.id, end.report);
  }
  const stored = await store([...firsts.values()], context.log);
  if (!stored.ok) return stored;
  const outcomes = ends.map((end): Outcome => {
    if (!("report" in end)) return end;
    const { id, digest } = end.report;
    const repeated = stored.value.has(id) || firsts.get(id) !== end.report;
    return { outcome: "accepted", item: end.item, id, digest, repeated };
  });
  return ok(outcomes);
}

interface Read {
  readonly parsed: readonly Parsed[];
  readonly id?: ReportId;
}

/** The items of a body, and the format that it turned out to be. */
function readBody(
  bytes: Uint8Array,
  { protobuf, nowMs }: IngestContext,
): Result<Read & { readonly format: Format }, ReadFailure> {
  const detected = protobuf === undefined ? detect(bytes) : decodeOtlp(bytes, protobuf);
  if (!detected.ok) return detected;
  const { format } = detected.value;
  const read = parse(bytes, detected.value, nowMs);
  return read.ok ? ok({ ...read.value, format }) : read;
}

function decodeOtlp(bytes: Uint8Array, signal: OtlpSignal): Result<Detected, ProtobufFailure> {
  const decoded = signal === "logs" ? decodeOtlpLogs(bytes) : decodeOtlpTraces(bytes);
  return decoded.ok ? ok({ format: `otlp-${signal}`, value: decoded.value }) : decoded;
}

function parse(
  bytes: Uint8Array,
  detected: Detected,
  nowMs: number,
): Result<Read, EnvelopeFailure | TooManyReports | TooManyOtlpItems> {
  switch (detected.format) {
    case "sentry-envelope":
      return parseSentryEnvelope(bytes);
    case "sentry-event":
      return ok({ parsed: [parseSentryEvent(detected.value)] });
    case "reporting-api":
      return asRead(parseReports(detected.value, nowMs));
    case "csp-report":
      return ok({ parsed: parseCspReport(detected.value) });
    case "reporter":
      return ok({ parsed: parseReporter(detected.value) });
    case "next":
      return ok({ parsed: parseNextRequestError(detected.value) });
    case "otlp-logs":
      return asRead(parseOtlpLogs(detected.value));
    case "otlp-traces":
      return asRead(parseOtlpTraces(detected.value));
    default:
      return exhaustive(detected, ok({ parsed: [] }));
  }
}

function asRead<E extends { readonly reason: string }>(
  parsed: Result<readonly Parsed[], E>,
): Result<Read, E> {
  return parsed.ok ? ok({ parsed: parsed.value }) : parsed;
}

/** A browser's report came with the browser's own request; a server's report says all of its request itself. */
function withSender(draft: Draft, { userAgent, referer, rayId }: IngestContext): Draft {
  if (draft.side !== "browser") return draft;
  const request = { ...present({ userAgent, url: referer }), ...draft.request };
  return {
    ...(rayId !== undefined && { rayId }),
    ...draft,
    ...(Object.keys(request).length > 0 && { request }),
  };
}

/** Resolves with the ids that the log already had, once all reports are durable. */
async function store(
  reports: readonly Report[],
  log: Log,
): Promise<Result<ReadonlySet<ReportId>, LogFailure>> {
  const known = new Set<ReportId>();
  try {
    // One after another: the lines of one call only are in memory together.
    for (let at = 0; at < reports.length; at += limits.maxReportsPerAppend) {
      const appended = await log.append(reports.slice(at, at + limits.maxReportsPerAppend));
      for (const { id, repeated } of appended) if (repeated) known.add(id);
    }
    return ok(known);
  } catch (cause) {
    const expected = "the log to store the reports; the same body may be sent again";
    return fail({ reason: "log-unavailable", expected, cause });
  }
}
