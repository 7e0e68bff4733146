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
import type { FunctionRange, ScriptPosition } from "./function-ranges.ts";

/** A word of the script and its place in a source. */
interface Word {
  readonly line: number;
  readonly column: number;
  /** -1 until a segment starts exactly at the word and maps it. */
  source: number;
  originalLine: number;
  originalColumn: number;
  name: number;
  /** True if a segment before it on the line maps to a source. */
  isCovered: boolean;
  /** True if the source has text at the place. */
  hasText: boolean;
  /** The names in the text of the source, by the kinds of place that the word may be. */
  readonly names: Partial<Record<WordRole, string | null>>;
}

interface Words {
  readonly range: FunctionRange;
  readonly start: Word;
  readonly open: Word;
  readonly parameter: Word | undefined;
  readonly word: Word | undefined;
  readonly classStart: Word | undefined;
  readonly classWord: Word | undefined;
}

/** A position from which on a name holds; null if it is unknown. */
export interface NamedBoundary {
  readonly line: number;
  readonly column: number;
  readonly name: string | null;
}

/** Collects the places of words in the order of conversion: segments, then source texts. */
export class FunctionNamer {
  readonly #functions: readonly Words[];
  readonly #words: readonly Word[];
  #next = 0;
  #previousLine = -1;
  #isPreviousMapped = false;
  #bySource: Map<number, Word[]> | null = null;

  constructor(functions: readonly FunctionRange[]) {
    const words = new Map<number, Word>();
    const toWord = (position: ScriptPosition, role: WordRole): Word => {
      const key = position.line * 2 ** 32 + position.column;
      const word = words.get(key) ?? createWord(position);
      words.set(key, word);
      word.names[role] = null;
      return word;
    };
    const toOptionalWord = (position: ScriptPosition | undefined, role: WordRole) =>
      position === undefined ? undefined : toWord(position, role);
    this.#functions = functions.map((range) => ({
      range,
      start: toWord(range.start, "function"),
      open: toWord(range.open, "function"),
      parameter: toOptionalWord(range.parameter, "parameter"),
      word: toOptionalWord(range.word, "word"),
      classStart: toOptionalWord(range.classStart, "class"),
      classWord: toOptionalWord(range.classWord, "word"),
    }));
    this.#words = [...words.values()].sort(comparePositions);
  }

  /** Segments in the order of the script. Of segments at one position the first counts. */
  visitSegment(segment: Segment): void {
    for (let word = this.#words[this.#next]; word !== undefined; word = this.#words[++this.#next]) {
      const order = comparePositions(word, segment);
      if (order > 0) break;
      if (order < 0) word.isCovered = this.#isPreviousMapped && this.#previousLine === word.line;
      else if (segment.source >= 0) {
        word.source = segment.source;
        word.originalLine = segment.originalLine;
        word.originalColumn = segment.originalColumn;
        word.name = segment.name;
        word.isCovered = true;
      }
    }
    this.#previousLine = segment.line;
    this.#isPreviousMapped = segment.source >= 0;
  }

  /** Indices of the names that `finish` may ask for. Ends the visit of segments. */
  finishSegments(): ReadonlySet<number> {
    for (const word of this.#words.slice(this.#next)) {
      word.isCovered = this.#isPreviousMapped && this.#previousLine === word.line;
    }
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
    const open: { readonly end: ScriptPosition; readonly name: string | null }[] = [];
    const add = ({ line, column }: ScriptPosition, name: string | null) => {
      const last = boundaries.at(-1);
      if (last !== undefined && last.line === line && last.column === column) boundaries.pop();
      if ((boundaries.at(-1)?.name ?? "") !== name) boundaries.push({ line, column, name });
    };
    const close = (until: ScriptPosition | null) => {
      for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
        if (until !== null && comparePositions(last.end, until) > 0) return;
        open.pop();
        add(last.end, open.length === 0 ? MODULE_NAME : (open.at(-1)?.name ?? null));
      }
    };
    for (const words of this.#functions) {
      const { start, end } = words.range;
      close(start);
      const parent = open.length === 0 ? MODULE_NAME : (open.at(-1)?.name ?? null);
      const name = nameFunction(words, parent, getName);
      add(start, name);
      open.push({ end, name });
    }
    close(null);
    return boundaries;
  }
}

function createWord({ line, column }: ScriptPosition): Word {
  return {
    line,
    column,
    source: -1,
    originalLine: 0,
    originalColumn: 0,
    name: -1,
    isCovered: false,
    hasText: false,
    names: {},
  };
}

type GetName = (index: number) => string | null;

/** The name of a function; `parent` if only its parent is in the source; null if it is unknown. */
function nameFunction(words: Words, parent: string | null, getName: GetName): string | null {
  const { range, start, open, parameter, word, classStart, classWord } = words;
  const className = classStart?.names.class ?? readName(classWord, getName);
  if (range.isConstructor && className) return `new ${className}`;
  const own =
    start.names.function ??
    parameter?.names.parameter ??
    readName(word, getName) ??
    readToken(open, getName) ??
    range.setName ??
    null;
  if (own !== null && !range.isConstructor) {
    return own === "" ? ANONYMOUS_NAME : className ? `${className}.${own}` : own;
  }
  const isInSource = [start, open, parameter, word].some((place) => (place?.source ?? -1) >= 0);
  return isInSource || start.isCovered ? null : parent;
}

/** The name that a word has in the source: by its text, or by its segment if there is no text. */
function readName(word: Word | undefined, getName: GetName): string | null {
  return word === undefined ? null : (word.names.word ?? readToken(word, getName));
}

/** A tool may have chosen a token's name, so the text of the source takes precedence. */
function readToken(word: Word, getName: GetName): string | null {
  return word.name >= 0 && !word.hasText ? getName(word.name) || null : null;
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
    for (const role of Object.keys(word.names) as WordRole[]) {
      word.names[role] = readNameAt[role](text, offset);
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

function comparePositions(a: ScriptPosition, b: ScriptPosition): number {
  return a.line - b.line || a.column - b.column;
}

function compareOriginals(a: Word, b: Word): number {
  return a.originalLine - b.originalLine || a.originalColumn - b.originalColumn;
}
