/** Looks up positions in a map of compact form. Reads and inflates only the needed blocks. */
import { asArray, asRecord } from "../decode/as-type.ts";
import { decodeText, parseJsonText } from "../decode/parse-json.ts";
import { BlockReader } from "./block-reader.ts";
import type { ByteRange, Codec } from "./codec.ts";
import {
  COMPACT_VERSION,
  type CompactDirectory,
  HEADER_BYTES,
  NAMES_PER_BLOCK,
  PLACE_NUMBERS,
  POSITIONED_NUMBERS,
  SOURCES_PER_BLOCK,
  type SourceRecord,
} from "./format/compact-format.ts";
import { findBlock } from "./format/find-block.ts";
import { createLineStarts } from "./format/line-starts.ts";
import {
  findNextSegment,
  findSegment,
  MappingBlockReader,
  type Segment,
} from "./format/mapping-blocks.ts";
import { ScriptScopes } from "./script-scopes.ts";

/** The directory of a map at the limits is smaller than this. */
const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024;
/** Blocks of one line that are searched for a second source if a frame has no column. */
const MAX_BLOCKS_PER_LINE = 8;

/** Parts of a function, between others in it, that are searched for a segment. */
const MAX_PARTS = 64;

/** A text that is searched for may begin in one block and end in the next. */
const OVERLAP_CHARS = 2_000;

/** A place in a source. `line` and `column` are 1-based. */
export interface OriginalPlace {
  /** Index of the source, for `getSource` and `readLine`. */
  readonly source: number;
  readonly line: number;
  readonly column: number;
  /** Index of the name of the token at the place, for `getTokenName`; -1 if it has none. */
  readonly name: number;
}

/** A place in the function of a position, or in the code that a tool has moved into it. */
export interface NamingPlace {
  readonly place: OriginalPlace;
  /** False for another place than that of the position. */
  readonly isDirect: boolean;
  /** The place of the position, if that is in a function within the one to name. */
  readonly inner: OriginalPlace | null;
}

export interface MapSource {
  /** As the map names it, with `sourceRoot`; null for a source without a name. */
  readonly name: string | null;
  /** True if the map lists it as code of a third party (`ignoreList`). */
  readonly isIgnored: boolean;
  readonly hasText: boolean;
}

/**
 * Opens a map that `convertMap` wrote. Null if the bytes are not of this version of the format. The
 * map keeps recently inflated blocks.
 */
export function openCompactMap(range: ByteRange, codec: Codec): CompactMap | null {
  const header = range.read(0, HEADER_BYTES);
  if (header.length < HEADER_BYTES) return null;
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const stored = view.getUint32(0, true);
  const bytes = view.getUint32(4, true);
  if (bytes > MAX_DIRECTORY_BYTES || stored > range.length) return null;
  const inflated = codec.inflate(range.read(HEADER_BYTES, stored), bytes);
  const directory = inflated === null ? null : decodeDirectory(parseJsonText(decodeText(inflated)));
  const blocks = new BlockReader(range, codec, HEADER_BYTES + stored);
  return directory && new CompactMap(blocks, directory);
}

function decodeDirectory(value: unknown): CompactDirectory | null {
  const fields = asRecord(value);
  if (fields?.version !== COMPACT_VERSION) return null;
  const mappingBlocks = asNumbers(fields.mappingBlocks);
  const nameBlocks = asNumbers(fields.nameBlocks);
  const sourceBlocks = asNumbers(fields.sourceBlocks);
  const textBlocks = asNumbers(fields.textBlocks);
  const scopeBlocks = asNumbers(fields.scopeBlocks);
  if (!mappingBlocks || !nameBlocks || !sourceBlocks || !textBlocks) return null;
  const directories = { mappingBlocks, nameBlocks, sourceBlocks, textBlocks, scopeBlocks };
  return { version: COMPACT_VERSION, ...directories };
}

function asNumbers(value: unknown): readonly number[] | null {
  const isList = Array.isArray(value) && value.every((one) => typeof one === "number");
  return isList ? value : null;
}

/** A part of a source's text, with the index of each of its lines. */
interface TextPart {
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly lines: readonly number[];
}

/** A map of compact form. Lines and columns are 1-based. An unreadable block counts as empty. */
export class CompactMap {
  readonly #blocks: BlockReader;
  readonly #directory: CompactDirectory;
  readonly #scopes: ScriptScopes | null;

