/**
 * Bytes, or tail events, in; exactly one outcome per item out. Tells the format by looking, lets it make drafts, finishes
 * them to reports and resolves when the log has made them durable. Knows no HTTP and no storage but the log's port.
 */

import { limits } from "../core/limits.ts";
import { omitUndefined } from "../core/omit-undefined.ts";
import type { AppendResult, ReportWriter } from "../core/ports/storage-ports.ts";
import { type ProcessingOptions, processReport } from "../core/processing/process-report.ts";
import type { Digest, ParsedReport, Report, ReportId } from "../core/report.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { CounterBatch, type CounterDelta, toOutcomeCounter } from "../core/stats/counters.ts";
import type { Outcome } from "../core/stats/outcome.ts";
import type { IngestFormat } from "./detect-format.ts";
import type { ParsedItem } from "./items/item-outcome.ts";
import { type ParseFailure, type ParseOptions, parseBody } from "./parse-body.ts";
import { parseTail } from "./tail/parse-tail.ts";

/** What ingest needs beside the bytes. */
export interface IngestContext extends ProcessingOptions, ParseOptions {
  readonly writer: ReportWriter;
  /** The issue that a report with this id counts in; null when unknown. What people write names a report so. */
  readonly findDigest?: (id: ReportId) => Promise<Digest | null>;
  /** What the request says of all that it brings: the trace of the page that the visitor had, a release in the query. */
  readonly defaults?: Pick<ParsedReport, "pageTraceId" | "release" | "environment">;
  /** The sender showed the project's key, or is a Worker of the same account. */
  readonly hasKey?: boolean;
  /** Of the request that brought the bytes: a browser's own report often says neither. */
  readonly userAgent?: string;
  readonly rayId?: string;
  readonly referer?: string;
}

/** What became of a body. */
export interface IngestResult {
  readonly format: IngestFormat;
  /** One per item, in the items' order. */
  readonly outcomes: readonly Outcome[];
  /** The event id that the answer to a Sentry SDK repeats. */
  readonly id?: ReportId;
}

/** Why nothing of a body was kept. `expected` is a sentence for the sender and quotes nothing of the body. */
export type IngestFailure = ParseFailure | WriteFailure;

/** The log could not promise to keep the reports. `cause` is for Errata's own log, never for the sender. */
interface WriteFailure {
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
): Promise<Result<IngestResult, IngestFailure>> {
  const body = parseBody(bytes, context);
  if (!body.ok) {
    // Answered in any case; what cannot be counted now is no reason to answer otherwise.
    await context.writer.append([], [[["invalid", "body", body.reason], 1]]).catch(() => undefined);
    return body;
  }
  const { format, items, id } = body.value;
  const processed = await processItems(items, context);
  if (!processed.ok) return processed;
  const ids = processed.value.flatMap((outcome) => ("id" in outcome ? (outcome.id ?? []) : []));
  return ok(omitUndefined({ format, outcomes: processed.value, id: id ?? ids[0] }));
}

/**
 * Takes what the platform hands to `tail()`: an outcome for each invocation, exception and log, in their order. Resolves when
 * everything accepted is durable; never rejects. The events are not sent again: what fails here is lost. Invocations that
 * went well are not even counted: each would cost a write, and the platform counts them.
 */
export async function ingestTail(
  events: readonly unknown[],
  context: Pick<IngestContext, "writer" | keyof ProcessingOptions>,
): Promise<Result<readonly Outcome[], WriteFailure>> {
  const items = parseTail(events);
  const isCountedOnly = items.every((end) => "outcome" in end && end.outcome === "counted");
  if (isCountedOnly) return ok(items.map(({ item }) => ({ outcome: "counted", item })));
  return processItems(items, { ...context, hasKey: true });
}

/** Finishes and stores the drafts. Gives each item its outcome, in their order. */
async function processItems(
  items: readonly ParsedItem[],
  context: IngestContext,
): Promise<Result<readonly Outcome[], WriteFailure>> {
  const reports = await processAll(items, context);
  const firstById = new Map<ReportId, Report>();
  for (const report of reports.values())
    if (!firstById.has(report.id)) firstById.set(report.id, report);
  const isFirst = (report: Report) => firstById.get(report.id) === report;
  const states = items.map((end, at): ItemState => {
    if ("outcome" in end) return end;
    const report = reports.get("partOf" in end ? end.partOf : at);
    if (report === undefined) return { outcome: "dropped", item: end.item, reason: "not-stored" };
    return { item: end.item, report, isPart: "partOf" in end };
  });
  const stored = await storeReports(
    [...firstById.values()],
    toCounters(states, isFirst),
    context.writer,
  );
  if (!stored.ok) return stored;
  const { storedIds, rolledUpIds, spooledIds } = stored.value;
  return ok(
    states.map((end): Outcome => {
      if ("outcome" in end) return withoutCounters(end);
      const { id: requestedId, digest } = end.report;
      const id = storedIds.get(requestedId) ?? requestedId;
      const isDuplicate = storedIds.has(requestedId) || !isFirst(end.report);
      if (rolledUpIds.has(requestedId) && !isDuplicate)
        return { outcome: "counted", item: end.item, id, digest };
      const accepted = {
        outcome: "accepted",
        item: end.item,
        id,
        digest,
        isDuplicate: isDuplicate,
      } as const;
      return spooledIds.has(requestedId) ? { ...accepted, isSpooled: true } : accepted;
    }),
  );
}

