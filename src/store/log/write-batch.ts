/**
 * A commit: everything that arrived within one turn, on its way to become one row of the log, and those who wait for it. Of a
 * storm it holds sums instead of bodies.
 */

import { mergeUserSketches } from "../../core/hyperloglog.ts";
import { createRollupKey, type Rollup } from "../../core/issue/sampling.ts";
import { limits } from "../../core/limits.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { LogPosition, ReportSummary } from "../../core/report/report-summary.ts";
import { toSearchText } from "../../core/report/search-text.ts";
import type { ReportId } from "../../core/report.ts";
import { CounterBatch, type CounterDelta, type DailyCounters } from "../../core/stats/counters.ts";
import { formatPosition, type ParsedPosition } from "../kv/keys.ts";
import type { IdAtLine } from "../kv/packed-ids.ts";
import { formatCounterLine, formatRollupLine, parseStoredReport } from "../kv/stored-json.ts";
import type { LogEntry } from "../rpc/rpc.ts";

/** What an id without a line weighs beside the characters of lines: so many of them fit into the catalogue's row. */
const CHARS_PER_EXTRA_ID = 160;

/** A commit as lines of a chunk, and what the index is told of them. */
export interface SerializedBatch {
  readonly lines: readonly string[];
  /** For the lines of reports and sums, in their order. */
  readonly summaries: readonly { readonly summary: ReportSummary; readonly searchText?: string }[];
  /** For the lines behind them. */
  readonly counters: readonly DailyCounters[];
  /** Ids that sums stand for, and of what is counted once. */
  readonly extraIds: readonly IdAtLine[];
  readonly positions: ReadonlyMap<ReportId, LogPosition>;
}

/** One visitor as it is, several as a sketch; undefined where none is known. */
function mergeUserKeys(users: ReadonlySet<string>): string | undefined {
  const [first, ...others] = users;
  if (first === undefined || others.length === 0) return first;
  return others.reduce(mergeUserSketches, mergeUserSketches(undefined, first));
}

/** One commit while it gathers. */
export class WriteBatch {
  /** Resolves when it is durable, with the place of every id in it; rejects when it could not be written. */
  readonly written: Promise<ReadonlyMap<ReportId, LogPosition>>;
  readonly counters = new CounterBatch();
  readonly #entries: (LogEntry & { readonly isNew: boolean })[] = [];
  readonly #dedupeIds: ReportId[] = [];
  readonly #rollups = new Map<string, { sum: Rollup; ids: ReportId[]; visitors: Set<string> }>();
  readonly #resolve: (positions: ReadonlyMap<ReportId, LogPosition>) => void;
  readonly #reject: (error: Error) => void;
  #chars = 0;

  constructor() {
    const { promise, resolve, reject } =
      Promise.withResolvers<ReadonlyMap<ReportId, LogPosition>>();
    this.written = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    // Whoever waits for it hears of a failure; nobody need wait for tallies alone.
    promise.catch(() => undefined);
  }

  /** How large it is, in UTF-16 units of its lines. */
  get chars(): number {
    return this.#chars;
  }

  get ids(): readonly ReportId[] {
    const rolledUpIds = [...this.#rollups.values()].flatMap(({ ids }) => ids);
    return [...this.#entries.map(({ id }) => id), ...rolledUpIds, ...this.#dedupeIds];
  }

  /** Takes a report with its body; `isNew` for the first of its issue, whose words are told to the index. */
  add(entry: LogEntry, isNew: boolean): void {
    if (entry.fileCount !== undefined)
      this.counters.add(["accepted", "attachment", ""], entry.fileCount);
    this.#entries.push({ ...entry, isNew });
    this.#chars += entry.line.length;
  }

  /** Takes one of a storm: it counts, its id is remembered, and its body is not kept. */
  rollUp({ id, summary: { tags: _tags, ...summary } }: LogEntry): void {
    const key = createRollupKey(summary);
    const known = this.#rollups.get(key);
    const {
      sum: rollup,
      ids,
      visitors: users,
    } = known ?? {
      sum: { summary, occurrences: 0, lastAtMs: summary.atMs },
      ids: [],
      visitors: new Set<string>(),
    };
    ids.push(id);
    const atMs = Math.min(rollup.summary.atMs, summary.atMs);
    const untilMs = Math.max(rollup.lastAtMs, summary.atMs);
    if (summary.userSketch !== undefined) users.add(summary.userSketch);
    const merged = { ...rollup.summary, atMs };
    this.#rollups.set(key, {
      ids,
      visitors: users,
      sum: { summary: merged, occurrences: rollup.occurrences + 1, lastAtMs: untilMs },
    });
    this.#chars += CHARS_PER_EXTRA_ID;
  }

  /** Takes what is counted beside reports, and remembers the id of what counts once. */
  addCounter([name, times, dedupeId]: CounterDelta): void {
    this.counters.add(name, times);
    if (dedupeId === undefined) return;
    this.#dedupeIds.push(dedupeId);
    this.#chars += CHARS_PER_EXTRA_ID;
  }

  /** The commit as lines of a chunk, the first of them at `first`; what is `tallied` stands behind the reports. */
  serialize(first: ParsedPosition, dailyCounters: DailyCounters): SerializedBatch {
    const lines: string[] = [];
    const summaries: { summary: ReportSummary; searchText?: string }[] = [];
    const extraIds: IdAtLine[] = [];
    const positions = new Map<ReportId, LogPosition>();
    const nextLine = () => first.line + lines.length;
    const nextPosition = () => formatPosition({ ...first, line: nextLine() });
    for (const { id, line, summary, isNew } of this.#entries) {
      const position = nextPosition();
      lines.push(line);
      const report = isNew ? parseStoredReport(line) : null;
      const searchText = report === null ? undefined : toSearchText(report);
      summaries.push({ summary: { ...summary, position }, ...omitUndefined({ searchText }) });
      positions.set(id, position);
    }
    for (const { sum: pending, ids, visitors: userKeys } of this.#rollups.values()) {
      const users = mergeUserKeys(userKeys);
      const rollup = {
        ...pending,
        summary: { ...pending.summary, ...omitUndefined({ userSketch: users }) },
      };
      const position = nextPosition();
      for (const id of ids) {
        extraIds.push({ id, line: nextLine() });
        positions.set(id, position);
      }
      lines.push(formatRollupLine(rollup));
      const { occurrences, lastAtMs } = rollup;
      summaries.push({ summary: { ...rollup.summary, occurrences, lastAtMs, position } });
    }
    for (const id of this.#dedupeIds) {
      extraIds.push({ id, line: nextLine() });
      positions.set(id, nextPosition());
    }
    const counters: DailyCounters[] = [];
    for (let at = 0; at < dailyCounters.counters.length; at += limits.maxCountersPerLine) {
      const page = dailyCounters.counters.slice(at, at + limits.maxCountersPerLine);
      counters.push({ day: dailyCounters.day, counters: page });
    }
    lines.push(...counters.map(formatCounterLine));
    return { lines, summaries, counters, extraIds, positions };
  }

  /** Tells everyone who waits. */
  settle(result: ReadonlyMap<ReportId, LogPosition> | Error): void {
    if (result instanceof Error) this.#reject(result);
    else this.#resolve(result);
  }
}