  constructor(blocks: BlockReader, directory: CompactDirectory) {
    this.#blocks = blocks;
    this.#directory = directory;
    const { scopeBlocks } = directory;
    this.#scopes = scopeBlocks && new ScriptScopes(blocks, scopeBlocks);
  }

  /**
   * The original place of a position in the script: the last segment of the line that is not after
   * the column. Without a column, the first place of a line that has only one source. Null without
   * a mapping.
   */
  findPlace(line: number, column?: number): OriginalPlace | null {
    const segment =
      column === undefined
        ? this.#findFirstOfLine(line - 1)
        : this.#findSegment(line - 1, Math.max(0, column - 1));
    return toPlace(segment);
  }

  /**
   * The name that the map states for the innermost function of the script around a position. Null
   * if it states none, or the script is unknown.
   */
  findFunction(line: number, column: number): string | null {
    return this.#scopes?.find(line - 1, column - 1)?.name ?? null;
  }

  /**
   * A place by which the function of a position can be named: that of `findPlace`, unless its
   * segment is in another function of the script, such as one that ends before the position. Then
   * it is that of another segment which is directly in the function. Null without any, as in the
   * functions that tools add.
   */
  findNamingPlace(line: number, column: number): NamingPlace | null {
    const segment = this.#findSegment(line - 1, column - 1);
    const scopes = this.#scopes;
    if (segment === null || scopes === null) return toDirectPlace(segment);
    let last: Segment | null = segment;
    let ownStart = column;
    let near: Segment | null = null;
    for (const { start, end } of scopes.listOwnParts(line - 1, column - 1, MAX_PARTS)) {
      ownStart = start;
      if (end < column) last = this.#findSegment(line - 1, end - 1);
      if (last === null || last.column < start) continue;
      if (last.column === segment.column) return toDirectPlace(segment);
      near = last;
      break;
    }
    const end = scopes.findEnd(line - 1, column - 1);
    const next = this.#findNextSegment(line - 1, column - 1, end);
    // After `(`, it is in the arguments of the call.
    if (next !== null && next.column === column) return toOtherPlace(next, null);
    const inner = segment.column >= ownStart ? toPlace(segment) : null;
    return toOtherPlace(near ?? next, inner);
  }

  /**
   * The name of the token at a place, which is not the function around it. Null if there is none.
   */
  getTokenName({ name: index }: OriginalPlace): string | null {
    if (index < 0) return null;
    const at = Math.floor(index / NAMES_PER_BLOCK) * PLACE_NUMBERS;
    const name = asArray(this.#blocks.readJson(this.#directory.nameBlocks, at))?.[
      index % NAMES_PER_BLOCK
    ];
    return typeof name === "string" && name !== "" ? name : null;
  }

  /** A source by the index of a place. */
  getSource(index: number): MapSource {
    const [name, ignored, parts] = this.#getRecord(index);
    return { name, isIgnored: ignored === 1, hasText: parts !== null };
  }

  /**
   * The characters of a line of a source from a column, at most `maxChars` and without its end.
   * Null if the text is not in the map or has fewer lines.
   */
  readLine(source: number, line: number, column: number, maxChars: number): string | null {
    const parts = this.#getRecord(source)[2];
    if (!parts) return null;
    let at = findBlock(parts, line - 1, column - 1);
    if (at === -1) return null;
    let text: string | null = null;
    // A line may continue in the next part.
    for (; at < parts.length && (text?.length ?? 0) < maxChars; at += POSITIONED_NUMBERS) {
      const part = this.#readPart(parts, at);
      const index = line - 1 - part.line;
      const start = part.lines[index];
      if (start === undefined) break;
      const skipped = text === null ? column - 1 - (index === 0 ? part.column : 0) : 0;
      const end = part.lines[index + 1];
      const rest = part.text.slice(start + Math.max(0, skipped), end);
      text = (text ?? "") + rest.replace(/[\r\n\u2028\u2029]+$/, "");
      if (end !== undefined) break;
    }
    return text === null ? null : text.slice(0, maxChars);
  }

  /** The text of a source; null if it is not in the map or has more than `maxBytes` of UTF-8. */
  readText(source: number, maxBytes: number): string | null {
    const parts = this.#getRecord(source)[2];
    if (!parts) return null;
    let bytes = 0;
    for (let at = 4; at < parts.length; at += POSITIONED_NUMBERS) bytes += parts[at] as number;
    if (bytes > maxBytes) return null;
    let text = "";
    for (let at = 0; at < parts.length; at += POSITIONED_NUMBERS)
      text += this.#readPart(parts, at).text;
    return text;
  }

