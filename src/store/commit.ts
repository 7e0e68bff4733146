/**
 * A commit: everything that arrived within one turn, on its way to become one row of the log, and those who wait for it. Of a
 * storm it holds sums instead of bodies.
 */
import type { Mark, Position } from "../core/issue.ts";
import { limits } from "../core/limits.ts";
import { present } from "../core/present.ts";
import type { ReportId } from "../core/report.ts";
import { type Sum, sumKey } from "../core/sum.ts";
import { type DayTallies, type Tally, TallySheet } from "../core/tally.ts";
import { addVisitors } from "../core/visitors.ts";
import { wordsOf } from "../core/words.ts";
import { type Place, positionOf } from "./keys.ts";
import type { PlacedId } from "./packed-ids.ts";
import type { Entry } from "./rpc.ts";
import { parseStoredReport, sumLine, tallyLine } from "./stored.ts";

/** What an id without a line weighs beside the characters of lines: so many of them fit into the catalogue's row. */
const CHARS_PER_SUMMED_ID = 160;

/** A commit as lines of a chunk, and what the index is told of them. */
export interface LaidOut {
  readonly lines: readonly string[];
  /** For the lines of reports and sums, in their order. */
  readonly marks: readonly { readonly mark: Mark; readonly words?: string }[];
  /** For the lines behind them. */
  readonly tallies: readonly DayTallies[];
  /** Ids that sums stand for, and of what is counted once. */
  readonly placed: readonly PlacedId[];
  readonly positions: ReadonlyMap<ReportId, Position>;
}

/** One visitor as it is, several as a sketch; undefined where none is known. */
function allOf(visitors: ReadonlySet<string>): string | undefined {
  const [first, ...others] = visitors;
  if (first === undefined || others.length === 0) return first;
  return others.reduce(addVisitors, addVisitors(undefined, first));
}

/** One commit while it gathers. */
export class Commit {
  /** Resolves when it is durable, with the place of every id in it; rejects when it could not be written. */
  readonly done: Promise<ReadonlyMap<ReportId, Position>>;
  readonly sheet = new TallySheet();
  readonly #entries: (Entry & { readonly isNew: boolean })[] = [];
  readonly #once: ReportId[] = [];
  readonly #sums = new Map<string, { sum: Sum; ids: ReportId[]; visitors: Set<string> }>();
  readonly #resolve: (positions: ReadonlyMap<ReportId, Position>) => void;
  readonly #reject: (error: Error) => void;
  #chars = 0;

  constructor() {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<ReportId, Position>>();
    this.done = promise;
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
    const summed = [...this.#sums.values()].flatMap(({ ids }) => ids);
    return [...this.#entries.map(({ id }) => id), ...summed, ...this.#once];
  }

  /** Takes a report with its body; `isNew` for the first of its issue, whose words are told to the index. */
  keep(entry: Entry, isNew: boolean): void {
    if (entry.files !== undefined) this.sheet.add(["accepted", "attachment", ""], entry.files);
    this.#entries.push({ ...entry, isNew });
    this.#chars += entry.line.length;
  }

  /** Takes one of a storm: it counts, its id is remembered, and its body is not kept. */
  sumUp({ id, mark: { tags: _tags, ...mark } }: Entry): void {
    const key = sumKey(mark);
    const known = this.#sums.get(key);
    const { sum, ids, visitors } = known ?? {
      sum: { mark, times: 0, untilMs: mark.atMs },
      ids: [],
      visitors: new Set<string>(),
    };
    ids.push(id);
    const atMs = Math.min(sum.mark.atMs, mark.atMs);
    const untilMs = Math.max(sum.untilMs, mark.atMs);
    if (mark.visitors !== undefined) visitors.add(mark.visitors);
    const both = { ...sum.mark, atMs };
    this.#sums.set(key, { ids, visitors, sum: { mark: both, times: sum.times + 1, untilMs } });
    this.#chars += CHARS_PER_SUMMED_ID;
  }

  /** Takes what is counted beside reports, and remembers the id of what counts once. */
  count([name, times, once]: Tally): void {
    this.sheet.add(name, times);
    if (once === undefined) return;
    this.#once.push(once);
    this.#chars += CHARS_PER_SUMMED_ID;
  }

  /** The commit as lines of a chunk, the first of them at `first`; what is `tallied` stands behind the reports. */
  layOut(first: Place, tallied: DayTallies): LaidOut {
    const lines: string[] = [];
    const marks: { mark: Mark; words?: string }[] = [];
    const placed: PlacedId[] = [];
    const positions = new Map<ReportId, Position>();
    const nextLine = () => first.line + lines.length;
    const nextPosition = () => positionOf({ ...first, line: nextLine() });
    for (const { id, line, mark, isNew } of this.#entries) {
      const position = nextPosition();
      lines.push(line);
      const report = isNew ? parseStoredReport(line) : null;
      const words = report === null ? undefined : wordsOf(report);
      marks.push({ mark: { ...mark, position }, ...present({ words }) });
      positions.set(id, position);
    }
    for (const { sum: counted, ids, visitors: met } of this.#sums.values()) {
      const visitors = allOf(met);
      const sum = { ...counted, mark: { ...counted.mark, ...present({ visitors }) } };
      const position = nextPosition();
      for (const id of ids) {
        placed.push({ id, line: nextLine() });
        positions.set(id, position);
      }
      lines.push(sumLine(sum));
      const { times, untilMs } = sum;
      marks.push({ mark: { ...sum.mark, times, untilMs, position } });
    }
    for (const id of this.#once) {
      placed.push({ id, line: nextLine() });
      positions.set(id, nextPosition());
    }
    const tallies: DayTallies[] = [];
    for (let at = 0; at < tallied.tallies.length; at += limits.maxTalliesPerLine) {
      const some = tallied.tallies.slice(at, at + limits.maxTalliesPerLine);
      tallies.push({ day: tallied.day, tallies: some });
    }
    lines.push(...tallies.map(tallyLine));
    return { lines, marks, tallies, placed, positions };
  }

  /** Tells everyone who waits. */
  settle(result: ReadonlyMap<ReportId, Position> | Error): void {
    if (result instanceof Error) this.#reject(result);
    else this.#resolve(result);
  }
}
