/**
 * Answers "Which map would resolve this script?" by resolving frames: the requested position, or
 * any position that has a segment. Pure.
 */
import { parseHexId } from "../../decode/as-type.ts";
import type { FrameResolution, ResolvedFrame, ResolveRequest, SentFrame } from "../resolution.ts";
import type { NamedBuild } from "./upload-command.ts";

/** A script as a report would name it. */
export interface ProbedFile {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly release?: string;
  readonly dist?: string;
  readonly debugId?: string;
}

/** Lines before the code: comments, and the snippets of debug ids. */
const PROBED_LINES = 12;
/** After the last segment of a line, and within the first functions of a minified one. */
const PROBED_COLUMNS = [1_000_000, 1_000, 1] as const;

/** `https://shop.example/app.js:3:2071` as a script and a position. Null if it names no script. */
export function parseProbedFile(
  text: string,
  build: NamedBuild & { readonly debugId?: string | undefined },
): ProbedFile | null {
  const [, file = "", line, column] =
    /^(.*?)(?::(\d{1,9}))?(?::(\d{1,9}))?$/s.exec(text.trim()) ?? [];
  if (file === "" || /\s/.test(file)) return null;
  return {
    file,
    line: line === undefined ? undefined : Number(line),
    column: column === undefined ? undefined : Number(column),
    release: build.release,
    dist: build.dist,
    debugId: parseHexId(build.debugId),
  };
}

/** The request, with the requested frame first. */
export function createProbe({ file, line, column, debugId, ...build }: ProbedFile): ResolveRequest {
  const requested: readonly SentFrame[] = line === undefined ? [] : [{ file, line, column }];
  const probes = Array.from({ length: PROBED_LINES }, (_, n) =>
    PROBED_COLUMNS.map((probed) => ({ file, line: n + 1, column: probed })),
  );
  return {
    stacks: [[...requested, ...probes.flat()]],
    images: debugId === undefined ? [] : [{ file, debugId }],
    isCheck: true,
    ...build,
  };
}

/**
 * The answer: the place of the requested position if it has one, and any frame that has a place.
 */
export interface ProbeResult {
  /** The resolved frame at the requested position. */
  readonly place?: ResolvedFrame;
  /** A frame of the script: how its map was found, or why there is none. */
  readonly script: FrameResolution;
}

/** Reads the answer to `createProbe`. */
export function readProbe(
  { line }: ProbedFile,
  [frames = []]: readonly (readonly FrameResolution[])[],
): ProbeResult | null {
  const [first] = frames;
  if (first === undefined) return null;
  const script = frames.find(({ kind }) => kind === "resolved") ?? first;
  const isPlace = line !== undefined && first.kind === "resolved";
  return { ...(isPlace && { place: first }), script };
}
