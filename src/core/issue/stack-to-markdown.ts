/**
 * Formats the stack of a report as Markdown, like V8, with source lines, local variables and advice
 * about minified frames.
 */
import { buildErrorTree, type ErrorNode, isGroup } from "../errors/error-tree.ts";
import { formatType } from "../errors/error-words.ts";
import { toCodeBlock, toCodeSpan, toList } from "../markdown.ts";
import { listVars } from "../report/contexts.ts";
import { describeFrame } from "../report/frame-place.ts";
import type { Frame, Report, ReportedError } from "../report.ts";
import { getFileName } from "../symbolication/file-candidates.ts";
import { describeMatch } from "../symbolication/report/describe-match.ts";
import { explainStack } from "../symbolication/report/explain-frame.ts";
import { getResolutions, type Symbolication } from "../symbolication/report/original-stack.ts";
import { getNamedBuild } from "../symbolication/report/resolve-request.ts";
import { truncateText } from "../truncate.ts";

const MAX_MESSAGE_CHARS = 2_000;
const MAX_FRAMES = 40;
/** The number of throwing frames whose local variables are listed. */
const MAX_FRAMES_WITH_VARS = 3;
const MAX_VARS = 12;
/** The number of application frames whose source lines are printed. */
const MAX_FRAMES_WITH_LINES = 3;
const MAX_VALUE_CHARS = 200;

/** The error and its parsed frames, or the raw stack if none could be parsed. */
export function formatStack(error: ReportedError & Pick<Report, "stack">): string {
  const { message, frames, stack = "" } = error;
  const lines = frames.length > 0 ? formatFrames(frames) : truncateText(stack, MAX_MESSAGE_CHARS);
  const title = `${formatType(error)}: ${truncateText(message, MAX_MESSAGE_CHARS)}`;
  return toCodeBlock(`${title}\n${lines}`);
}

/**
 * The errors below the report's own, each with the path to it: `### Member 2 of 3 › Caused by`.
 */
export function formatCauses(report: Report): readonly string[] {
  return formatChildren(buildErrorTree(report), []);
}

function formatChildren(node: ErrorNode, path: readonly string[]): string[] {
  const { children } = node;
  const isOfGroup = isGroup(node);
  return children.flatMap((child, n) => {
    const own = isOfGroup ? `Member ${n + 1} of ${children.length}` : "Caused by";
    // A cause is named once: all further errors of a chain are causes of the one before.
    const below = path.at(-1) === own && !isOfGroup ? path : [...path, own];
    const text = `### ${below.join(" › ")}\n\n${formatStack(child.error)}`;
    return [text, ...formatChildren(child, below)];
  });
}

/**
 * Why frames of the application are minified, and what to do: each problem once. Then how maps were
 * found that may be those of another build.
 */
export function formatAdvice(
  report: Report,
  symbolication: Symbolication | null,
  project: string | undefined,
): string {
  if (symbolication?.state === "unavailable")
    return "Source maps are temporarily unavailable: this is the stack as it was sent.\n";
  const build = { ...getNamedBuild(report), project };
  const stacks = [report.frames, ...(report.causes ?? []).map(({ frames }) => frames)];
  const lines = stacks.flatMap((frames, nth) => {
    const resolutions = getResolutions(symbolication)[nth] ?? [];
    const advice = explainStack(frames, resolutions, build);
    const problems = [...advice.values()].map(({ problem, action, command }) =>
      [toCodeSpan(problem), action, command && toCodeSpan(command)].filter(Boolean).join(" "),
    );
    const matches = frames.flatMap(({ file = "" }, n) => {
      const match = describeMatch(resolutions[n]);
      return match === undefined ? [] : [toCodeSpan(`${getFileName(file)}: ${match}`)];
    });
    return [...problems, ...matches];
  });
  return toList([...new Set(lines)]);
}

/**
 * Formats frames like V8. The source line is printed below the throwing frame, and the lines around
 * it below the first frames of the application.
 */
function formatFrames(frames: readonly Frame[]): string {
  const contextFrames = new Set(
    frames.filter(({ inApp }) => inApp).slice(0, MAX_FRAMES_WITH_LINES),
  );
  const lines = frames.slice(0, MAX_FRAMES).map((frame, index) => {
    const { line, column, source } = frame;
    const { name, module, place = "unknown" } = describeFrame(frame);
    const location = [place, line, column].filter((part) => part !== undefined).join(":");
    const hasLines = contextFrames.has(frame) && frame.sourceBefore !== undefined;
    const sourceLine =
      index === 0 && source !== undefined ? `\n      > ${truncateValue(source.trim())}` : "";
    const vars = index < MAX_FRAMES_WITH_VARS ? formatVars(frame) : "";
    return `    at ${module === undefined ? "" : `${module} `}${name} (${location})${frame.inApp ? "" : " [library]"}${hasLines ? formatSourceLines(frame) : sourceLine}${vars}`;
  });
  const hiddenCount = frames.length - lines.length;
  return [...lines, ...(hiddenCount > 0 ? [`    … and ${hiddenCount} older frames`] : [])].join(
    "\n",
  );
}

/** `      > 12 | return total;`, the line of the frame marked with ">". */
function formatSourceLines({ line, source = "", sourceBefore = [], sourceAfter = [] }: Frame) {
  const texts = [...sourceBefore, source, ...sourceAfter];
  const first = line === undefined ? undefined : line - sourceBefore.length;
  const lines = texts.map((text, n) => {
    const number = first === undefined ? "" : String(first + n).padStart(5);
    return `\n      ${n === sourceBefore.length ? ">" : " "}${number} | ${truncateValue(text)}`;
  });
  return lines.join("");
}

function formatVars(frame: Frame): string {
  const lines = listVars(frame).map(
    ([name, value]) => `\n        ${truncateValue(`${name} = ${value}`).replace(/\s+/g, " ")}`,
  );
  return lines.slice(0, MAX_VARS).join("");
}

export function truncateValue(text: string): string {
  return truncateText(text, MAX_VALUE_CHARS);
}
