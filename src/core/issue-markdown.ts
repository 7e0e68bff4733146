/**
 * An issue with one of its reports as Markdown: for a ticket, a chat, or whoever is asked to mend it. It is written for people, may
 * change, and is read by nobody: JSON is there for that.
 */
import { cutText } from "./cut.ts";
import { stateOf } from "./decision.ts";
import type { Issue } from "./issue.ts";
import { codeBlock, codeSpan } from "./markdown.ts";
import type { Frame, Report, ReportKind } from "./report.ts";
import { contextOf } from "./report-context.ts";
import { titleOf } from "./title.ts";
import { countVisitors } from "./visitors.ts";

/** What is written down. */
export interface IssueMarkdown {
  readonly issue: Issue;
  /** The report whose stack it has; absent or null when no body is kept. */
  readonly report?: Report | null;
  /** The issue's page, with its origin. */
  readonly url: string;
  readonly nowMs: number;
}

const MAX_MESSAGE_CHARS = 2_000;
const MAX_FRAMES = 40;
const MAX_COMPONENT_CHARS = 2_000;
const MAX_DETAIL_CHARS = 4_000;
const MAX_CRUMBS = 15;
const MAX_CRUMB_CHARS = 200;
const MAX_HEADERS = 30;
const MAX_CONTEXT_LINES = 40;

/** The text: a heading, the facts as a list, then a section for each thing that is known. */
export function issueMarkdown({ issue, report, url, nowMs }: IssueMarkdown): string {
  const sections = [
    `# ${codeSpan(titleOf(issue))}\n`,
    list(factsOf(issue, url, nowMs)),
    ...(report ? reportSections(report) : []),
    releasesOf(issue),
  ];
  return sections.filter((section) => section !== "").join("\n");
}

function factsOf(issue: Issue, url: string, nowMs: number): readonly string[] {
  const { linked, silent, assignee } = issue;
  return [
    `Digest: ${codeSpan(issue.digest)}, <${url}>`,
    `State: ${stateOf(issue, nowMs)}${assignee === undefined ? "" : `, assigned to ${codeSpan(assignee)}`}`,
    seenOf(issue),
    linked > 0 && `Reports that lead here: ${linked}`,
    silent > 0 && `Answered with success although it failed: ${times(silent)}`,
    ...named({
      Where: issue.where,
      Route: issue.route,
      Blocked: issue.blocked,
      Release: issue.release,
      Environment: issue.environment,
    }),
  ].filter((fact) => fact !== false);
}

function seenOf({ count, visitors, firstSeenMs, lastSeenMs }: Issue): string {
  const people = countVisitors(visitors);
  const by = people === 0 ? "" : `, by about ${people} ${people === 1 ? "person" : "people"}`;
  return `Seen: ${times(count)}, ${span(firstSeenMs, lastSeenMs)}${by}`;
}

function reportSections(report: Report): readonly string[] {
  const { request, response, componentStack, causes = [], breadcrumbs = [] } = report;
  const headers = (request?.headers ?? []).filter(([name]) => name !== "user-agent");
  const words = codeBlock(
    `${report.type}: ${cutText(report.message, MAX_MESSAGE_CHARS)}\n${stackOf(report)}`,
  );
  const of = `Report ${codeSpan(report.id)} of the ${report.side}, ${moment(report.occurredAtMs)}\n`;
  const lines = [
    ...named({
      Request: request?.url && `${request.method ?? ""} ${request.url}`.trim(),
      Route: request?.route,
      Browser: request?.userAgent,
      Answered: response && `${response.status}${response.silent ? ", before it failed" : ""}`,
    }),
    ...headers.slice(0, MAX_HEADERS).map(([name, value]) => `${codeSpan(name)} ${codeSpan(value)}`),
  ];
  return [
    `## Stack\n\n${of}\n${words}`,
    ...causes.map(
      ({ type, message, frames }) =>
        `### Caused by\n\n${codeBlock(`${type}: ${cutText(message, MAX_MESSAGE_CHARS)}\n${framesOf(frames)}`)}`,
    ),
    componentStack === undefined
      ? ""
      : `## Component stack\n\n${codeBlock(cutText(componentStack.trim(), MAX_COMPONENT_CHARS))}`,
    detailOf(report),
    lines.length === 0 ? "" : `## Request\n\n${list(lines)}`,
    contextLines(report),
    breadcrumbs.length === 0 ? "" : `## Before it happened\n\n${codeBlock(trailOf(report))}`,
  ];
}

