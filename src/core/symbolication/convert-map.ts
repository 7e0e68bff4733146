/** Converts a source map to its compact form, once, when it is uploaded. */

import { decodeText } from "../decode/parse-json.ts";
import { limits } from "../limits.ts";
import { fail, ok, type Result } from "../result.ts";
import { type ByteRange, type Codec, toByteRange } from "./codec.ts";
import { convertMappings } from "./convert-mappings.ts";
import {
  BlockWriter,
  COMPACT_VERSION,
  FUNCTIONS_PER_BLOCK,
  NAMES_PER_BLOCK,
  type ScopeBlock,
  SOURCES_PER_BLOCK,
  type SourceRecord,
} from "./format/compact-format.ts";
import { type JsonProblem, JsonScanner, type JsonSpan } from "./format/json-scanner.ts";
import { MappingBlockWriter } from "./format/mapping-blocks.ts";
import { SourceTextWriter, type VisitPart } from "./format/source-texts.ts";
import { FunctionNamer, type ScopeBoundary } from "./function-names.ts";
import type { ScriptFunctions } from "./function-ranges.ts";
import { type MapProblem, type ScannedMap, scanMap, toMapProblem } from "./scan-map.ts";
import { type StrippedMap, stripSourceTexts } from "./strip-source-texts.ts";

export type { MapProblem } from "./scan-map.ts";

/** A map in its compact form. */
export interface ConvertedMap {
  /** The bytes to store, in order. Open them with `openCompactMap` and the same codec. */
  readonly parts: readonly Uint8Array[];
  /** 32 lower-case hex characters. */
  readonly debugId?: string;
  readonly sources: number;
  readonly sourcesWithText: number;
  /** Sentences for the person who uploads. The map can still be used. */
  readonly problems: readonly string[];
}

/** The UTF-8 text of a source, by its name in a map that lacks the text; null without it. */
type ReadSource = (name: string) => Uint8Array | null;

/** Options of a conversion. */
interface ConvertOptions {
  readonly readSource?: ReadSource;
  /** The texts of sources are not loaded if the map has at least this size. */
  readonly stripFromBytes?: number;
}

/**
 * The compact form of a map. `functions` are those of its script, null without them. Linear in the
 * size of the map. Uses memory for the result, the mappings and one source. Fails if the map is
 * invalid. Never fetches a URL.
 */
export function convertMap(
  whole: Uint8Array | ByteRange,
  functions: ScriptFunctions | null,
  codec: Codec,
  { readSource = () => null, stripFromBytes }: ConvertOptions = {},
): Result<ConvertedMap, MapProblem> {
  const range = whole instanceof Uint8Array ? toByteRange(whole) : whole;
  const document = stripSourceTexts(range, stripFromBytes);
  const { bytes: map, toOriginal } = document;
  const refuse = ({ at, expected, from }: JsonProblem) =>
    fail(
      toMapProblem({
        at: toOriginal(at),
        expected,
        from: from === undefined ? undefined : toOriginal(from),
      }),
    );
  const scanned = scanMap(map);
  if (!scanned.ok) return refuse(scanned);
  const { sections, debugId, problems } = scanned.value;
  const blocks = new BlockWriter((bytes) => codec.deflate(bytes));
  const namer = functions === null ? null : new FunctionNamer(functions);
  const mappings = new MappingBlockWriter(blocks);
  const unknown = convertMappings(map, sections, mappings, (segment) =>
    namer?.visitSegment(segment),
  );
  if (!unknown.ok) return refuse(unknown);
  const names = convertNames(map, scanned.value, blocks, namer?.finishSegments());
  const sources = convertSources(document, scanned.value, blocks, namer, readSource);
  if ("expected" in sources) return fail(toMapProblem(sources));
  const boundaries = namer?.finish((index) => names.needed.get(index) ?? null);
  const parts = blocks.finish({
    version: COMPACT_VERSION,
    mappingBlocks: mappings.directory,
    nameBlocks: names.directory,
    sourceBlocks: sources.directory,
    textBlocks: sources.textDirectory,
    scopeBlocks: boundaries === undefined ? null : convertBoundaries(boundaries, blocks),
  });
  const unknownPlaces = unknown.value;
  return ok({
    parts,
    debugId,
    sources: sources.count,
    sourcesWithText: sources.withText,
    problems: [
      ...problems,
      ...(unknownPlaces === 0
        ? []
        : [`${unknownPlaces} segments name a source or a line that does not exist.`]),
    ],
  });
}

/** The debug id in a map: 32 lower-case hex characters. Undefined for an invalid map. */
export function readMapId(range: ByteRange): string | undefined {
  const scanned = scanMap(stripSourceTexts(range).bytes);
  return scanned.ok ? scanned.value.debugId : undefined;
}

interface ConvertedNames {
  readonly directory: readonly number[];
  /** The names at the requested indices. */
  readonly needed: ReadonlyMap<number, string>;
}

