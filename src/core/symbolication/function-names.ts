/**
 * Names the functions of a minified script for sources whose text is absent or cannot be parsed. A
 * name counts only if the map states it for the word that names the function in the script.
 */
import { decodeText } from "../decode/parse-json.ts";
import { createLineStarts } from "./format/line-starts.ts";
import type { Segment } from "./format/mapping-blocks.ts";
import type { TextPosition } from "./format/source-texts.ts";
import type { FunctionRange, NameWord, ScriptFunctions } from "./function-ranges.ts";

/** A word of the script and its place in a source. */
interface Word {
  readonly word: NameWord;
  /** -1 until a segment starts exactly at the word and maps it. */
  source: number;
  originalLine: number;
  originalColumn: number;
  name: number;
  /** True if the source has text at the place. */
  hasText: boolean;
  /** The name in the text of the source; null if there is none. */
  text: string | null;
}

/** A position in the script from which a function holds, up to the next one. */
export interface ScopeBoundary {
  readonly line: number;
  readonly column: number;
  /** The name of the function; null if it is unknown. */
  readonly name: string | null;
  /** The number of the function in the order of the starts, from 1; 0 outside of all functions. */
  readonly owner: number;
}

/**
 * Collects the places of words in the order of conversion: segments, then source texts. A script of
 * 8 MB has 40,000 functions.
 */
export class FunctionNamer {
  readonly #functions: readonly FunctionRange[];
  readonly #lineStarts: readonly number[];
  /** The words in the order of the script. */
  readonly #words: readonly Word[];
  readonly #byOffset: ReadonlyMap<number, Word>;
  #next = 0;
  #bySource: Map<number, Word[]> | null = null;

  constructor({ functions, lineStarts }: ScriptFunctions) {
    const words = new Map<number, Word>();
    for (const { word, classNode } of functions) {
      for (const one of [word, classNode?.word])
        if (one !== undefined) words.set(one.offset, createWord(one));
    }
    this.#functions = functions;
    this.#lineStarts = lineStarts;
    this.#byOffset = words;
    this.#words = [...words.values()].sort((a, b) => a.word.offset - b.word.offset);
  }

  /** Segments in the order of the script. Of segments at one position the first counts. */
  visitSegment(segment: Segment): void {
    const lineEnd = this.#lineStarts[segment.line + 1] ?? Number.MAX_SAFE_INTEGER;
    const start = this.#lineStarts[segment.line] ?? lineEnd;
    const offset = Math.min(start + segment.column, lineEnd);
    for (let word = this.#words[this.#next]; word !== undefined; word = this.#words[++this.#next]) {
      if (word.word.offset > offset || word.word.offset === lineEnd) break;
      if (word.word.offset < offset || segment.source < 0) continue;
      word.source = segment.source;
      word.originalLine = segment.originalLine;
      word.originalColumn = segment.originalColumn;
      word.name = segment.name;
    }
  }

  /** Indices of the names that `finish` may ask for. Ends the visit of segments. */
  finishSegments(): ReadonlySet<number> {
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
  finish(getName: (index: number) => string | null): readonly ScopeBoundary[] {
    const boundaries: ScopeBoundary[] = [];
    const open: { readonly end: number; readonly name: string | null; readonly owner: number }[] =
      [];
    let lastOffset = -1;
    let line = 0;
    const add = (offset: number) => {
      if (offset === lastOffset) boundaries.pop();
      while ((this.#lineStarts[line + 1] ?? Number.POSITIVE_INFINITY) <= offset) line++;
      const { name = null, owner = 0 } = open.at(-1) ?? {};
      const column = offset - (this.#lineStarts[line] as number);
      boundaries.push({ line, column, name, owner });
      lastOffset = offset;
    };
    const close = (until: number) => {
      for (let last = open.at(-1); last !== undefined && last.end <= until; last = open.at(-1)) {
        open.pop();
        add(last.end);
      }
    };
    for (const [index, range] of this.#functions.entries()) {
      close(range.start);
      open.push({ end: range.end, name: this.#nameFunction(range, getName), owner: index + 1 });
      add(range.start);
    }
    close(Number.MAX_SAFE_INTEGER);
    return boundaries;
  }

  #nameFunction(range: FunctionRange, getName: GetName): string | null {
    const className = this.#readClassName(range.classNode?.word, getName);
    if (range.isConstructor) return className === null ? null : `new ${className}`;
    const own = range.setName ?? this.#readName(range.word, getName);
    return own !== null && className !== null ? `${className}.${own}` : own;
  }

  /** Without the text of the source, `_Money` can be `Money`, which esbuild renames. */
  #readClassName(word: NameWord | undefined, getName: GetName): string | null {
    const name = this.#readName(word, getName);
    const isSure = word === undefined || this.#byOffset.get(word.offset)?.hasText;
    return name?.startsWith("_") && !isSure ? null : name;
  }

  /** The name of a word, if the map and the text of the source agree on it. */
  #readName(word: NameWord | undefined, getName: GetName): string | null {
    const found = word && this.#byOffset.get(word.offset);
    if (found === undefined || found.source < 0) return null;
    const stated = found.name < 0 ? null : getName(found.name) || null;
    if (found.hasText) return found.text === (stated ?? found.word.text) ? found.text : null;
    if (stated !== null) return MADE_NAME.test(stated) ? null : stated;
    // Minifiers keep the names of properties, unless the map states another one.
    return found.word.isKey ? found.word.text : null;
  }
}

/**
 * Names that esbuild makes, for functions of private members and for default exports. Without the
 * text of the source, they are indistinguishable from its own names.
 */
const MADE_NAME = /_(?:fn|get|set|default)\d{0,3}$/;

type GetName = (index: number) => string | null;

function createWord(word: NameWord): Word {
  return {
    word,
    source: -1,
    originalLine: 0,
    originalColumn: 0,
    name: -1,
    hasText: false,
    text: null,
  };
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
    word.text = readWordAt(text, offset);
  }
}

const ID_PART = "[\\p{ID_Continue}$\\u200c\\u200d]";
const WORD = new RegExp(
  `#?[\\p{ID_Start}$_]${ID_PART}{0,200}|"[^"\\\\\\n]{1,200}"|'[^'\\\\\\n]{1,200}'`,
  "uy",
);
const WORD_PART = new RegExp(`${ID_PART}|#`, "u");

/** The whole identifier or quoted key that begins at an index; null for anything else. */
function readWordAt(text: string, index: number): string | null {
  // A map may lead to the name after the sign of a private one.
  const start = text[index - 1] === "#" ? index - 1 : index;
  if (start > 0 && WORD_PART.test(text[start - 1] as string)) return null;
  WORD.lastIndex = start;
  const [word] = WORD.exec(text) ?? [];
  if (word === undefined || WORD_PART.test(text[start + word.length] ?? "")) return null;
  return /^["']/.test(word) ? word.slice(1, -1) : word;
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
