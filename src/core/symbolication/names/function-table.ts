/**
 * The functions of a source as a compact table: from which position which name applies. A frame
 * takes the name at its original position.
 */
import { asArray, asRecord } from "../../decode/as-type.ts";
import { MODULE_NAME } from "../format/compact-format.ts";
import { createLineStarts } from "../format/line-starts.ts";

/** A part of a source with one name. Offsets in UTF-16 units; ranges nest or are disjoint. */
export interface NamedRange {
  readonly start: number;
  /** The first offset after the range. */
  readonly end: number;
  /** Null if there is a name that only a run could tell; `OUTER` for that of the next range. */
  readonly name: string | null | typeof OUTER;
  /** True for the head of a class. Engines use its place for a constructor that it inherits. */
  readonly isClassHead?: true;
  /** True for `function f` of a declaration, which the code around it runs. */
  readonly isFunctionHead?: true;
}

/**
 * Marks code that is inside of a range and runs outside of it, such as a decorator of a parameter.
 */
export const OUTER = Symbol("the name of the range around the next one");

/** V8's name of the function that runs the static blocks and static fields of a class. */
export const STATIC_INITIALIZER = "<static_initializer>";

/** The name of the constructor, and of the code that creates the class. */
type ClassHead = readonly [constructor: string, outer: string | null];

/** The table. Positions ascend; each holds up to the next one. Its JSON is stored. */
export interface FunctionTable {
  readonly names: readonly TableName[];
  /**
   * Three numbers for each range, in the order of their starts, after the code outside of all: the
   * index of its name, the range around it, and the number of ranges between a head and the code
   * that runs it; 0 for all else.
   */
  readonly ranges: readonly number[];
  /**
   * Three numbers for each boundary: the lines since the one before, the column (on the same line,
   * the distance), and the range.
   */
  readonly boundaries: readonly number[];
}

type TableName = string | null | ClassHead;

/** A table of more boundaries is not kept: a row of the database has at most 2 MB. */
const MAX_BOUNDARIES = 50_000;

/**
 * The table of a text with these ranges, in any order. `outside` is the name of all other code.
 * Null if there are too many ranges.
 */
export function createFunctionTable(
  text: string,
  ranges: readonly NamedRange[],
  outside: string | null = MODULE_NAME,
): FunctionTable | null {
  if (ranges.length * 2 > MAX_BOUNDARIES) return null;
  const writer = new TableWriter(createLineStarts(text));
  writer.add(0, writer.addRange(outside, 0, 0));
  const open: { readonly end: number; readonly name: TableName; readonly range: number }[] = [];
  const nameAt = (depth: number): TableName => {
    const range = open.at(-1 - depth);
    return range === undefined ? outside : range.name;
  };
  const close = (until: number) => {
    for (let last = open.at(-1); last !== undefined && last.end <= until; last = open.at(-1)) {
      open.pop();
      writer.add(last.end, open.at(-1)?.range ?? 0);
    }
  };
  for (const range of [...ranges].sort(compareRanges)) {
    const { start, end, isClassHead, isFunctionHead } = range;
    close(start);
    const own = range.name === OUTER ? nameAt(1) : range.name;
    const name = isClassHead ? toClassHead(own, nameAt(0)) : own;
    const climb = isFunctionHead ? 2 : isClassHead ? 1 : 0;
    const index = writer.addRange(name, open.at(-1)?.range ?? 0, climb);
    writer.add(start, index);
    open.push({ end, name, range: index });
  }
  close(Number.MAX_SAFE_INTEGER);
  return writer.finish();
}

function toClassHead(name: TableName, outer: TableName): TableName {
  return typeof name === "string" ? [name, toPlainName(outer, true)] : name;
}

function toPlainName(name: TableName, isClassCreation: boolean): string | null {
  return typeof name === "object" && name !== null ? name[isClassCreation ? 1 : 0] : name;
}

function compareRanges(a: NamedRange, b: NamedRange): number {
  return a.start - b.start || b.end - a.end;
}

class TableWriter {
  readonly #lineStarts: readonly number[];
  readonly #names: TableName[] = [];
  readonly #indices = new Map<string, number>();
  readonly #ranges: number[] = [];
  /** Offset and range of each boundary. */
  readonly #boundaries: { offset: number; range: number }[] = [];

  constructor(lineStarts: readonly number[]) {
    this.#lineStarts = lineStarts;
  }

