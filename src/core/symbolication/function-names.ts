/**
 * Names the functions of a minified script. The map leads from a function's word in the script to
 * its name in the source: the text at that place, or the segment's name. The name of a frame's own
 * token is not enough, because it names the token (a call), not the function around it.
 */
import { decodeText } from "../decode/parse-json.ts";
import { ANONYMOUS_NAME, MODULE_NAME } from "./format/compact-format.ts";
import type { Segment } from "./format/mapping-blocks.ts";
import { createLineStarts, type TextPosition } from "./format/source-texts.ts";
import { readNameAt, type WordRole } from "./format/source-words.ts";
import type { FunctionRange, ScriptFunctions } from "./function-ranges.ts";

/** A word of the script and its place in a source. */
interface Word {
  /** In the script. */
  readonly offset: number;
  /** -1 until a segment starts exactly at the word and maps it. */
  source: number;
  originalLine: number;
  originalColumn: number;
  name: number;
  /** True if a segment before it on the line maps to a source. */
  isCovered: boolean;
  /** True if the source has text at the place. */
  hasText: boolean;
  /** The kinds of place that the word may be: bits by the index in `ROLES`. */
  roles: number;
  /** The names in the text of the source. */
  names: Partial<Record<WordRole, string>> | null;
}

const ROLES: readonly WordRole[] = ["function", "parameter", "class", "word"];

/** A position from which a name applies; the name is null if it is unknown. */
export interface NamedBoundary {
  readonly line: number;
  readonly column: number;
  readonly name: string | null;
}

/**
 * Collects the places of words in the order of conversion: segments, then source texts. A script of
 * 8 MB has 40,000 functions with 130,000 words.
 */
export class FunctionNamer {
  readonly #functions: readonly FunctionRange[];
  readonly #lineStarts: readonly number[];
  /** The words and their offsets, in the order of the script. */
  readonly #words: readonly Word[];
  readonly #offsets: readonly number[];
  #next = 0;
  /** The end of the line of the last segment. */
  #lineEnd = -1;
  #isPreviousMapped = false;
  #bySource: Map<number, Word[]> | null = null;

  constructor({ functions, lineStarts }: ScriptFunctions) {
    const words = new Map<number, Word>();
    const add = (offset: number | undefined, role: WordRole) => {
      if (offset === undefined) return;
      const word = words.get(offset) ?? createWord(offset);
      words.set(offset, word);
      word.roles |= 1 << ROLES.indexOf(role);
    };
    for (const { start, open, parameter, word, classNode } of functions) {
      add(start, "function");
      add(open, "function");
      add(parameter, "parameter");
      add(word, "word");
      add(classNode?.start, "class");
      add(classNode?.word, "word");
    }
    this.#functions = functions;
    this.#lineStarts = lineStarts;
    this.#offsets = [...words.keys()].sort((a, b) => a - b);
    this.#words = this.#offsets.map((offset) => words.get(offset) as Word);
  }

  /** Segments in the order of the script. Of segments at one position the first counts. */
  visitSegment(segment: Segment): void {
    const lineEnd = this.#lineStarts[segment.line + 1] ?? Number.MAX_SAFE_INTEGER;
    const start = this.#lineStarts[segment.line] ?? lineEnd;
    const offset = Math.min(start + segment.column, lineEnd);
    for (let word = this.#words[this.#next]; word !== undefined; word = this.#words[++this.#next]) {
      if (word.offset > offset || word.offset === lineEnd) break;
      if (word.offset < offset) word.isCovered = this.#isCovered(word);
      else if (segment.source >= 0) {
        word.source = segment.source;
        word.originalLine = segment.originalLine;
        word.originalColumn = segment.originalColumn;
        word.name = segment.name;
        word.isCovered = true;
      }
    }
    this.#lineEnd = lineEnd;
    this.#isPreviousMapped = segment.source >= 0;
  }

