/**
 * The top of a stack as one text: the frames that a source map may resolve. Each report summary has
 * it, so that an issue can count its reports by stack and the index can resolve it without the
 * reports. A line per frame, with the file, its debug ids and the function where they differ from
 * the line before:
 *
 *     1:20543@91ea…<tab>https://shop.example/assets/index.js<tab>readPrice
 *     1:3301
 *
 * Pure.
 */
import { limits } from "../limits.ts";
import type { Frame, Report } from "../report.ts";
import { createMappedTest, isScriptName } from "../scripts/can-have-map.ts";
import { toOneLine } from "../truncate.ts";
import { selectDebugImages } from "./debug-images.ts";
import { isInApp } from "./in-app.ts";

interface SentStackFrame {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  /** The debug ids of the file, if it has any. */
  readonly debugIds?: readonly string[];
  /** The engine's name of the function; not one that a minifier chose. */
  readonly function?: string;
}

const LINE = /^(\d+):(\d*)(?:@([\da-f]{32}(?:,[\da-f]{32}){0,3}))?(?:\t([^\t]*))?(?:\t(.*))?$/;
/** Shorter names come from a minifier. */
const MIN_NAME_CHARS = 3;

/** The sent stack of an error; undefined if no frame of the application is in a script. */
export function toSentStack({
  kind,
  format,
  frames: allFrames,
  detail,
}: Pick<Report, "kind" | "format" | "frames" | "detail">): string | undefined {
  if (kind !== "error" && kind !== "recovered") return undefined;
  const isMapped = createMappedTest(
    { format },
    allFrames.map(({ file }) => file),
  );
  const scripts = selectFrames(allFrames.filter(({ file }) => !isMapped(file)));
  if (scripts.length === 0) return undefined;
  const files = new Set(scripts.flatMap(({ file }) => file ?? []));
  const ids = new Map<string, string>();
  for (const { file, debugId } of selectDebugImages(detail, files))
    ids.set(file, ids.has(file) ? `${ids.get(file)},${debugId}` : debugId);
  let text = "";
  let fileBefore: string | undefined;
  for (const { file = "", line, column, function: name = "" } of scripts) {
    const id = file === fileBefore ? undefined : ids.get(file);
    const fields = [
      `${line}:${column ?? ""}${id === undefined ? "" : `@${id}`}`,
      file === fileBefore ? "" : toOneLine(file).trim(),
      name.length < MIN_NAME_CHARS ? "" : toOneLine(name).trim().slice(0, limits.maxSentNameChars),
    ];
    const added = `${text === "" ? "" : "\n"}${fields.join("\t").trimEnd()}`;
    if (text.length + added.length > limits.maxSentStackChars) break;
    text += added;
    fileBefore = file;
  }
  return text === "" ? undefined : text;
}

function isScript(file: string): boolean {
  return isScriptName(file.replace(/[?#].*$/s, ""));
}

/** SDKs of Workers mark no frame as application code. */
function selectFrames(frames: readonly Frame[]): readonly Frame[] {
  const isMarked = frames.some(({ inApp }) => inApp);
  const selected: Frame[] = [];
  for (const frame of frames) {
    const { file = "", line = 0, inApp } = frame;
    if (line < 1 || (isMarked ? !inApp : !isInApp(file)) || !isScript(file)) continue;
    selected.push(frame);
    if (selected.length === limits.framesPerSentStack) break;
  }
  return selected;
}

/** The frames of a sent stack; fewer if it was redacted. */
export function parseSentStack(stack: string): readonly SentStackFrame[] {
  const frames: SentStackFrame[] = [];
  for (const text of stack.split("\n")) {
    const [, line, column, ids, ownFile, name] = LINE.exec(text) ?? [];
    const before = frames.at(-1);
    const file = ownFile || before?.file;
    if (line === undefined || file === undefined) break;
    const debugIds = ownFile ? ids?.split(",") : before?.debugIds;
    frames.push({
      file,
      line: Number(line),
      ...(column && { column: Number(column) }),
      debugIds,
      ...(name && { function: name }),
    });
  }
  return frames;
}

/** The first `count` frames of a sent stack. */
export function cutSentStack(stack: string, count: number): string {
  return stack.split("\n").slice(0, count).join("\n");
}
