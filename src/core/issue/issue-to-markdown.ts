/**
 * Formats an issue with one of its reports as Markdown, for a ticket or a chat. The format is for
 * people and may change; programs should read the JSON, and agents use MCP.
 */

import { describeSkew, type IssueSkew } from "../deploy-skew/deploy-skew.ts";
import { type DecodedError, listReactErrors, type ReactTexts } from "../error-codes/react-error.ts";
import { buildErrorTree, type ErrorNode, isGroup } from "../errors/error-tree.ts";
import { formatCuts, formatType } from "../errors/error-words.ts";
import { formatGrouping } from "../grouping/explain-grouping.ts";
import { toCodeBlock, toCodeSpan, toList } from "../markdown.ts";
import { formatCulprit } from "../place/issue-place.ts";
import { formatClockSkew } from "../report/clock-skew.ts";
import { formatData, listContexts, listParams, listVars } from "../report/contexts.ts";
import { describeFrame } from "../report/frame-place.ts";
import { getSenderId } from "../report/report-id.ts";
import { formatTitle } from "../report/title.ts";
import type { Frame, LogTemplate, Report, ReportedError, ReportKind } from "../report.ts";
import { toCodeFrame } from "../repositories/code-frame.ts";
import type { CodeFinder } from "../repositories/source-link.ts";
import { formatPeople } from "../stats/people-count.ts";
import { countOwnLevel, countUsers, listLevelCounts } from "../stats/trust-counts.ts";
import { getFileName } from "../symbolication/file-candidates.ts";
import { describeMatch } from "../symbolication/report/describe-match.ts";
import { explainStack } from "../symbolication/report/explain-frame.ts";
import {
  getResolutions,
  type Symbolication,
  toOriginalReport,
} from "../symbolication/report/original-stack.ts";
import { getNamedBuild } from "../symbolication/report/resolve-request.ts";
import { truncateText } from "../truncate.ts";
import { SENT_HOW } from "../trust/trust.ts";
import { getCurrentState } from "./decision.ts";
import type { Issue } from "./issue.ts";

/** The contents of the text. */
interface IssueMarkdownOptions {
  readonly issue: Issue;
  /** The report with the stack; absent or null if no body is stored. */
  readonly report?: Report | null;
  /** The report's stacks in the original source; without it, stacks are as they were sent. */
  readonly symbolication?: Symbolication | null;
  /** The texts of React's error codes; without them, codes are not decoded. */
  readonly reactTexts?: ReactTexts | null;
  /** Finds frames in the repositories of the project; without it, frames have no links. */
  readonly finder?: CodeFinder | undefined;
  readonly project?: string;
  /** The issue's page, with its origin. */
  readonly url: string;
  readonly nowMs: number;
}

const MAX_COMPONENT_CHARS = 2_000;
const MAX_DETAIL_CHARS = 4_000;
const MAX_BREADCRUMBS = 15;
const MAX_HEADERS = 30;
const MAX_CONTEXT_LINES = 40;

/** The text: a heading, a list of facts, then a section per part. */
export function issueToMarkdown({
  issue,
  report,
  symbolication = null,
  reactTexts = null,
  finder,
  project,
  url,
  nowMs,
}: IssueMarkdownOptions): string {
  const sections = [
    `# ${toCodeSpan(formatTitle(issue))}\n`,
    toList(listIssueLines(issue, url, nowMs)),
    ...(report ? formatReportSections(report, symbolication, reactTexts, { finder, project }) : []),
    formatReleases(issue),
  ];
  return sections.filter((section) => section !== "").join("\n");
}

function listIssueLines(issue: Issue, url: string, nowMs: number): readonly string[] {
  const { linkedCount, silent200Count, skew, assignee, tracker, trust } = issue;
  return [
    `Digest: ${toCodeSpan(issue.digest)}, <${url}>`,
    `State: ${getCurrentState(issue, nowMs)}${assignee === undefined ? "" : `, assigned to ${toCodeSpan(assignee)}`}`,
    tracker !== undefined && `Tracker: ${toCodeSpan(tracker.label)}, <${tracker.url}>`,
    formatSeen(issue),
    `Trust: ${trust}`,
    ...formatOrigins(issue),
    linkedCount > 0 && `Linked reports: ${linkedCount}`,
    skew !== undefined && `Deploy skew: ${formatSkew(skew, countOwnLevel(issue))}`,
    silent200Count > 0 && `Failed after a success status: ${formatTimes(silent200Count)}`,
    ...formatFields({
      Where: formatCulprit(issue),
      Route: issue.route,
      Blocked: issue.blockedUri,
      Release: issue.release,
      Environment: issue.environment,
    }),
    issue.grouping !== undefined &&
      `${formatGrouping(issue.grouping, toCodeSpan)} (rules version ${issue.grouping.version})`,
  ].filter((line) => line !== false);
}

