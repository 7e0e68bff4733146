/** Resolves the frames of a stack to places in the original sources. */
import { omitUndefined } from "../omit-undefined.ts";
import type { CompactMap, OriginalPlace } from "./compact-map.ts";
import { readContextLines } from "./context-lines.ts";
import { findFallbackName } from "./fallback-names.ts";
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
  return frames.map((frame, index): FrameResolution => {
    const found = maps[index];
    if (found === undefined) return { kind: "unmapped", reason: "not-expected" };
    if ("kind" in found) return found;
    const line = toPosition(frame.line);
    if (line === undefined) return { kind: "unmapped", reason: "no-position" };
    const place = places[index];
    if (!place) {
      const column = frame.column;
      return { kind: "unmapped", reason: "no-segment", ...omitUndefined({ line, column }) };
    }
    const name =
      findName(frame, found.map) ??
      findFallbackName(found.map, place, frame.function, () =>
        findTokenName(maps[index + 1], places[index + 1]),
      );
    return toResolvedFrame(found, place, name, withoutLines === true);
  });
}

function findPlace(frame: SentFrame, found: FoundMap | undefined): OriginalPlace | null {
  const line = toPosition(frame.line);
  if (found === undefined || "kind" in found || line === undefined) return null;
  return found.map.findPlace(line, frame.column);
}

/** The name of the call in the caller's frame, if the caller is the next frame. */
function findTokenName(found: FoundMap | undefined, place: OriginalPlace | null | undefined) {
  return found === undefined || "kind" in found || !place ? null : found.map.getTokenName(place);
}

/** A line from 1. Senders write 0 for "unknown". */
function toPosition(line: number | undefined): number | undefined {
  return line !== undefined && line >= 1 ? line : undefined;
}

/** The name of the function around the frame, in the functions of the script. */
function findName({ line, column }: SentFrame, map: CompactMap): string | null {
  const isPlaced = line !== undefined && column !== undefined;
  return isPlaced ? map.findFunction(line, Math.max(1, column)) : null;
}

function toResolvedFrame(
  { map, ...match }: UploadedMap,
  place: OriginalPlace,
  name: string | null,
  withoutLines: boolean,
): ResolvedFrame {
  const source = map.getSource(place.source);
  const file = toDisplayName(source.name);
  const mapSource = source.name === null ? undefined : escapeInvisible(source.name);
  return omitUndefined({
    kind: "resolved" as const,
    file,
    mapSource: mapSource === file ? undefined : mapSource,
    line: place.line,
    column: place.column,
    function: name === null ? undefined : escapeInvisible(name),
    inApp: isSourceInApp(source),
    ...(withoutLines ? null : readContextLines(map, place)),
    ...match,
  });
}