  /**
   * All texts in the map: names, sources and their texts, functions. A text that continues in the
   * next block begins again with the end of the one before.
   */
  *listTexts(): Generator<string> {
    const { nameBlocks, sourceBlocks, textBlocks, scopeBlocks } = this.#directory;
    for (const places of [nameBlocks, sourceBlocks])
      for (let at = 0; at < places.length; at += PLACE_NUMBERS)
        yield decoder.decode(this.#blocks.inflate(places, at) ?? new Uint8Array());
    for (let at = 2; at < (scopeBlocks?.length ?? 0); at += POSITIONED_NUMBERS)
      yield decoder.decode(this.#blocks.inflate(scopeBlocks ?? [], at) ?? new Uint8Array());
    let end = "";
    for (let at = 0; at < textBlocks.length; at += PLACE_NUMBERS) {
      const bytes = this.#blocks.inflate(textBlocks, at) ?? new Uint8Array();
      const text = end + decoder.decode(bytes);
      yield text;
      end = text.slice(-OVERLAP_CHARS);
    }
  }

  #findSegment(line: number, column: number): Segment | null {
    const { mappingBlocks } = this.#directory;
    const at = findBlock(mappingBlocks, line, column);
    if (at === -1) return null;
    const block = this.#blocks.read(mappingBlocks, at + 2);
    return block && findSegment(block, mappingBlocks[at] as number, line, column);
  }

  #findNextSegment(line: number, column: number, end: number): Segment | null {
    const { mappingBlocks } = this.#directory;
    const at = Math.max(0, findBlock(mappingBlocks, line, column));
    for (const next of [at, at + POSITIONED_NUMBERS]) {
      const block = next < mappingBlocks.length ? this.#blocks.read(mappingBlocks, next + 2) : null;
      const firstLine = mappingBlocks[next] as number;
      const found = block && findNextSegment(block, firstLine, line, { column, end });
      if (found !== null) return found;
    }
    return null;
  }

  #findFirstOfLine(line: number): Segment | null {
    const { mappingBlocks } = this.#directory;
    const first = Math.max(0, findBlock(mappingBlocks, line, -1));
    const last = first + MAX_BLOCKS_PER_LINE * POSITIONED_NUMBERS;
    let found: Segment | null = null;
    for (let at = first; at < mappingBlocks.length; at += POSITIONED_NUMBERS) {
      if ((mappingBlocks[at] as number) > line) break;
      const block = this.#blocks.read(mappingBlocks, at + 2);
      if (block === null || at > last) return null;
      const reader = new MappingBlockReader(block, mappingBlocks[at] as number);
      while (reader.next()) {
        const { segment } = reader;
        if (segment.line > line) return found;
        if (segment.line < line || segment.source < 0) continue;
        found ??= { ...segment };
        if (segment.source !== found.source) return null;
      }
    }
    return found;
  }

  #getRecord(index: number): SourceRecord {
    const at = Math.floor(index / SOURCES_PER_BLOCK) * PLACE_NUMBERS;
    const records = asArray(this.#blocks.readJson(this.#directory.sourceBlocks, at));
    const [name, ignored, parts] = asArray(records?.[index % SOURCES_PER_BLOCK]) ?? [];
    return [typeof name === "string" ? name : null, ignored === 1 ? 1 : 0, asNumbers(parts)];
  }

  #readPart(parts: readonly number[], at: number): TextPart {
    const [line = 0, column = 0, block = 0, start = 0, length = 0] = parts.slice(at, at + 5);
    return this.#blocks.cache(`text ${block} ${start} ${length}`, length, () => {
      const bytes = this.#blocks.inflate(this.#directory.textBlocks, block * PLACE_NUMBERS);
      const text = decoder.decode(bytes?.subarray(start, start + length) ?? new Uint8Array());
      return { line, column, text, lines: createLineStarts(text) };
    });
  }
}

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

function toPlace(segment: Segment | null): OriginalPlace | null {
  if (segment === null || segment.source < 0) return null;
  const { source, originalLine, originalColumn, name } = segment;
  return { source, line: originalLine + 1, column: originalColumn + 1, name };
}

function toDirectPlace(segment: Segment | null): NamingPlace | null {
  const place = toPlace(segment);
  return place && { place, isDirect: true, inner: null };
}

function toOtherPlace(segment: Segment | null, inner: OriginalPlace | null): NamingPlace | null {
  const place = toPlace(segment);
  return place && { place, isDirect: false, inner };
}
