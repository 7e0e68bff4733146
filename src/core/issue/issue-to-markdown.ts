/**
 * Formats an issue with one of its reports as Markdown, for a ticket, a chat or a coding agent. The
 * format is for people and may change; programs should read the JSON.
 */

import { formatCuts } from "../errors/error-words.ts";
import { formatGrouping } from "../grouping/explain-grouping.ts";
import { toCodeBlock, toCodeSpan, toList } from "../markdown.ts";
import { formatCulprit } from "../place/issue-place.ts";
import { formatClockSkew } from "../report/clock-skew.ts";
import { formatData, listContexts, listParams } from "../report/contexts.ts";
import { getSenderId } from "../report/report-id.ts";
import { formatTitle } from "../report/title.ts";
import type { LogTemplate, Report, ReportKind } from "../report.ts";
import { countUsers, listLevelCounts } from "../stats/trust-counts.ts";
import {
  getResolutions,
  type Symbolication,
  toOriginalReport,
} from "../symbolication/report/original-stack.ts";
import { truncateText } from "../truncate.ts";
import { SENT_HOW } from "../trust/trust.ts";
import { getCurrentState } from "./decision.ts";
import type { Issue } from "./issue.ts";
import { formatAdvice, formatCauses, formatStack, truncateValue } from "./stack-to-markdown.ts";

/** The contents of the text. */
interface IssueMarkdownOptions {
  readonly issue: Issue;
  /** The report with the stack; absent or null if no body is stored. */
  readonly report?: Report | null;
  /** The report's stacks in the original source; without it, stacks are as they were sent. */
  readonly symbolication?: Symbolication | null;
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
  project,
  url,
  nowMs,
}: IssueMarkdownOptions): string {
  const sections = [
    `# ${toCodeSpan(formatTitle(issue))}\n`,
    toList(listIssueLines(issue, url, nowMs)),
    ...(report ? formatReportSections(report, symbolication, project) : []),
    formatReleases(issue),
  ];
  return sections.filter((section) => section !== "").join("\n");
}

function listIssueLines(issue: Issue, url: string, nowMs: number): readonly string[] {
  const { linkedCount, silent200Count, assignee, trust } = issue;
  return [
    `Digest: ${toCodeSpan(issue.digest)}, <${url}>`,
    `State: ${getCurrentState(issue, nowMs)}${assignee === undefined ? "" : `, assigned to ${toCodeSpan(assignee)}`}`,
    formatSeen(issue),
    `Trust: ${trust}`,
    ...formatOrigins(issue),
    linkedCount > 0 && `Linked reports: ${linkedCount}`,
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

function formatSeen(issue: Issue): string {
  const { firstSeenMs, lastSeenMs } = issue;
  const userCount = countUsers(issue);
  const by =
    userCount === 0 ? "" : `, by about ${userCount} ${userCount === 1 ? "person" : "people"}`;
  return `Seen: ${formatTimes(issue.count)}, ${formatTimeRange(firstSeenMs, lastSeenMs)}${by}`;
}

function formatReportSections(
  reportAsSent: Report,
  symbolication: Symbolication | null,
  project: string | undefined,
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
    formatAdvice(reportAsSent, symbolication, project),
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
