/**
 * Bytes, or tail events, in; exactly one outcome per item out. Tells the format by looking, lets it make drafts, finishes
 * them to reports and resolves when the log has made them durable. Knows no HTTP and no storage but the log's port.
 */
import { type FinishFacts, finish } from "./core/finish.ts";
import { limits } from "./core/limits.ts";
import type { Outcome, Parsed } from "./core/outcome.ts";
import type { Appended, Log } from "./core/ports.ts";
import { present } from "./core/present.ts";
import type { Digest, Draft, Report, ReportId } from "./core/report.ts";
import { fail, ok, type Result } from "./core/result.ts";
import { type Tally, TallySheet, tallyOf } from "./core/tally.ts";
import type { Format } from "./formats/detect.ts";
import { type ReadFacts, type ReadFailure, readItems } from "./formats/read-items.ts";
import { parseTail } from "./formats/tail.ts";

/** Asked before a body is taken: whose it is may stand in nothing but its first line. */
export { dsnOf } from "./formats/envelope.ts";
/** What one project exported and another takes. */
export { type Exported, type ExportedFailure, readExported } from "./formats/exported.ts";
/** What OTLP's clients want to hear. */
export {
  type OtlpEncoding,
  type OtlpSignal,
  otlpAnswer,
  otlpFailure,
} from "./formats/otlp-answer.ts";

/** What ingest needs beside the bytes. */
export interface IngestContext extends FinishFacts, ReadFacts {
  readonly log: Log;
  /** The issue that a report with this id counts in; null when unknown. What people write names a report so. */
  readonly digestOf?: (id: ReportId) => Promise<Digest | null>;
  /** What the request says of all that it brings: the trace of the page that the visitor had, a release in the query. */
  readonly said?: Pick<Draft, "pageTraceId" | "release" | "environment">;
  /** The sender showed the project's key, or is a Worker of the same account. */
  readonly keyed?: boolean;
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
export type IngestFailure = ReadFailure | LogFailure;

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
  const read = readItems(bytes, context);
  if (!read.ok) {
    // Answered in any case; what cannot be counted now is no reason to answer otherwise.
    await context.log.append([], [[["invalid", "body", read.reason], 1]]).catch(() => undefined);
    return read;
  }
  const { format, parsed, id } = read.value;
  const taken = await take(parsed, context);
  if (!taken.ok) return taken;
  const ids = taken.value.flatMap((outcome) => ("id" in outcome ? (outcome.id ?? []) : []));
  return ok(present({ format, outcomes: taken.value, id: id ?? ids[0] }));
}

/**
 * Takes what the platform hands to `tail()`: an outcome for each invocation, exception and log, in their order. Resolves when
 * everything accepted is durable; never rejects. The events are not sent again: what fails here is lost. Invocations that
 * went well are not even counted: each would cost a write, and the platform counts them.
 */
export async function ingestTail(
  events: readonly unknown[],
  context: Pick<IngestContext, "log" | keyof FinishFacts>,
): Promise<Result<readonly Outcome[], LogFailure>> {
  const parsed = parseTail(events);
  const isQuiet = parsed.every((end) => "outcome" in end && end.outcome === "counted");
  if (isQuiet) return ok(parsed.map(({ item }) => ({ outcome: "counted", item })));
  return take(parsed, { ...context, keyed: true });
}

/** Finishes and stores the drafts. Gives each item its outcome, in their order. */
async function take(
  parsed: readonly Parsed[],
  context: IngestContext,
): Promise<Result<readonly Outcome[], LogFailure>> {
  const reports = await finishAll(parsed, context);
  const firsts = new Map<ReportId, Report>();
  for (const report of reports.values()) if (!firsts.has(report.id)) firsts.set(report.id, report);
  const isFirst = (report: Report) => firsts.get(report.id) === report;
  const ends = parsed.map((end, at): End => {
    if ("outcome" in end) return end;
    const report = reports.get("partOf" in end ? end.partOf : at);
    if (report === undefined) return { outcome: "dropped", item: end.item, why: "not-kept" };
    return { item: end.item, report, isPart: "partOf" in end };
  });
  const stored = await store([...firsts.values()], talliesOf(ends, isFirst), context.log);
  if (!stored.ok) return stored;
  const { known, counted, spilled } = stored.value;
  return ok(
    ends.map((end): Outcome => {
      if ("outcome" in end) return withoutTallies(end);
      const { id: asked, digest } = end.report;
      const id = known.get(asked) ?? asked;
      const repeated = known.has(asked) || !isFirst(end.report);
      if (counted.has(asked) && !repeated)
        return { outcome: "counted", item: end.item, id, digest };
      const accepted = { outcome: "accepted", item: end.item, id, digest, repeated } as const;
      return spilled.has(asked) ? { ...accepted, spilled: true } : accepted;
    }),
  );
}

