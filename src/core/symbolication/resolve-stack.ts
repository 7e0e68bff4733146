/** Resolves the frames of a stack to places in the original sources. */
import type { CompactMap, OriginalPlace } from "./compact-map.ts";
import { readContextLines } from "./context-lines.ts";
import {
  type FunctionTable,
  findFunctionName,
  findRunningName,
  STATIC_INITIALIZER,
} from "./names/function-table.ts";
import type {
  FrameResolution,
  MatchMarks,
  ResolvedFrame,
  ResolveRequest,
  SentFrame,
  UnmappedFrame,
} from "./resolution.ts";
import { escapeInvisible, isSourceInApp, toDisplayName } from "./source-names.ts";

/** The map of a frame's file, or why there is none. */
export type FoundMap = UploadedMap | UnmappedFrame;

interface UploadedMap extends MatchMarks {
  readonly map: CompactMap;
  /** The functions of a source; null if its text is absent or cannot be parsed. */
  readonly readFunctions: (source: number) => FunctionTable | null;
  /** The id of the upload. */
  readonly upload?: string;
}

/** One answer per frame, newest first as the frames. `maps[i]` belongs to `frames[i]`. */
export function resolveStack(
  frames: readonly SentFrame[],
  maps: readonly FoundMap[],
  { withoutLines }: Pick<ResolveRequest, "withoutLines"> = {},
): readonly FrameResolution[] {
  const places = frames.map((frame, index) => findPlace(frame, maps[index]));
  let newer: string | null = null;
  return frames.map((frame, index): FrameResolution => {
    const isClassCreation = newer === STATIC_INITIALIZER;
    newer = null;
    const found = maps[index];
    if (found === undefined) return { kind: "unmapped", reason: "not-expected" };
    if ("kind" in found) return found;
    const line = toPosition(frame.line);
    if (line === undefined) return { kind: "unmapped", reason: "no-position" };
    const place = places[index];
    if (!place) {
      const column = frame.column;
      return { kind: "unmapped", reason: "no-segment", line, column };
    }
    newer = findName(frame, found, place, isClassCreation);
    return toResolvedFrame(found, place, newer, withoutLines === true);
  });
}

function findPlace(frame: SentFrame, found: FoundMap | undefined): OriginalPlace | null {
  const line = toPosition(frame.line);
  if (found === undefined || "kind" in found || line === undefined) return null;
  return found.map.findPlace(line, frame.column);
}

/** Engines and SDKs send these for a frame without a function. */
const UNNAMED: ReadonlySet<string> = new Set(["", "?", "<anonymous>"]);

/** A line from 1. Senders write 0 for "unknown". */
function toPosition(line: number | undefined): number | undefined {
  return line !== undefined && line >= 1 ? line : undefined;
}

/**
 * The name of the function around the frame: the innermost one of the original source, otherwise
 * what the map states for the function of the script. Null if neither is known. `isClassCreation`
 * is true if the frame creates the class that the next frame initializes.
 */
function findName(
  { line = 0, column, function: sent }: SentFrame,
  { map, readFunctions }: Exclude<FoundMap, UnmappedFrame>,
  place: OriginalPlace,
  isClassCreation: boolean,
): string | null {
  if (column === undefined) return null;
  const at = Math.max(1, column);
  const own = map.findNamingPlace(line, at);
  const functions = readFunctions((own?.place ?? place).source);
  if (functions === null) return map.findFunction(line, at);
  if (own === null) return null;
  if (!own.isDirect) {
    const isOfSource = own.inner === null || own.inner.source === own.place.source;
    return isOfSource ? findRunningName(functions, own.place, own.inner) : null;
  }
  // Engines name constructors: without a name, the frame only evaluates the head of the class.
  const isOutside = isClassCreation || sent === undefined || UNNAMED.has(sent);
  return findFunctionName(functions, own.place.line, own.place.column, isOutside);
}

function toResolvedFrame(
  { map, readFunctions: _, ...match }: UploadedMap,
  place: OriginalPlace,
  name: string | null,
  withoutLines: boolean,
): ResolvedFrame {
  const source = map.getSource(place.source);
  const file = toDisplayName(source.name);
  const mapSource = source.name === null ? undefined : escapeInvisible(source.name);
  return {
    kind: "resolved" as const,
    file,
    mapSource: mapSource === file ? undefined : mapSource,
    line: place.line,
    column: place.column,
    function: name === null ? undefined : escapeInvisible(name),
    inApp: isSourceInApp(source),
    ...(withoutLines ? null : readContextLines(map, place)),
    ...match,
  };
}