/** The occurrences by level, if there are several levels. */
function formatOrigins(issue: Issue): readonly string[] {
  const counts = listLevelCounts(issue);
  const parts = counts.map(([level, count]) => `${count} ${SENT_HOW[level]}`);
  return counts.length < 2 ? [] : [`Sent: ${parts.join(", ")}`];
}

function formatSkew(skew: IssueSkew, total: number): string {
  const pieces = describeSkew(skew, total);
  return pieces.map(({ text, isValue }) => (isValue ? toCodeSpan(text) : text)).join("");
}

function formatSeen(issue: Issue): string {
  const { firstSeenMs, lastSeenMs } = issue;
  const userCount = countUsers(issue);
  const by = userCount === 0 ? "" : `, by ${formatPeople(userCount)}`;
  return `Seen: ${formatTimes(issue.count)}, ${formatTimeRange(firstSeenMs, lastSeenMs)}${by}`;
}

function formatReportSections(
  reportAsSent: Report,
  symbolication: Symbolication | null,
  reactTexts: ReactTexts | null,
  { finder, project }: Pick<IssueMarkdownOptions, "finder" | "project">,
): readonly string[] {
  const report = toOriginalReport(reportAsSent, getResolutions(symbolication));
  const { request, response, componentStack, template, breadcrumbs = [] } = report;
  const headers = (request?.headers ?? []).filter(([name]) => name !== "user-agent");
  const { clockSkewMs } = report;
  const clock =
    clockSkewMs === undefined ? "" : ` (corrected: clock ${formatClockSkew(clockSkewMs)})`;
  const source = `Report ${toCodeSpan(getSenderId(report))} of the ${report.side}, ${formatTime(report.occurredAtMs)}${clock}, trust: ${report.trust}\n`;
  const lines = [
    ...formatFields({
      Request: request?.url && `${request.method ?? ""} ${request.url}`.trim(),
      Query: request?.query,
      Route: request?.route,
      Browser: request?.userAgent,
      Response:
        response && `${response.status}${response.isSilent200 ? ", sent before the failure" : ""}`,
    }),
    ...headers
      .slice(0, MAX_HEADERS)
      .map(([name, value]) => `${toCodeSpan(name)} ${toCodeSpan(value)}`),
  ];
  return [
    `## Stack\n\n${source}\n${formatStack(report)}`,
    formatLinks(reportAsSent, symbolication, finder),
    formatAdvice(reportAsSent, symbolication, project),
    ...(reactTexts === null ? [] : listReactErrors(report, reactTexts).map(formatReactError)),
    ...formatCauses(report),
    template === undefined ? "" : `## Template\n\n${formatTemplate(template)}`,
    componentStack === undefined
      ? ""
      : `## Component stack\n\n${toCodeBlock(truncateText(componentStack.trim(), MAX_COMPONENT_CHARS))}`,
    formatDetail(report),
    lines.length === 0 ? "" : `## Request\n\n${toList(lines)}`,
    formatContexts(report),
    formatNote(formatCuts(report.truncated)),
    breadcrumbs.length === 0 ? "" : `## Breadcrumbs\n\n${toCodeBlock(formatBreadcrumbs(report))}`,
  ];
}

function formatReactError({ code, text, version }: DecodedError): string {
  return `### React error ${code}, text of React ${version}\n\n${toCodeBlock(text)}`;
}

function formatNote(note: string | undefined): string {
  return note === undefined ? "" : `${note}\n`;
}

function formatTemplate(template: LogTemplate): string {
  const params = listParams(template).slice(0, MAX_CONTEXT_LINES);
  const lines = params.map(
    ([name, value]) => `${toCodeSpan(name)} ${toCodeSpan(truncateValue(value))}`,
  );
  return toCodeBlock(truncateText(template.text, MAX_COMPONENT_CHARS)) + toList(lines);
}

/** Contexts of the application. Contexts that SDKs add for every machine are only in the JSON. */
function formatContexts(report: Report): string {
  const lines = listContexts(report)
    .filter(({ isSystem }) => !isSystem)
    .flatMap(({ name, pairs }) =>
      pairs.map(
        ([key, value]) => `${toCodeSpan(`${name}.${key}`)} ${toCodeSpan(truncateValue(value))}`,
      ),
    );
  return lines.length === 0 ? "" : `## Context\n\n${toList(lines.slice(0, MAX_CONTEXT_LINES))}`;
}