/** An item that ended by itself, or the report that it became or is a part of. */
type End =
  | Extract<Parsed, { outcome: string }>
  | { readonly item: string; readonly report: Report; readonly isPart: boolean };

function withoutTallies({ tallies: _, ...outcome }: Extract<Parsed, { outcome: string }>): Outcome {
  return outcome;
}

/** What is counted beside the reports that the log takes: every other end, and what items count themselves. */
function talliesOf(ends: readonly End[], isFirst: (report: Report) => boolean): readonly Tally[] {
  const sheet = new TallySheet(limits.maxTallyNamesPerBody);
  const once: Tally[] = [];
  for (const end of ends) {
    if ("outcome" in end) {
      const { tallies = [] } = end;
      once.push(...tallies.filter(([, , id]) => id !== undefined));
      sheet.addAll([tallyOf(end), ...tallies.filter(([, , id]) => id === undefined)]);
    } else if (!isFirst(end.report)) {
      sheet.add(["repeated", end.isPart ? end.item : end.report.kind]);
    }
  }
  sheet.addAll(once.slice(limits.maxTallyNamesPerBody));
  return [...sheet.take(), ...once.slice(0, limits.maxTallyNamesPerBody)];
}

/** The reports of the drafts, by their place among the items. */
async function finishAll(
  parsed: readonly Parsed[],
  context: IngestContext,
): Promise<ReadonlyMap<number, Report>> {
  const reports = new Map<number, Report>();
  const written: { at: number; draft: Draft; about: ReportId }[] = [];
  for (const [at, end] of parsed.entries()) {
    if (!("draft" in end)) continue;
    const draft = withSender(end.draft, context);
    if (draft.about === undefined) reports.set(at, finish(draft, context));
    else written.push({ at, draft, about: draft.about });
  }
  const events = [...reports.values()];
  const finishWritten = async ({ at, draft, about }: (typeof written)[number], nth: number) => {
    const here = events.find(({ id }) => id === about)?.digest;
    const isAsked = here === undefined && nth < limits.maxAboutsPerBody;
    const issueDigest =
      here ?? (isAsked ? await context.digestOf?.(about).catch(() => null) : null);
    reports.set(at, finish(issueDigest ? { ...draft, issueDigest } : draft, context));
  };
  await Promise.all(written.map(finishWritten));
  return reports;
}

/** A browser's report came with the browser's own request; a server's report says all of its request itself. */
function withSender(sent: Draft, context: IngestContext): Draft {
  const { userAgent, referer, rayId, said, keyed } = context;
  const draft: Draft = keyed === true ? { ...sent, keyed } : sent;
  if (draft.side !== "browser") return draft;
  const request = { ...present({ userAgent, url: referer }), ...draft.request };
  return {
    ...(rayId !== undefined && { rayId }),
    ...said,
    ...draft,
    ...(Object.keys(request).length > 0 && { request }),
  };
}

/**
 * What the log says of ids: which it had already, and under which id; which it counted without keeping their bodies; and which
 * wait beside it.
 */
interface Stored {
  readonly known: ReadonlyMap<ReportId, ReportId>;
  readonly counted: ReadonlySet<ReportId>;
  readonly spilled: ReadonlySet<ReportId>;
}

/** Resolves once all reports are durable, and the tallies with them. */
async function store(
  reports: readonly Report[],
  tallies: readonly Tally[],
  log: Log,
): Promise<Result<Stored, LogFailure>> {
  if (reports.length === 0 && tallies.length === 0) {
    return ok({ known: new Map(), counted: new Set(), spilled: new Set() });
  }
  try {
    const answers = await log.append(reports, tallies);
    const repeated = answers.filter((answer) => answer.repeated);
    const idsOf = (some: readonly Appended[]) => new Set(some.map(({ id }) => id));
    return ok({
      known: new Map(repeated.map(({ id, keptAs = id }) => [id, keptAs])),
      counted: idsOf(answers.filter((answer) => answer.counted === true)),
      spilled: idsOf(answers.filter((answer) => answer.spilled === true)),
    });
  } catch (cause) {
    const expected = "the log to store the reports; the same body may be sent again";
    return fail({ reason: "log-unavailable", expected, cause });
  }
}
