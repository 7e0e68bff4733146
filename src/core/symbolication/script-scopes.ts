/** The functions of a script in a map of compact form. Lines and columns are 0-based. */
import { asArray, asRecord } from "../decode/as-type.ts";
import type { BlockReader } from "./block-reader.ts";
import { BOUNDARY_NUMBERS, POSITIONED_NUMBERS } from "./format/compact-format.ts";
import { findBlock } from "./format/find-block.ts";

/** A function from a position of the script, up to the next boundary. */
interface Scope {
  readonly line: number;
  readonly column: number;
  readonly name: string | null;
  /** Its number in the order of the starts; 0 outside of all functions. */
  readonly owner: number;
}

/** Columns of a line that are in a function and in no function within it. */
interface OwnPart {
  readonly start: number;
  /** The first column after the part. */
  readonly end: number;
}

export class ScriptScopes {
  readonly #blocks: BlockReader;
  readonly #directory: readonly number[];

  constructor(blocks: BlockReader, directory: readonly number[]) {
    this.#blocks = blocks;
    this.#directory = directory;
  }

  /** The innermost function around a position; undefined before the first one. */
  find(line: number, column: number): Scope | undefined {
    const { value } = this.#listBackward(line, column).next();
    return value ?? undefined;
  }

  /**
   * The parts of the line, last first, that are in the innermost function around a position and
   * before it. The first part ends at the position. At most `max` functions are passed.
   */
  *listOwnParts(line: number, column: number, max: number): Generator<OwnPart> {
    let end = column + 1;
    let owner: number | undefined;
    let passed = 0;
    for (const scope of this.#listBackward(line, column)) {
      owner ??= scope.owner;
      if (scope.owner < owner || ++passed > max) return;
      const start = scope.line === line ? scope.column : 0;
      if (scope.owner === owner) yield { start, end };
      if (scope.line < line) return;
      end = start;
    }
    // Outside of all functions, before the first one.
    if ((owner ?? 0) === 0) yield { start: 0, end };
  }

  /** The column of the next boundary on the line of a position; infinite without any. */
  findEnd(line: number, column: number): number {
    const block = Math.max(0, findBlock(this.#directory, line, column));
    for (const at of [block, block + POSITIONED_NUMBERS]) {
      if (at >= this.#directory.length) break;
      const scopes = this.#readBlock(at);
      const next = scopes[findLast(scopes, line, column) + 1];
      if (next !== undefined) return next.line === line ? next.column : Number.POSITIVE_INFINITY;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** The boundaries at and before a position, last first. */
  *#listBackward(line: number, column: number): Generator<Scope> {
    let block = findBlock(this.#directory, line, column);
    for (; block >= 0; block -= POSITIONED_NUMBERS) {
      const scopes = this.#readBlock(block);
      for (let at = findLast(scopes, line, column); at >= 0; at--) yield scopes[at] as Scope;
    }
  }

  /** The boundaries of a block; none if it is damaged. */
  #readBlock(at: number): readonly Scope[] {
    const bytes = this.#directory[at + 4] ?? 0;
    return this.#blocks.cache(`scopes ${at}`, bytes * 4, () => {
      const block = asRecord(this.#blocks.readJson(this.#directory, at + 2));
      const [names = [], boundaries = []] = [asArray(block?.names), asArray(block?.boundaries)];
      let line = this.#directory[at] as number;
      let column = this.#directory[at + 1] as number;
      const scopes: Scope[] = [];
      for (let index = 0; index < boundaries.length; index += BOUNDARY_NUMBERS) {
        const [lines, columns, name, owner] = boundaries.slice(index, index + BOUNDARY_NUMBERS);
        line += Number(lines);
        column = lines === 0 ? column + Number(columns) : Number(columns);
        const named = names[Number(name)];
        scopes.push({
          line,
          column,
          name: typeof named === "string" ? named : null,
          owner: Number(owner),
        });
      }
      return scopes;
    });
  }
}

/** The index of the last boundary that is not after a position; -1 without any. */
function findLast(scopes: readonly Scope[], line: number, column: number): number {
  let low = 0;
  let high = scopes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const scope = scopes[middle] as Scope;
    const isAfter = scope.line > line || (scope.line === line && scope.column > column);
    if (isAfter) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}