const KINDS_WITH_DETAIL: ReadonlySet<ReportKind> = new Set(["csp", "browser", "network"]);

/** The body of a report that is not an error, such as a CSP violation. */
function formatDetail({ kind, detail }: Report): string {
  if (detail === undefined || !KINDS_WITH_DETAIL.has(kind)) return "";
  const json = truncateText(JSON.stringify(detail, null, 2), MAX_DETAIL_CHARS);
  return `## Browser report\n\n${toCodeBlock(json)}`;
}

/** Seconds with one decimal, never `-0.0`. */
function formatSeconds(ms: number): string {
  return (Math.round(ms / 100) / 10 || 0).toFixed(1);
}

function formatBreadcrumbs({ breadcrumbs = [], occurredAtMs }: Report): string {
  const lines = breadcrumbs
    .slice(-MAX_BREADCRUMBS)
    .map(({ atMs, category = "", message, data }) => {
      const offset = atMs === undefined ? "" : `${formatSeconds(atMs - occurredAtMs)} s`;
      const text = data === undefined ? message : `${message} ${formatData(data)}`;
      return `${offset.padStart(9)}  ${category}  ${truncateValue(text).replace(/\s+/g, " ")}`;
    });
  return lines.join("\n");
}

function formatReleases({ releases }: Issue): string {
  if (releases === undefined) return "";
  const lines = releases.values.map(
    ([name, count, firstMs, lastMs]) =>
      `${toCodeSpan(name)}: ${formatTimes(count)}, ${formatTimeRange(firstMs, lastMs)}`,
  );
  return `## Releases\n\n${toList(lines)}`;
}

function formatFields(fields: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`${name}: ${toCodeSpan(truncateValue(value))}`],
  );
}

function formatTimes(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

function formatTimeRange(firstMs: number, lastMs: number): string {
  return firstMs === lastMs
    ? formatTime(firstMs)
    : `${formatTime(firstMs)} to ${formatTime(lastMs)}`;
}

/** A sender's clock can be outside the range of `Date`. */
function formatTime(atMs: number): string {
  const at = new Date(atMs);
  return Number.isNaN(at.getTime()) ? "an unknown time" : at.toISOString();
}

// Formats the stack of a report as Markdown, like V8, with source lines, local variables and advice
// about minified frames.

const MAX_MESSAGE_CHARS = 2_000;
const MAX_FRAMES = 40;
const MAX_LINKS = 10;
/** The number of throwing frames whose local variables are listed. */
const MAX_FRAMES_WITH_VARS = 3;
const MAX_VARS = 12;
/** The number of application frames whose source lines are printed. */
const MAX_FRAMES_WITH_LINES = 3;
const MAX_VALUE_CHARS = 200;

/** The error and its parsed frames, or the raw stack if none could be parsed. */
function formatStack(error: ReportedError & Pick<Report, "stack">): string {
  const { message, frames, stack = "" } = error;
  const lines = frames.length > 0 ? formatFrames(frames) : truncateText(stack, MAX_MESSAGE_CHARS);
  const title = `${formatType(error)}: ${truncateText(message, MAX_MESSAGE_CHARS)}`;
  return toCodeBlock(`${title}\n${lines}`);
}

/**
 * The errors below the report's own, each with the path to it: `### Member 2 of 3 › Caused by`.
 */
function formatCauses(report: Report): readonly string[] {
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
function formatAdvice(
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

/** The lines in the repository of the first frames that have one. */
function formatLinks(
  { frames }: Report,
  symbolication: Symbolication | null,
  finder: CodeFinder | undefined,
): string {
  const [resolutions = []] = getResolutions(symbolication);
  const lines = frames.flatMap((frame, n) => {
    const original = toCodeFrame(frame, resolutions[n]);
    const link = finder?.findLink(original);
    if (link === undefined) return [];
    const { path, revision, url } = link;
    const at = revision.commit === undefined ? "on a branch, where lines may have moved: " : "";
    return [`${toCodeSpan([path, original.line ?? []].flat().join(":"))} ${at}<${url}>`];
  });
  return toList([...new Set(lines)].slice(0, MAX_LINKS));
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

function truncateValue(text: string): string {
  return truncateText(text, MAX_VALUE_CHARS);
}