function convertNames(
  map: Uint8Array,
  { sections }: ScannedMap,
  blocks: BlockWriter,
  neededIndices: ReadonlySet<number> = new Set(),
): ConvertedNames {
  const scanner = new JsonScanner(map);
  const directory: number[] = [];
  const needed = new Map<number, string>();
  let pending: string[] = [];
  let count = 0;
  const add = (name: string) => {
    if (neededIndices.has(count)) needed.set(count, name);
    pending.push(name);
    count++;
    if (pending.length < NAMES_PER_BLOCK) return;
    directory.push(...blocks.addJson(pending));
    pending = [];
  };
  for (const { names } of sections) {
    if (names !== null) visitNames(scanner, names, add);
  }
  if (pending.length > 0) directory.push(...blocks.addJson(pending));
  return { directory, needed };
}

/** Names that are parsed at once: parsing each alone takes ten times as long. */
const NAMES_PER_PARSE = 256;

function visitNames(scanner: JsonScanner, names: JsonSpan, visit: (name: string) => void): void {
  let spans: JsonSpan[] = [];
  const flush = () => {
    for (const name of scanner.parseTexts(spans, limits.maxNameChars)) visit(name ?? "");
    spans = [];
  };
  scanner.visitElements(names.start, (start, end) => {
    spans.push({ start, end });
    if (spans.length === NAMES_PER_PARSE) flush();
    return true;
  });
  flush();
}

interface ConvertedSources {
  readonly count: number;
  readonly withText: number;
  readonly directory: readonly number[];
  readonly textDirectory: readonly number[];
}

/** Problems have their place in the whole map. */
function convertSources(
  { bytes: map, readText }: StrippedMap,
  { sections }: ScannedMap,
  blocks: BlockWriter,
  namer: FunctionNamer | null,
  readSource: ReadSource,
): ConvertedSources | JsonProblem {
  const scanner = new JsonScanner(map);
  const texts = new SourceTextWriter(blocks);
  const directory: number[] = [];
  let records: SourceRecord[] = [];
  let count = 0;
  let withText = 0;
  for (const { sources, ignored, contents } of sections) {
    const firstSource = count;
    const parts: (readonly number[])[] = [];
    let problem: JsonProblem | null = null;
    let index = -1;
    if (contents !== null) {
      scanner.visitElements(contents.start, (start, end) => {
        index++;
        const source = firstSource + index;
        if (index >= sources.length) return false;
        if (map[start] !== 0x22) return true;
        const text = readText({ start, end });
        const span = { start: 0, end: text.json.length };
        const written = texts.add(text.json, span, (position, bytes) =>
          namer?.visitPart(source, position, bytes),
        );
        if ("expected" in written) problem = { ...written, at: text.start + written.at };
        else parts[index] = written;
        return problem === null;
      });
    }
    if (problem !== null) return problem;
    for (const [at, name] of sources.entries()) {
      const text =
        parts[at] ??
        addSeparateText(texts, name === null ? null : readSource(name), (position, bytes) =>
          namer?.visitPart(firstSource + at, position, bytes),
        );
      records.push([name, ignored.has(at) ? 1 : 0, text]);
      if (text !== null) withText++;
      count++;
      if (records.length < SOURCES_PER_BLOCK) continue;
      directory.push(...blocks.addJson(records));
      records = [];
    }
  }
  if (records.length > 0) directory.push(...blocks.addJson(records));
  texts.finish();
  return { count, withText, directory, textDirectory: texts.directory };
}

/** Writes a text that is not in the map. Returns its parts; null without a text. */
function addSeparateText(
  texts: SourceTextWriter,
  text: Uint8Array | null,
  visit: VisitPart,
): readonly number[] | null {
  if (text === null) return null;
  const json = new TextEncoder().encode(JSON.stringify(decodeText(text)));
  const parts = texts.add(json, { start: 0, end: json.length }, visit);
  return "expected" in parts ? null : parts;
}

/** Directory entries of the blocks of functions: line, column, offset, length, bytes. */
function convertBoundaries(
  boundaries: readonly ScopeBoundary[],
  blocks: BlockWriter,
): readonly number[] {
  const directory: number[] = [];
  for (let from = 0; from < boundaries.length; from += FUNCTIONS_PER_BLOCK) {
    const block = boundaries.slice(from, from + FUNCTIONS_PER_BLOCK);
    const indices = new Map<string | null, number>();
    const first = block[0] as ScopeBoundary;
    const numbers: number[] = [];
    let { line, column } = first;
    for (const boundary of block) {
      const index = indices.get(boundary.name) ?? indices.size;
      indices.set(boundary.name, index);
      const isSameLine = boundary.line === line;
      const columns = boundary.column - (isSameLine ? column : 0);
      numbers.push(boundary.line - line, columns, index, boundary.owner);
      ({ line, column } = boundary);
    }
    const content: ScopeBlock = { names: [...indices.keys()], boundaries: numbers };
    directory.push(first.line, first.column, ...blocks.addJson(content));
  }
  return directory;
}
