/**
 * The stack of a report as a part of its key: `shop.http#require < shop.bill#show`. Only issues
 * that a project splits by stack have it, because it changes when a caller is refactored. Pure;
 * linear in the size of the stack.
 */
import { limits } from "../limits.ts";
import { isJavaScript, type NoiseRule, type ParsedReport, type ReportGrouping } from "../report.ts";
import { chooseError } from "./v1/choose-error.ts";
import { listFunctions } from "./v1/code-location.ts";
import { nameJavaScriptFrame } from "./v1/javascript-location.ts";

/** The members of a report that its stack depends on. */
type StackedReport = Pick<
  ParsedReport,
  "side" | "platform" | "level" | "type" | "message" | "frames" | "isGroup" | "causes"
>;

/**
 * The functions of the application, newest first, each once, at most `limits.framesPerStackPart`.
 * Undefined if the stack names none. It contains no lines, except of minified code and of images
 * without symbols, where it holds until the next build. `grouping` is that of the report.
 */
export function describeStack(
  report: StackedReport,
  { parts }: ReportGrouping,
): string | undefined {
  const { platform = "javascript", side, level } = report;
  const frames = selectFrames(report);
  const names = isJavaScript(platform)
    ? frames.flatMap((frame) => (frame.inApp && nameJavaScriptFrame(frame, side)) || [])
    : listFunctions(frames, platform, level === "fatal");
  const functions = [...new Set(names)];
  // The depth of endless recursion decides which function is the newest.
  if (parts.some(({ value }) => RECURSION.test(value))) functions.sort();
  return functions.slice(0, limits.framesPerStackPart).join(" < ") || undefined;
}

/** True for an issue that can be split by stack: not noise, and not the result of a split. */
export function canSplitByStack({
  grouping,
  noise,
}: {
  readonly grouping?: ReportGrouping;
  readonly noise?: NoiseRule;
}): boolean {
  return grouping !== undefined && grouping.splitFrom === undefined && noise === undefined;
}

/** Types of runtimes, and the message of an engine as keys have it. */
const RECURSION =
  /^(?:RecursionError|StackOverflowError|SystemStackError|(?:System\.)?(?:InsufficientExecutionStack|StackOverflow)Exception|too much recursion)$/;

/** The stack of the error that stands for the report. Members of a group have no fixed order. */
function selectFrames(report: StackedReport): StackedReport["frames"] {
  const { error, others } = chooseError(report);
  const [first, second] = others > 0 ? [report, error] : [error, report];
  return first.frames.some(({ inApp }) => inApp) ? first.frames : second.frames;
}
