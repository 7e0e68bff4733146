/**
 * Bytes in, exactly one outcome per item out. Tells the format by looking, lets it make drafts, finishes them to reports and
 * resolves when the log has made them durable. Knows no HTTP and no storage but the log's port.
 */
import { type FinishFacts, finish } from "./core/finish.ts";
import type { Outcome, Parsed } from "./core/outcome.ts";
import type { Log } from "./core/ports.ts";
import { present } from "./core/present.ts";
import type { Draft, Report, ReportId } from "./core/report.ts";
import { exhaustive, fail, ok, type Result } from "./core/result.ts";
import { parseCspReport } from "./formats/csp-report.ts";
import { type Detected, type DetectFailure, detect, type Format } from "./formats/detect.ts";
import type { EnvelopeFailure } from "./formats/envelope.ts";
import { parseNextRequestError } from "./formats/next-request-error.ts";
import { parseReporter } from "./formats/reporter.ts";
import { parseReports, type TooManyReports } from "./formats/reporting-api.ts";
import { parseSentryEnvelope } from "./formats/sentry-envelope.ts";
import { parseSentryEvent } from "./formats/sentry-event.ts";

/** Asked before a body is taken: whose it is may stand in nothing but its first line. */
export { dsnOf } from "./formats/envelope.ts";

/** What ingest needs beside the bytes. */
export interface IngestContext extends FinishFacts {
  readonly log: Log;
  /** Of the request that brought the bytes: a browser's own report often says neither. */
  readonly userAgent?: string;
  readonly rayId?: string;
  readonly referer?: string;
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
export type IngestFailure = DetectFailure | EnvelopeFailure | TooManyReports | LogFailure;

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
  const detected = detect(bytes);
  if (!detected.ok) return detected;
  const read = parse(bytes, detected.value, context.nowMs);
  if (!read.ok) return read;
  const ends = read.value.parsed.map((parsed) =>
    "draft" in parsed
      ? { item: parsed.item, report: finish(withSender(parsed.draft, context), context) }
      : parsed,
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
  const id = read.value.id ?? firsts.keys().next().value;
  return ok(present({ format: detected.value.format, outcomes, id }));
}

interface Read {
  readonly parsed: readonly Parsed[];
  readonly id?: ReportId;
}

function parse(
  bytes: Uint8Array,
  detected: Detected,
  nowMs: number,
): Result<Read, EnvelopeFailure | TooManyReports> {
  switch (detected.format) {
    case "sentry-envelope":
      return parseSentryEnvelope(bytes);
    case "sentry-event":
      return ok({ parsed: [parseSentryEvent(detected.value)] });
    case "reporting-api": {
      const reports = parseReports(detected.value, nowMs);
      return reports.ok ? ok({ parsed: reports.value }) : reports;
    }
    case "csp-report":
      return ok({ parsed: parseCspReport(detected.value) });
    case "reporter":
      return ok({ parsed: parseReporter(detected.value) });
    case "next":
      return ok({ parsed: parseNextRequestError(detected.value) });
    default:
      return exhaustive(detected, ok({ parsed: [] }));
  }
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
  if (reports.length === 0) return ok(new Set());
  try {
    const appended = await log.append(reports);
    return ok(new Set(appended.filter((answer) => answer.repeated).map((answer) => answer.id)));
  } catch (cause) {
    const expected = "the log to store the reports; the same body may be sent again";
    return fail({ reason: "log-unavailable", expected, cause });
  }
}