  /** The index of a new range. */
  addRange(name: TableName, parent: number, climb: number): number {
    return this.#ranges.push(this.#getIndex(name), parent, climb) / 3 - 1;
  }

  /** Offsets ascend. Of ranges at one offset the last counts. */
  add(offset: number, range: number): void {
    if (this.#boundaries.at(-1)?.offset === offset) this.#boundaries.pop();
    if (this.#boundaries.at(-1)?.range !== range) this.#boundaries.push({ offset, range });
  }

  finish(): FunctionTable {
    const boundaries: number[] = [];
    let [line, column] = [0, 0];
    for (const { offset, range } of this.#boundaries) {
      let next = line;
      while ((this.#lineStarts[next + 1] ?? Number.POSITIVE_INFINITY) <= offset) next++;
      const nextColumn = offset - (this.#lineStarts[next] as number);
      const columns = next === line ? nextColumn - column : nextColumn;
      boundaries.push(next - line, columns, range);
      [line, column] = [next, nextColumn];
    }
    return { names: this.#names, ranges: this.#ranges, boundaries };
  }

  #getIndex(name: TableName): number {
    const key = JSON.stringify(name);
    const known = this.#indices.get(key);
    if (known !== undefined) return known;
    this.#indices.set(key, this.#names.length);
    return this.#names.push(name) - 1;
  }
}

/** A position in a source, 1-based. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * The name of the innermost function at a position, 1-based: `<module>` outside of all functions,
 * `<anonymous>` for a function without a name. Null if it is unknown. `isClassCreation` is true if
 * the frame creates a class, whose head is otherwise the place of its constructor.
 */
export function findFunctionName(
  table: FunctionTable,
  line: number,
  column: number,
  isClassCreation = false,
): string | null {
  const { range } = findRange(table, { line, column });
  return toPlainName(getName(table, range), isClassCreation);
}

/**
 * The name of the function that runs the code at a position: of a head, and where a function
 * starts, that of the function around it. Null if it is unknown, or if the function does not
 * contain `inner`.
 */
export function findRunningName(
  table: FunctionTable,
  at: Position,
  inner: Position | null,
): string | null {
  const { range: found, isStart } = findRange(table, at);
  let range = found;
  const climb = table.ranges[range * 3 + 2] || Number(isStart);
  for (let count = 0; count < climb; count++) range = getParent(table, range);
  if (inner !== null) {
    let around = findRange(table, inner).range;
    while (around > range) around = getParent(table, around);
    if (around !== range) return null;
  }
  return toPlainName(getName(table, range), true);
}

/** The innermost range at a position; `isStart` is true if it starts there. */
function findRange({ boundaries }: FunctionTable, { line, column }: Position) {
  let [atLine, atColumn] = [1, 1];
  let [range, last] = [0, 0];
  let isStart = false;
  for (let at = 0; at < boundaries.length; at += 3) {
    const lines = boundaries[at] as number;
    atLine += lines;
    atColumn = (lines === 0 ? atColumn : 1) + (boundaries[at + 1] as number);
    if (atLine > line || (atLine === line && atColumn > column)) break;
    range = boundaries[at + 2] as number;
    isStart = range > last && atLine === line && atColumn === column;
    last = Math.max(last, range);
  }
  return { range, isStart };
}

function getName({ names, ranges }: FunctionTable, range: number): TableName {
  return names[ranges[range * 3] as number] ?? null;
}

/** The range around another one. Ranges come after those around them. */
function getParent({ ranges }: FunctionTable, range: number): number {
  return Math.max(0, Math.min(range - 1, ranges[range * 3 + 1] ?? 0));
}

/** A table from its JSON; null for anything else. */
export function decodeFunctionTable(value: unknown): FunctionTable | null {
  const fields = asRecord(value);
  const names = asArray(fields?.names);
  const ranges = asIntegers(fields?.ranges);
  const boundaries = asIntegers(fields?.boundaries);
  const isTable = names?.every(isTableName) && ranges && boundaries;
  return isTable ? ({ names, ranges, boundaries } as FunctionTable) : null;
}

function asIntegers(value: unknown): readonly unknown[] | null {
  const list = asArray(value);
  return list?.every((number) => Number.isInteger(number)) ? list : null;
}

function isTableName(value: unknown): value is TableName {
  if (value === null || typeof value === "string") return true;
  const [own, outer, ...more] = asArray(value) ?? [];
  const isName = outer === null || typeof outer === "string";
  return typeof own === "string" && isName && more.length === 0;
}
