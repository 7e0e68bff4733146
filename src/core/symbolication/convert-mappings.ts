/**
 * Converts the mappings of all sections to blocks: flat, sorted, and without references to sources
 * and names that do not exist.
 */
import { limits } from "../limits.ts";
import { fail, ok, type Result } from "../result.ts";
import type { JsonProblem } from "./format/json-scanner.ts";
import { createSegment, type MappingBlockWriter, type Segment } from "./format/mapping-blocks.ts";
import { MappingReader } from "./format/mapping-reader.ts";
import { SegmentSorter } from "./format/segment-sorter.ts";
import type { MapSection } from "./scan-map.ts";

const BACKSLASH = 0x5c;
const MAX_POSITION = 2 ** 31 - 1;
const EXPECTED_ORDER = `at most ${limits.maxUnsortedSegments} segments in a line that is not sorted`;

/**
 * Writes the segments of all sections and calls `visit` with each of them, in order. Indices of
 * sources and names count over all sections. Returns the number of segments whose source is not in
 * the map, or whose place is negative. Fails if the mappings of a section are invalid.
 */
export function convertMappings(
  map: Uint8Array,
  sections: readonly MapSection[],
  writer: MappingBlockWriter,
  visit: (segment: Segment) => void,
): Result<number, { readonly reason: "invalid-mappings" } & JsonProblem> {
  const emit = (segment: Segment) => {
    visit(segment);
    writer.add(segment);
  };
  let unknownPlaces = 0;
  let firstSource = 0;
  let firstName = 0;
  for (const [index, section] of sections.entries()) {
    const text = readMappings(map, section);
    const checked = checkMappings(text);
    if (!checked.ok) return checked;
    const bounds = { firstSource, firstName, next: sections[index + 1] };
    unknownPlaces += convertSection(text, section, bounds, checked.value, emit);
    firstSource += section.sources.length;
    firstName += section.nameCount;
  }
  writer.finish();
  return ok(unknownPlaces);
}

interface MappingText {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** The text between the quotes. Some encoders of JSON escape slashes. */
function readMappings(map: Uint8Array, { mappings: { start, end } }: MapSection): MappingText {
  const raw = map.subarray(start + 1, end - 1);
  if (!raw.includes(BACKSLASH)) return { bytes: map, start: start + 1, end: end - 1 };
  const unescaped = unescapeSlashes(raw);
  return { bytes: unescaped, start: 0, end: unescaped.length };
}

/** Without the backslashes before slashes. Other escapes are not base64 digits. */
function unescapeSlashes(raw: Uint8Array): Uint8Array {
  return raw.filter((byte, at) => byte !== BACKSLASH || raw[at + 1] !== 0x2f);
}

interface CheckedMappings {
  readonly segments: number;
  /** Lines whose segments are not in the order of their columns. */
  readonly unsortedLines: ReadonlySet<number>;
}

function checkMappings(
  text: MappingText,
): Result<CheckedMappings, { readonly reason: "invalid-mappings" } & JsonProblem> {
  const reader = new MappingReader(text.bytes, text.start, text.end);
  const unsortedLines = new Set<number>();
  let segments = 0;
  let ofLine = 0;
  let line = -1;
  let column = 0;
  while (reader.next()) {
    segments++;
    ofLine = reader.line === line ? ofLine + 1 : 1;
    if (reader.line === line && reader.column < column) unsortedLines.add(line);
    line = reader.line;
    column = reader.column;
    if (ofLine > limits.maxUnsortedSegments && unsortedLines.has(line))
      return fail({ reason: "invalid-mappings", at: text.start, expected: EXPECTED_ORDER });
  }
  const { problem } = reader;
  return problem === null
    ? ok({ segments, unsortedLines })
    : fail({ reason: "invalid-mappings", ...problem });
}

interface SectionBounds {
  readonly firstSource: number;
  readonly firstName: number;
  /** The section where this one ends. */
  readonly next: MapSection | undefined;
}

/** Returns the number of segments whose place is unknown. */
function convertSection(
  { bytes, start, end }: MappingText,
  section: MapSection,
  { firstSource, firstName, next }: SectionBounds,
  { unsortedLines }: CheckedMappings,
  emit: (segment: Segment) => void,
): number {
  const reader = new MappingReader(bytes, start, end);
  const sorter = new SegmentSorter(emit);
  const segment = createSegment();
  const sources = section.sources.length;
  let unknownPlaces = 0;
  while (reader.next()) {
    const line = section.line + reader.line;
    const column = reader.column + (reader.line === 0 ? section.column : 0);
    const isAfterEnd =
      next !== undefined && (line > next.line || (line === next.line && column >= next.column));
    if (isAfterEnd || reader.column < 0 || column > MAX_POSITION || line > MAX_POSITION) continue;
    segment.line = line;
    segment.column = column;
    segment.source = -1;
    segment.name = -1;
    if (reader.fields > 1) {
      const { source, originalLine, originalColumn, name } = reader;
      if (source >= 0 && source < sources && isPosition(originalLine, originalColumn)) {
        segment.source = firstSource + source;
        segment.originalLine = originalLine;
        segment.originalColumn = originalColumn;
        const isNamed = reader.fields === 5 && name >= 0 && name < section.nameCount;
        if (isNamed) segment.name = firstName + name;
      } else unknownPlaces++;
    }
    if (sorter.length > 0 && sorter.line !== line) sorter.flush();
    if (unsortedLines.has(reader.line)) sorter.add(segment);
    else emit(segment);
  }
  sorter.flush();
  return unknownPlaces;
}

function isPosition(line: number, column: number): boolean {
  return line >= 0 && line <= MAX_POSITION && column >= 0 && column <= MAX_POSITION;
}