/** What the application said; what SDKs say of every machine is left to the JSON. */
function contextLines(report: Report): string {
  const lines = contextOf(report)
    .filter(({ isOfSystem }) => !isOfSystem)
    .flatMap(({ name, pairs }) =>
      pairs.map(([key, value]) => `${codeSpan(`${name}.${key}`)} ${codeSpan(cut(value))}`),
    );
  return lines.length === 0 ? "" : `## Context\n\n${list(lines.slice(0, MAX_CONTEXT_LINES))}`;
}

const SAYS_ITSELF: ReadonlySet<ReportKind> = new Set(["csp", "browser", "network"]);

/** The body of a report that is no error: for a violated policy it is the report. */
function detailOf({ kind, detail }: Report): string {
  if (detail === undefined || !SAYS_ITSELF.has(kind)) return "";
  const json = cutText(JSON.stringify(detail, null, 2), MAX_DETAIL_CHARS);
  return `## What the browser said\n\n${codeBlock(json)}`;
}

/** The frames; where none could be read the stack as it came. */
function stackOf({ frames, stack = "" }: Report): string {
  return frames.length > 0 ? framesOf(frames) : cutText(stack, MAX_MESSAGE_CHARS);
}

/** As V8 writes a stack; the line that threw stands under the frame that is known to have it. */
function framesOf(frames: readonly Frame[]): string {
  const written = frames.slice(0, MAX_FRAMES).map((frame, index) => {
    const { file, line, column, source } = frame;
    const place = [file ?? "unknown", line, column].filter((part) => part !== undefined).join(":");
    const threw = index === 0 && source !== undefined ? `\n      > ${cut(source.trim())}` : "";
    return `    at ${frame.function ?? "(anonymous)"} (${place})${frame.inApp ? "" : " [library]"}${threw}`;
  });
  const left = frames.length - written.length;
  return [...written, ...(left > 0 ? [`    … and ${left} older frames`] : [])].join("\n");
}

/** In seconds, and never `-0.0`. */
function tenthsOf(ms: number): string {
  return (Math.round(ms / 100) / 10 || 0).toFixed(1);
}

function trailOf({ breadcrumbs = [], occurredAtMs }: Report): string {
  const crumbs = breadcrumbs.slice(-MAX_CRUMBS).map(({ atMs, category = "", message }) => {
    const before = atMs === undefined ? "" : `${tenthsOf(atMs - occurredAtMs)} s`;
    return `${before.padStart(9)}  ${category}  ${cut(message).replace(/\s+/g, " ")}`;
  });
  return crumbs.join("\n");
}

function releasesOf({ releases }: Issue): string {
  if (releases === undefined) return "";
  const lines = releases.values.map(
    ([name, count, firstMs, lastMs]) =>
      `${codeSpan(name)}: ${times(count)}, ${span(firstMs, lastMs)}`,
  );
  return `## Releases\n\n${list(lines)}`;
}

function named(facts: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(facts).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`${name}: ${codeSpan(cut(value))}`],
  );
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}\n`).join("");
}

function cut(text: string): string {
  return cutText(text, MAX_CRUMB_CHARS);
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

function span(firstMs: number, lastMs: number): string {
  return firstMs === lastMs ? moment(firstMs) : `${moment(firstMs)} to ${moment(lastMs)}`;
}

/** A sender's clock may say anything; what no calendar holds is not written as a date. */
function moment(atMs: number): string {
  const at = new Date(atMs);
  return Number.isNaN(at.getTime()) ? "an unknown time" : at.toISOString();
}
