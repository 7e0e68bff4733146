/**
 * Turns admitted items into reports and counters, and appends these to the log, in passes over one
 * list of item states. This is the hot path of ingest.
 */

import { limits } from "../core/limits.ts";
import type { AppendResult, ReportWriter } from "../core/ports/storage-ports.ts";
import { type ProcessingOptions, processReport } from "../core/processing/process-report.ts";
import { getSenderId, toOnceId } from "../core/report/report-id.ts";
import type { Digest, ParsedReport, Report, ReportId } from "../core/report.ts";
import { fail, ok, type Result } from "../core/result.ts";
import {
  CounterBatch,
  type CounterDelta,
  type CounterName,
  toOutcomeCounter,
} from "../core/stats/counters.ts";
import type { Outcome } from "../core/stats/outcome.ts";
import type { Trust } from "../core/trust/trust.ts";
import type { IngestResult, ParsedItem } from "./format/ingest-format.ts";
import { INGEST_FORMATS } from "./formats.ts";
import { DISCARD_CATEGORIES, DISCARD_REASONS } from "./sentry/client-report.ts";

/** Items that may be stored, and what a page token proves about their reports. */
export interface AdmittedItems {
  readonly items: readonly ParsedItem[];
  /** Have trust `page`. */
  readonly raised: ReadonlySet<ParsedReport>;
  /** Are about pages of Errata itself. */
  readonly own: ReadonlySet<ParsedReport>;
  /** Have another policy than their page was sent with. */
  readonly changed: ReadonlySet<ParsedReport>;
}

const NONE: ReadonlySet<ParsedReport> = new Set();

/** Admits items without a page token. */
export function admitAll(items: readonly ParsedItem[]): AdmittedItems {
  return { items, raised: NONE, own: NONE, changed: NONE };
}

