/**
 * A batch that is not written yet: the reports and counters that arrived in one turn of the event
 * loop. `log-writer.ts` writes it as one row. Reports that the sampler does not keep are merged
 * into rollups.
 */

import { mergeUserSketches } from "../../core/hyperloglog.ts";
import { limits } from "../../core/limits.ts";
import type { LogPosition } from "../../core/report/report-summary.ts";
import { toSearchText } from "../../core/report/search-text.ts";
import type { ReportId } from "../../core/report.ts";
import {
  createRollupKey,
  type Rollup,
  toRollupSummary,
} from "../../core/sampling/report-sampler.ts";
import { CounterBatch, type CounterDelta, type DailyCounters } from "../../core/stats/counters.ts";
import { mergeNetworkSketches } from "../../core/stats/network-sketch.ts";
import { formatPosition, type ParsedPosition } from "../kv/keys.ts";
import type { IdAtLine } from "../kv/packed-ids.ts";
import { formatCounterLine, formatRollupLine, parseStoredReport } from "../kv/stored-json.ts";
import type { IndexItem, LogEntry } from "./log-entries.ts";

/** The size of a rollup's line besides its key: URLs, the message and numbers. */
const MAX_UNKEYED_CHARS = 1_500;

/** The size of a counter's line besides its name. */
const CHARS_PER_COUNTER = 30;
/** The share of an extra id in `chars`, because the size of the catalog's row is limited. */
const CHARS_PER_EXTRA_ID = 160;

/** A batch as lines of a chunk. */
interface SerializedBatch {
  readonly lines: readonly string[];
  /** The items for the index: one per line, in the same order. */
  readonly items: readonly IndexItem[];
  /** Ids that have no line: reports in rollups, and counters that count once. */
  readonly extraIds: readonly IdAtLine[];
  readonly positions: ReadonlyMap<ReportId, LogPosition>;
  /** The ids of `positions` that are not stored with the lines. */
  readonly unstoredIds: ReadonlySet<ReportId>;
}

interface PendingRollup {
  readonly rollup: Rollup;
  readonly ids: ReportId[];
  readonly users: Set<string>;
  readonly networkSketch: string | undefined;
}

/** One user as a plain key, several as a sketch; undefined if no user is known. */
function mergeUserKeys(users: ReadonlySet<string>): string | undefined {
  const [first, ...others] = users;
  if (first === undefined || others.length === 0) return first;
  return others.reduce(mergeUserSketches, mergeUserSketches(undefined, first));
}

export class PendingBatch {
  /** Resolves with the position of every id when the batch is durable; rejects if it is not. */
  readonly written: Promise<ReadonlyMap<ReportId, LogPosition>>;
  readonly resolve: (positions: ReadonlyMap<ReportId, LogPosition>) => void;
  readonly reject: (error: Error) => void;
  readonly counters = new CounterBatch();
  readonly #entries: (LogEntry & { readonly isNew: boolean })[] = [];
  readonly #dedupeIds: ReportId[] = [];
  readonly #unstoredIds = new Set<ReportId>();
  readonly #rollups = new Map<string, PendingRollup>();
  #chars = 0;
  #hasTrustedSessions = false;

  constructor() {
    const { promise, resolve, reject } =
      Promise.withResolvers<ReadonlyMap<ReportId, LogPosition>>();
    this.written = promise;
    this.resolve = resolve;
    this.reject = reject;
    // A batch may have no waiter. Its rejection must not count as unhandled.
    promise.catch(() => undefined);
  }

  /** UTF-16 units of the lines, approximately. */
  get chars(): number {
    return this.#chars;
  }