/** An item that ended by itself, or the report that it became or is a part of. */
type ItemState =
  | Extract<ParsedItem, { outcome: string }>
  | { readonly item: string; readonly report: Report; readonly isPart: boolean };

function withoutCounters({
  counters: _,
  ...outcome
}: Extract<ParsedItem, { outcome: string }>): Outcome {
  return outcome;
}

/** What is counted beside the reports that the log takes: every other end, and what items count themselves. */
function toCounters(
  states: readonly ItemState[],
  isFirst: (report: Report) => boolean,
): readonly CounterDelta[] {
  const batch = new CounterBatch(limits.maxCounterNamesPerBody);
  const onceCounters: CounterDelta[] = [];
  for (const end of states) {
    if ("outcome" in end) {
      const { counters = [] } = end;
      onceCounters.push(...counters.filter(([, , id]) => id !== undefined));
      batch.addAll([toOutcomeCounter(end), ...counters.filter(([, , id]) => id === undefined)]);
    } else if (!isFirst(end.report)) {
      batch.add(["duplicate", end.isPart ? end.item : end.report.kind]);
    }
  }
  batch.addAll(onceCounters.slice(limits.maxCounterNamesPerBody));
  return [...batch.drain(), ...onceCounters.slice(0, limits.maxCounterNamesPerBody)];
}

/** The reports of the drafts, by their place among the items. */
async function processAll(
  items: readonly ParsedItem[],
  context: IngestContext,
): Promise<ReadonlyMap<number, Report>> {
  const reports = new Map<number, Report>();
  const linked: { at: number; draft: ParsedReport; about: ReportId }[] = [];
  for (const [at, end] of items.entries()) {
    if (!("report" in end)) continue;
    const report = addRequestContext(end.report, context);
    if (report.aboutEventId === undefined) reports.set(at, processReport(report, context));
    else linked.push({ at, draft: report, about: report.aboutEventId });
  }
  const events = [...reports.values()];
  const processLinked = async (
    { at, draft: report, about: eventId }: (typeof linked)[number],
    nth: number,
  ) => {
    const digestInBody = events.find(({ id }) => id === eventId)?.digest;
    const canLookUp = digestInBody === undefined && nth < limits.maxAboutEventsPerBody;
    const linkedDigest =
      digestInBody ?? (canLookUp ? await context.findDigest?.(eventId).catch(() => null) : null);
    reports.set(at, processReport(linkedDigest ? { ...report, linkedDigest } : report, context));
  };
  await Promise.all(linked.map(processLinked));
  return reports;
}

/** A browser's report came with the browser's own request; a server's report says all of its request itself. */
function addRequestContext(original: ParsedReport, context: IngestContext): ParsedReport {
  const { userAgent, referer, rayId, defaults, hasKey } = context;
  const report: ParsedReport = hasKey === true ? { ...original, hasKey } : original;
  if (report.side !== "browser") return report;
  const request = { ...omitUndefined({ userAgent, url: referer }), ...report.request };
  return {
    ...(rayId !== undefined && { rayId }),
    ...defaults,
    ...report,
    ...(Object.keys(request).length > 0 && { request }),
  };
}

/**
 * What the log says of ids: which it had already, and under which id; which it counted without keeping their bodies; and which
 * wait beside it.
 */
interface StoreResult {
  readonly storedIds: ReadonlyMap<ReportId, ReportId>;
  readonly rolledUpIds: ReadonlySet<ReportId>;
  readonly spooledIds: ReadonlySet<ReportId>;
}

/** Resolves once all reports are durable, and the tallies with them. */
async function storeReports(
  reports: readonly Report[],
  counters: readonly CounterDelta[],
  writer: ReportWriter,
): Promise<Result<StoreResult, WriteFailure>> {
  if (reports.length === 0 && counters.length === 0) {
    return ok({ storedIds: new Map(), rolledUpIds: new Set(), spooledIds: new Set() });
  }
  try {
    const results = await writer.append(reports, counters);
    const isDuplicate = results.filter((answer) => answer.isDuplicate);
    const toIdSet = (selected: readonly AppendResult[]) => new Set(selected.map(({ id }) => id));
    return ok({
      storedIds: new Map(isDuplicate.map(({ id, storedId = id }) => [id, storedId])),
      rolledUpIds: toIdSet(results.filter((answer) => answer.isRolledUp === true)),
      spooledIds: toIdSet(results.filter((answer) => answer.isSpooled === true)),
    });
  } catch (cause) {
    const expected = "the log to store the reports; the same body may be sent again";
    return fail({ reason: "log-unavailable", expected, cause });
  }
}
