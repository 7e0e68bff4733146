/**
 * Processes and stores parsed items, in passes over one list of item states. This is the hot path
 * of ingest.
 */

import { isControlFlowReport } from "../core/control-flow/control-flow-report.ts";
import { limits } from "../core/limits.ts";
import { omitUndefined } from "../core/omit-undefined.ts";
import type { AppendResult, ReportWriter } from "../core/ports/storage-ports.ts";
import { type ProcessingOptions, processReport } from "../core/processing/process-report.ts";
import { getSenderId } from "../core/report/report-id.ts";
import type { Digest, ParsedReport, Report, ReportId } from "../core/report.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { CounterBatch, type CounterDelta, toOutcomeCounter } from "../core/stats/counters.ts";
import type { Outcome } from "../core/stats/outcome.ts";
import { isTrusted } from "../core/trust/trust.ts";
import {
  type IngestContext,
  NO_PAGE_REPORTS,
  type PageReports,
  type RefusedBody,
} from "./ingest-context.ts";
import { boundReports, type ParsedItem, toDroppedItem } from "./items/item-outcome.ts";
import { toSenderCounters } from "./sender-counters.ts";

/** The log could not store the reports. `cause` is for Errata's own log, never for the sender. */
export interface WriteFailure {
  readonly reason: "log-unavailable";
  readonly expected: string;
  readonly cause: unknown;
}

type FinishedItem = Extract<ParsedItem, { outcome: string }>;

/** One item on its way from the parser to its outcome. */
interface ItemState {
  readonly parsed: ParsedItem;
  /** The report that the item became, or is a part of. */
  report?: Report;
  /** An earlier item of the same body has the same id. */
  isDuplicate: boolean;
}

/**
 * Processes and stores parsed items. Returns one outcome per item, in order. Drops control flow
 * such as redirects, in all formats, and reports above `context.maxReports`. A page token raises
 * the trust of public reports.
 */
export async function processItems(
  items: readonly ParsedItem[],
  context: IngestContext,
  pageToken?: string,
): Promise<Result<readonly Outcome[], RefusedBody | WriteFailure>> {
  const kept = boundReports(items.map(dropControlFlow), context.maxReports);
  const states = kept.map((parsed): ItemState => ({ parsed, isDuplicate: false }));
  // 1. Decide which reports are admitted, and charge them to the rate limits.
  const admitted = await admitReports(states, context, pageToken);
  if (!admitted.ok) return admitted;
  // 2. Turn parsed reports into reports: identify, scrub, group.
  const withReport = await processReports(admitted.value, context);
  // 3. Keep the first report of each id.
  const reports = dropDuplicates(withReport);
  // 4. Attachments share the report of their item.
  for (const state of states) joinOwner(state, states);
  // 5. Store the reports, and count everything else with them.
  const appended = await append(reports, toCounters(states, context), context.writer);
  if (!appended.ok) return appended;
  // 6. Return the outcome of each item.
  const results = new Map(appended.value.map((result) => [result.id, result]));
  return ok(states.map((state) => toOutcome(state, results)));
}

function dropControlFlow(parsed: ParsedItem): ParsedItem {
  return "report" in parsed && isControlFlowReport(parsed.report)
    ? toDroppedItem(parsed.item, "control-flow")
    : parsed;
}

/** Reports before processing, and the facts that a page token proves about them. */
interface AdmittedReports {
  readonly pending: readonly PendingReport[];
  readonly pageReports: PageReports;
}

async function admitReports(
  states: readonly ItemState[],
  context: IngestContext,
  pageToken: string | undefined,
): Promise<Result<AdmittedReports, RefusedBody>> {
  const pending: PendingReport[] = [];
  for (const state of states) {
    if (!("report" in state.parsed)) continue;
    pending.push({ state, parsed: addRequestContext(state.parsed.report, context) });
  }
  let pageReports = NO_PAGE_REPORTS;
  if (pageToken !== undefined && !isTrusted(context.trust)) {
    const reports = pending.map(({ parsed }) => parsed);
    pageReports = (await context.findPageReports?.(pageToken, reports)) ?? NO_PAGE_REPORTS;
  }
  const { raised } = pageReports;
  const { refusal } = context;
  if (refusal !== undefined && raised.size === 0) return fail({ reason: refusal });
  const admitted =
    refusal === undefined ? pending : pending.filter(({ parsed }) => raised.has(parsed));
  const counts = { reportCount: admitted.length, pageReportCount: raised.size };
  const charged = await context.charge?.(counts);
  return charged?.ok === false ? charged : ok({ pending: admitted, pageReports });
}

/** Creates the stored report of each parsed one. Returns these states in that order. */
async function processReports(
  { pending, pageReports }: AdmittedReports,
  context: IngestContext,
): Promise<readonly ItemState[]> {
  const processed: ItemState[] = [];
  const feedback: PendingReport[] = [];
  for (const one of pending) {
    const { state, parsed } = one;
    if (parsed.aboutEventId !== undefined) feedback.push(one);
    else {
      state.report = processReport(parsed, toProcessingOptions(parsed, context, pageReports));
      processed.push(state);
    }
  }
  if (feedback.length === 0) return processed;
  const findDigest = createDigestLookup(processed, context);
  await Promise.all(
    feedback.map(async ({ state, parsed }, index) => {
      const linkedDigest = await findDigest(parsed.aboutEventId ?? "", index);
      const linked = linkedDigest ? { ...parsed, linkedDigest } : parsed;
      state.report = processReport(linked, toProcessingOptions(parsed, context, pageReports));
    }),
  );
  return [...processed, ...feedback.map(({ state }) => state)];
}