  #isCovered({ offset }: Word): boolean {
    return this.#isPreviousMapped && offset < this.#lineEnd;
  }

  /** Indices of the names that `finish` may ask for. Ends the visit of segments. */
  finishSegments(): ReadonlySet<number> {
    for (const word of this.#words.slice(this.#next)) word.isCovered = this.#isCovered(word);
    this.#bySource = new Map();
    const names = new Set<number>();
    for (const word of this.#words) {
      if (word.source < 0) continue;
      if (word.name >= 0) names.add(word.name);
      const words = this.#bySource.get(word.source);
      if (words === undefined) this.#bySource.set(word.source, [word]);
      else words.push(word);
    }
    for (const words of this.#bySource.values()) words.sort(compareOriginals);
    return names;
  }

  /** Reads the words in a part of a source. Parts come in order. */
  visitPart(source: number, start: TextPosition, bytes: Uint8Array): void {
    const words = this.#bySource?.get(source);
    if (words === undefined) return;
    readWords(words, start, decodeText(bytes));
  }

  /** The boundaries of all functions in the order of the script. */
  finish(getName: (index: number) => string | null): readonly NamedBoundary[] {
    const boundaries: NamedBoundary[] = [];
    const open: { readonly end: number; readonly name: string | null }[] = [];
    let lastOffset = -1;
    const add = (offset: number, name: string | null) => {
      if (offset === lastOffset) boundaries.pop();
      lastOffset = -1;
      if ((boundaries.at(-1)?.name ?? "") === name) return;
      const line = findLast(this.#lineStarts, offset);
      boundaries.push({ line, column: offset - (this.#lineStarts[line] as number), name });
      lastOffset = offset;
    };
    const close = (until: number) => {
      for (let last = open.at(-1); last !== undefined && last.end <= until; last = open.at(-1)) {
        open.pop();
        add(last.end, open.length === 0 ? MODULE_NAME : (open.at(-1)?.name ?? null));
      }
    };
    for (const range of this.#functions) {
      close(range.start);
      const parent = open.length === 0 ? MODULE_NAME : (open.at(-1)?.name ?? null);
      const name = this.#nameFunction(range, parent, getName);
      add(range.start, name);
      open.push({ end: range.end, name });
    }
    close(Number.MAX_SAFE_INTEGER);
    return boundaries;
  }

  /** The name of a function; `parent` if only its parent is in the source; null if unknown. */
  #nameFunction(range: FunctionRange, parent: string | null, getName: GetName): string | null {
    const start = this.#getWord(range.start);
    const open = this.#getWord(range.open);
    const parameter = this.#getWord(range.parameter);
    const word = this.#getWord(range.word);
    const className =
      this.#getWord(range.classNode?.start)?.names?.class ??
      readName(this.#getWord(range.classNode?.word), getName);
    if (range.isConstructor && className) return `new ${className}`;
    const own =
      start?.names?.function ??
      parameter?.names?.parameter ??
      readName(word, getName) ??
      readToken(open, getName) ??
      range.setName ??
      null;
    if (own !== null && !range.isConstructor)
      return own === "" ? ANONYMOUS_NAME : className ? `${className}.${own}` : own;
    const isInSource = [start, open, parameter, word].some((place) => (place?.source ?? -1) >= 0);
    return isInSource || start?.isCovered ? null : parent;
  }

  #getWord(offset: number | undefined): Word | undefined {
    if (offset === undefined) return undefined;
    return this.#words[findLast(this.#offsets, offset)];
  }
}

/** The index of the last start that is not after `offset`, by binary search; 0 without any. */
function findLast(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function createWord(offset: number): Word {
  return {
    offset,
    source: -1,
    originalLine: 0,
    originalColumn: 0,
    name: -1,
    isCovered: false,
    hasText: false,
    roles: 0,
    names: null,
  };
}

type GetName = (index: number) => string | null;

/** The name that a word has in the source: by its text, or by its segment if there is no text. */
function readName(word: Word | undefined, getName: GetName): string | null {
  return word === undefined ? null : (word.names?.word ?? readToken(word, getName));
}

/** A tool may have chosen a token's name, so the text of the source takes precedence. */
function readToken(word: Word | undefined, getName: GetName): string | null {
  return word && word.name >= 0 && !word.hasText ? getName(word.name) || null : null;
}

/** Reads the names at the words that are in a part of their source. */
function readWords(words: readonly Word[], start: TextPosition, text: string): void {
  const lines = createLineStarts(text);
  const lastLine = start.line + lines.length - 1;
  for (let at = findFirst(words, start); at < words.length; at++) {
    const word = words[at] as Word;
    if (word.originalLine > lastLine) return;
    const index = word.originalLine - start.line;
    const shift = index === 0 ? start.column : 0;
    const offset = (lines[index] as number) + word.originalColumn - shift;
    if (offset >= (lines[index + 1] ?? text.length)) continue;
    word.hasText = true;
    for (const [bit, role] of ROLES.entries()) {
      const name = (word.roles >> bit) & 1 ? readNameAt[role](text, offset) : null;
      if (name !== null) word.names = { ...word.names, [role]: name };
    }
  }
}

/** The first word at or after a position of the source, by binary search. */
function findFirst(words: readonly Word[], { line, column }: TextPosition): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const { originalLine, originalColumn } = words[middle] as Word;
    if (originalLine < line || (originalLine === line && originalColumn < column)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareOriginals(a: Word, b: Word): number {
  return a.originalLine - b.originalLine || a.originalColumn - b.originalColumn;
}