  /** True if all reports are public, and all counters of sessions. */
  get isPublic(): boolean {
    const summaries = [
      ...this.#entries.map(({ summary }) => summary),
      ...[...this.#rollups.values()].map(({ rollup }) => rollup.summary),
    ];
    return !this.#hasTrustedSessions && summaries.every(({ trust }) => trust === "public");
  }

  get ids(): readonly ReportId[] {
    const rolledUpIds = [...this.#rollups.values()].flatMap(({ ids }) => ids);
    return [...this.#entries.map(({ id }) => id), ...rolledUpIds, ...this.#dedupeIds];
  }

  /** Adds a report with its body. `isNew`: the first of its issue, whose text is indexed. */
  add(entry: LogEntry, isNew: boolean): void {
    if (entry.fileCount !== undefined)
      this.counters.add(["accepted", "attachment", ""], entry.fileCount);
    this.#entries.push({ ...entry, isNew });
    this.#chars += entry.line.length;
  }

  /** True if a report with this rollup key adds no line. */
  hasRollup(key: string): boolean {
    return this.#rollups.has(key);
  }

  /** Excludes the id of a rollup or counter of this batch from storage. */
  leaveOutId(id: ReportId): void {
    this.#unstoredIds.add(id);
  }

  /**
   * Adds a report without its body: it counts, and its id is stored. `key`: the summary's, if the
   * caller has it.
   */
  rollUp(id: ReportId, summary: LogEntry["summary"], key = createRollupKey(summary)): void {
    const known = this.#rollups.get(key);
    const { rollup, ids, users, networkSketch } = known ?? {
      rollup: { summary: toRollupSummary(summary), occurrences: 0, lastAtMs: summary.atMs },
      ids: [],
      users: new Set<string>(),
      networkSketch: undefined,
    };
    if (known === undefined) this.#chars += key.length + MAX_UNKEYED_CHARS;
    ids.push(id);
    if (summary.userSketch !== undefined) users.add(summary.userSketch);
    const atMs = Math.min(rollup.summary.atMs, summary.atMs);
    const merged: Rollup = {
      summary: { ...rollup.summary, atMs },
      occurrences: rollup.occurrences + 1,
      lastAtMs: Math.max(rollup.lastAtMs, summary.atMs),
    };
    this.#rollups.set(key, {
      rollup: merged,
      ids,
      users,
      networkSketch: mergeNetworkSketches(networkSketch, summary.networkSketch),
    });
    this.#chars += CHARS_PER_EXTRA_ID;
  }

  /** Adds a counter, with the id of one that counts once. */
  addCounter([name, count, dedupeId]: CounterDelta): void {
    this.counters.add(name, count);
    const [first, level] = name;
    if (first === "session" && level !== "public") this.#hasTrustedSessions = true;
    this.#chars += name.reduce((sum, part) => sum + part.length, CHARS_PER_COUNTER);
    if (dedupeId === undefined) return;
    this.#dedupeIds.push(dedupeId);
    this.#chars += CHARS_PER_EXTRA_ID;
  }

  /**
   * The batch as lines of a chunk, starting with line `first`: reports, then rollups, then
   * `dailyCounters`.
   */
  serialize(first: ParsedPosition, dailyCounters: DailyCounters): SerializedBatch {
    const lines: string[] = [];
    const items: IndexItem[] = [];
    const extraIds: IdAtLine[] = [];
    const positions = new Map<ReportId, LogPosition>();
    const nextLine = () => first.line + lines.length;
    const nextPosition = () => formatPosition({ ...first, line: nextLine() });
    const addIds = (ids: readonly ReportId[], position: LogPosition) => {
      for (const id of ids) {
        if (!this.#unstoredIds.has(id)) extraIds.push({ id, line: nextLine() });
        positions.set(id, position);
      }
    };
    for (const { id, line, summary, receivedAtMs, isNew } of this.#entries) {
      const position = nextPosition();
      const report = isNew ? parseStoredReport(line) : null;
      const searchText = report === null ? undefined : toSearchText(report);
      lines.push(line);
      items.push({ summary: { ...summary, position }, searchText, receivedAtMs });
      positions.set(id, position);
    }
    for (const { rollup, ids, users, networkSketch } of this.#rollups.values()) {
      const { occurrences, lastAtMs } = rollup;
      const { summary: first } = rollup;
      const summary = {
        ...first,
        userSketch: mergeUserKeys(users) ?? first.userSketch,
        networkSketch: networkSketch ?? first.networkSketch,
      };
      const position = nextPosition();
      addIds(ids, position);
      lines.push(formatRollupLine({ summary, occurrences, lastAtMs }));
      items.push({ summary: { ...summary, occurrences, lastAtMs, position } });
    }
    addIds(this.#dedupeIds, nextPosition());
    const { counters } = dailyCounters;
    for (let at = 0; at < counters.length; at += limits.maxCountersPerLine) {
      const page = {
        ...dailyCounters,
        counters: counters.slice(at, at + limits.maxCountersPerLine),
      };
      lines.push(formatCounterLine(page));
      items.push({ dailyCounters: page });
    }
    return { lines, items, extraIds, positions, unstoredIds: this.#unstoredIds };
  }
}