function toProcessingOptions(
  parsed: ParsedReport,
  context: IngestContext,
  { raised, own }: PageReports,
): ProcessingOptions {
  const [isRaised, isOnOwnPage] = [raised.has(parsed), own.has(parsed)];
  // Avoids a copy, which would compute the sender.
  if (!isRaised && !isOnOwnPage) return context;
  return { ...context, isOnOwnPage, ...(isRaised && { trust: "page" }) };
}

/** A report that is not processed yet. */
interface PendingReport {
  readonly state: ItemState;
  readonly parsed: ParsedReport;
}

/** Finds the issue of an event in the same body, or, for a limited number, in the index. */
function createDigestLookup(
  processed: readonly ItemState[],
  { findDigest }: IngestContext,
): (eventId: ReportId, index: number) => Promise<Digest | null | undefined> {
  return async (eventId, index) => {
    for (const { report } of processed)
      if (report !== undefined && getSenderId(report) === eventId) return report.digest;
    if (index >= limits.maxAboutEventsPerBody) return null;
    return findDigest?.(eventId).catch(() => null);
  };
}

/** A browser sends its own report, so the request headers describe it. A server's do not. */
function addRequestContext(report: ParsedReport, context: IngestContext): ParsedReport {
  const { userAgent, referer, rayId, defaults } = context;
  if (report.side !== "browser") return report;
  const request = { ...omitUndefined({ userAgent, url: referer }), ...report.request };
  return {
    ...(rayId !== undefined && { rayId }),
    ...defaults,
    ...report,
    ...(Object.keys(request).length > 0 && { request }),
  };
}

/** Marks the states whose id came before. Returns the other reports. */
function dropDuplicates(states: readonly ItemState[]): readonly Report[] {
  const firstById = new Map<ReportId, Report>();
  for (const state of states) {
    const { report } = state;
    if (report === undefined) continue;
    if (firstById.has(report.id)) state.isDuplicate = true;
    else firstById.set(report.id, report);
  }
  return [...firstById.values()];
}

function joinOwner(state: ItemState, states: readonly ItemState[]): void {
  if (!("partOf" in state.parsed)) return;
  const owner = states[state.parsed.partOf];
  if (owner?.report === undefined) return;
  state.report = owner.report;
  state.isDuplicate = owner.isDuplicate;
}

/** Counts items that the log does not count: other outcomes, duplicates, and counters of items. */
function toCounters(states: readonly ItemState[], context: IngestContext): readonly CounterDelta[] {
  const maxNames =
    context.trust === "server"
      ? limits.maxCounterNamesPerBody
      : limits.maxBrowserCounterNamesPerBody;
  const batch = new CounterBatch(maxNames);
  const onceCounters: CounterDelta[] = [];
  for (const { parsed, report, isDuplicate } of states) {
    if (report === undefined) {
      const finished = toFinishedItem(parsed);
      const counters = toSenderCounters(toOutcomeCounter(finished), finished.counters, context);
      onceCounters.push(...counters.filter(([, , id]) => id !== undefined));
      batch.addAll(counters.filter(([, , id]) => id === undefined));
    } else if (isDuplicate) {
      batch.add(["duplicate", "partOf" in parsed ? parsed.item : report.kind]);
    }
  }
  batch.addAll(onceCounters.slice(maxNames));
  return [...batch.drain(), ...onceCounters.slice(0, maxNames)];
}

/** Resolves when all reports and counters are durable. */
async function append(
  reports: readonly Report[],
  counters: readonly CounterDelta[],
  writer: ReportWriter,
): Promise<Result<readonly AppendResult[], WriteFailure>> {
  if (reports.length === 0 && counters.length === 0) return ok([]);
  try {
    return ok(await writer.append(reports, counters));
  } catch (cause) {
    const expected = "the log to store the reports; you may send the same body again";
    return fail({ reason: "log-unavailable", expected, cause });
  }
}

function toOutcome(
  { parsed, report, isDuplicate: isRepeated }: ItemState,
  results: ReadonlyMap<ReportId, AppendResult>,
): Outcome {
  if (report === undefined) return withoutCounters(toFinishedItem(parsed));
  const { item } = parsed;
  const { digest } = report;
  const result = results.get(report.id);
  const isDuplicate = isRepeated || result?.isDuplicate === true;
  const id = (result?.isDuplicate && result.storedId) || getSenderId(report);
  if (result?.isRolledUp && !isDuplicate) return { outcome: "counted", item, id, digest };
  const accepted = { outcome: "accepted", item, id, digest, isDuplicate } as const;
  return result?.isSpooled ? { ...accepted, isSpooled: true } : accepted;
}

/** The outcome of an item without a report. An attachment whose owner has no report is lost too. */
function toFinishedItem(parsed: ParsedItem): FinishedItem {
  if ("outcome" in parsed) return parsed;
  return { outcome: "dropped", item: parsed.item, reason: "not-stored" };
}

function withoutCounters({ counters: _, ...outcome }: FinishedItem): Outcome {
  return outcome;
}