/** Reports and counters for the log. */
export interface ProcessedItems {
  /** Each id once. */
  readonly reports: readonly Report[];
  readonly counters: readonly CounterDelta[];
  /** In the order of the items. */
  readonly states: readonly ItemState[];
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

/** A report that is not processed yet. */
interface PendingReport {
  readonly state: ItemState;
  readonly parsed: ParsedReport;
}

/**
 * The events that feedback is about and that are not among the items themselves: their issues must
 * be looked up. At most `limits.maxAboutEventsPerBody`.
 */
export function listAboutEvents(items: readonly ParsedItem[]): readonly ReportId[] {
  const ids = items.flatMap((item) => ("report" in item && item.report.aboutEventId) || []);
  return [...new Set(ids.slice(0, limits.maxAboutEventsPerBody))].filter(
    (eventId) => !items.some((item) => "report" in item && isEvent(item.report, eventId)),
  );
}

function isEvent({ id, aboutEventId }: ParsedReport, eventId: ReportId): boolean {
  return id === eventId && aboutEventId === undefined;
}

/**
 * Processes admitted items: identifies, scrubs and groups their reports. `digestsOfEvents` are the
 * issues of `listAboutEvents`. Pure; never throws.
 */
export function processItems(
  admitted: AdmittedItems,
  options: ProcessingOptions,
  digestsOfEvents?: ReadonlyMap<ReportId, Digest>,
): ProcessedItems {
  const states = admitted.items.map((parsed): ItemState => ({ parsed, isDuplicate: false }));
  // 1. Turn parsed reports into reports: identify, scrub, group.
  const withReport = processReports(states, admitted, options, digestsOfEvents);
  // 2. Keep the first report of each id.
  const reports = dropDuplicates(withReport);
  // 3. Attachments share the report of their item.
  for (const state of states) joinOwner(state, states);
  // 4. Count everything else.
  return { reports, counters: toCounters(states, options), states };
}

/** The log could not store the reports. `cause` is for Errata's own log, never for the sender. */
export interface WriteFailure {
  readonly reason: "log-unavailable";
  readonly cause: unknown;
}

/**
 * Appends reports and counters to the log, and resolves to the outcome of each item when everything
 * is durable. Never rejects.
 */
export async function storeItems(
  { reports, counters, states }: ProcessedItems,
  writer: ReportWriter,
): Promise<Result<IngestResult, WriteFailure>> {
  let results: readonly AppendResult[] = [];
  try {
    if (reports.length > 0 || counters.length > 0) results = await writer.append(reports, counters);
  } catch (cause) {
    return fail({ reason: "log-unavailable", cause });
  }
  const byId = new Map(results.map((result) => [result.id, result]));
  const outcomes = states.map((state) => toOutcome(state, byId));
  return ok({ outcomes, id: findFirstId(outcomes) });
}

function findFirstId(outcomes: readonly Outcome[]): ReportId | undefined {
  for (const outcome of outcomes)
    if ("id" in outcome && outcome.id !== undefined) return outcome.id;
  return undefined;
}

/** Creates the stored report of each parsed one. Returns the states in that order. */
function processReports(
  states: readonly ItemState[],
  admitted: AdmittedItems,
  options: ProcessingOptions,
  digestsOfEvents: ReadonlyMap<ReportId, Digest> | undefined,
): readonly ItemState[] {
  const processed: ItemState[] = [];
  const feedback: PendingReport[] = [];
  for (const state of states) {
    if (!("report" in state.parsed)) continue;
    const { report: parsed } = state.parsed;
    if (parsed.aboutEventId !== undefined) {
      feedback.push({ state, parsed });
      continue;
    }
    state.report = processReport(parsed, toProcessingOptions(parsed, admitted, options));
    processed.push(state);
  }
  if (feedback.length === 0) return processed;
  for (const [n, { state, parsed }] of feedback.entries()) {
    const isEventReport = ({ report }: ItemState) =>
      report !== undefined && getSenderId(report) === parsed.aboutEventId;
    const linkedDigest =
      processed.find(isEventReport)?.report?.digest ??
      (n < limits.maxAboutEventsPerBody && digestsOfEvents?.get(parsed.aboutEventId ?? ""));
    const linked = linkedDigest ? { ...parsed, linkedDigest } : parsed;
    state.report = processReport(linked, toProcessingOptions(parsed, admitted, options));
  }
  return [...processed, ...feedback.map(({ state }) => state)];
}

function toProcessingOptions(
  parsed: ParsedReport,
  { raised, own, changed }: AdmittedItems,
  options: ProcessingOptions,
): ProcessingOptions {
  const [isRaised, isOnOwnPage] = [raised.has(parsed), own.has(parsed)];
  const isPolicyChanged = changed.has(parsed);
  // Avoids a copy, which would compute the sender.
  if (!isRaised && !isOnOwnPage && !isPolicyChanged) return options;
  return { ...options, isOnOwnPage, isPolicyChanged, ...(isRaised && { trust: "page" }) };
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
function toCounters(
  states: readonly ItemState[],
  options: ProcessingOptions,
): readonly CounterDelta[] {
  const maxNames =
    options.trust === "server"
      ? limits.maxCounterNamesPerBody
      : limits.maxBrowserCounterNamesPerBody;
  const batch = new CounterBatch(maxNames);
  const onceCounters: CounterDelta[] = [];
  for (const { parsed, report, isDuplicate } of states) {
    if (report === undefined) {
      const finished = toFinishedItem(parsed);
      const counters = toSenderCounters(toOutcomeCounter(finished), finished.counters, options);
      onceCounters.push(...counters.filter(([, , id]) => id !== undefined));
      batch.addAll(counters.filter(([, , id]) => id === undefined));
    } else if (isDuplicate) {
      batch.add(["duplicate", "partOf" in parsed ? parsed.item : report.kind]);
    }
  }
  batch.addAll(onceCounters.slice(maxNames));
  return [...batch.drain(), ...onceCounters.slice(0, maxNames)];
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

/** Of all formats, and of a body that could not be parsed. */
const ITEM_NAMES: ReadonlySet<string> = new Set([
  "body",
  ...INGEST_FORMATS.flatMap(({ items }) => items),
]);

/**
 * The counters of an item: the counter of its outcome, then its own. The names of sessions and all
 * ids contain the sender's trust level. Limits the counts of senders without a server key.
 */
export function toSenderCounters(
  outcome: CounterDelta,
  own: readonly CounterDelta[] | undefined,
  { trust, sha256 }: Pick<ProcessingOptions, "trust" | "sha256">,
): readonly CounterDelta[] {
  const counted = trust === "server" ? (own ?? []) : limitCounts(own ?? []);
  return [outcome, ...counted].map(([name, count, once]): CounterDelta => {
    const stored = toSenderName(name, trust);
    return once === undefined ? [stored, count] : [stored, count, toOnceId(once, trust, sha256)];
  });
}

function toSenderName(name: CounterName, trust: Trust): CounterName {
  const [first = "", ...rest] = name;
  if (first === "session") return [first, trust, ...rest];
  if (trust === "server") return name;
  const [item = "", reason = ""] = rest;
  switch (first) {
    case "dropped":
    case "invalid":
      return [first, ITEM_NAMES.has(item) ? item : "other", reason];
    case "discarded":
      return [
        first,
        DISCARD_CATEGORIES.has(item) ? item : "other",
        DISCARD_REASONS.has(reason) ? reason : "other",
      ];
    default:
      return name;
  }
}

/** The counts of one item in proportion, none above `limits.maxBrowserCountPerItem`. */
function limitCounts(counters: readonly CounterDelta[]): readonly CounterDelta[] {
  const highest = counters.reduce((max, [, count]) => Math.max(max, count), 0);
  const share = limits.maxBrowserCountPerItem / highest;
  if (share >= 1) return counters;
  return counters
    .map(([name, count, once]): CounterDelta => {
      const limited = Math.round(count * share);
      return once === undefined ? [name, limited] : [name, limited, once];
    })
    .filter(([, count]) => count > 0);
}
