/**
 * Shrinks a report to `limits.maxReportBytes`, not counting attachments. Drops the least useful
 * parts first and lists them in `truncated`. Pure; never throws.
 */

import { limits } from "../limits.ts";
import { serializeReport } from "../report/serialize-report.ts";
import type { Frame, Report } from "../report.ts";
import { truncateText } from "../truncate.ts";

/**
 * The report with at most `limits.maxReportBytes` bytes of JSON in UTF-8, not counting attachments.
 * `truncated` lists each part that was dropped.
 */
export function shrinkToLimit(report: Report): Report {
  let shrunk = report;
  for (const [name, reduce] of REDUCTIONS) {
    if (isWithinLimit(shrunk)) return shrunk;
    const reduced = reduce(shrunk);
    if (reduced === shrunk) continue;
    shrunk = { ...reduced, truncated: [...new Set([...(shrunk.truncated ?? []), name])] };
  }
  return shrunk;
}

const encoder = new TextEncoder();

function isWithinLimit(report: Report): boolean {
  const text = serializeReport(
    report.attachments === undefined ? report : withoutAttachments(report),
  );
  // A UTF-16 code unit is at most three bytes of UTF-8, so most reports need no encoding.
  if (text.length * 3 <= limits.maxReportBytes) return true;
  return encoder.encode(text).length <= limits.maxReportBytes;
}

function withoutAttachments({ attachments: _attachments, ...rest }: Report): Report {
  return rest;
}

/** In the order in which parts are dropped. The last step leaves a report that always fits. */
const REDUCTIONS: readonly (readonly [name: string, reduce: (report: Report) => Report])[] = [
  ["vars", dropVars],
  ["breadcrumb data", dropBreadcrumbData],
  ["detail", ({ detail: _detail, ...rest }) => rest],
  ["breadcrumbs", ({ breadcrumbs: _breadcrumbs, ...rest }) => rest],
  ["source", (report) => ({ ...report, frames: report.frames.map(withoutSource) })],
  ["causes", ({ causes: _causes, ...rest }) => rest],
  ["stack", ({ stack: _stack, ...rest }) => rest],
  ["everything", keepEssentials],
];

/** The report without local variables of frames; the report itself if it has none. */
export function dropVars<T extends Pick<Report, "frames" | "causes">>(report: T): T {
  const { frames, causes } = report;
  if (
    ![{ frames }, ...(causes ?? [])].some((error) =>
      error.frames.some(({ vars }) => vars !== undefined),
    )
  )
    return report;
  return {
    ...report,
    frames: frames.map(withoutVars),
    causes: causes?.map((cause) => ({ ...cause, frames: cause.frames.map(withoutVars) })),
  };
}

function withoutVars({ vars: _vars, ...frame }: Frame): Frame {
  return frame;
}

function dropBreadcrumbData(report: Report): Report {
  const { breadcrumbs } = report;
  if (!breadcrumbs?.some(({ data }) => data !== undefined)) return report;
  return { ...report, breadcrumbs: breadcrumbs.map(({ data: _data, ...rest }) => rest) };
}

function withoutSource({
  source: _source,
  sourceBefore: _before,
  sourceAfter: _after,
  ...position
}: Frame): Frame {
  return position;
}

const ESSENTIAL_FRAMES = 10;
const ESSENTIAL_CHARS = 200;

/** JSON may need six bytes per character, so these limits allow about 100 KB. */
function keepEssentials(report: Report): Report {
  const { v, id, digest, isLinked, trust, kind, side, format } = report;
  const { occurredAtMs, receivedAtMs, scrubbedCount } = report;
  return {
    v,
    id,
    digest,
    isLinked,
    trust,
    kind,
    side,
    format,
    occurredAtMs,
    receivedAtMs,
    scrubbedCount,
    type: truncateText(report.type, limits.maxTypeChars),
    message: truncateText(report.message, limits.maxMessageChars),
    frames: report.frames.slice(0, ESSENTIAL_FRAMES).map(keepPosition),
    release: truncateIfDefined(report.release),
    environment: truncateIfDefined(report.environment),
    traceId: truncateIfDefined(report.traceId),
    platform: report.platform,
    grouping: report.grouping,
    clockSkewMs: report.clockSkewMs,
    request: report.request?.route
      ? { route: truncateText(report.request.route, ESSENTIAL_CHARS) }
      : undefined,
    aliases: report.aliases && limitAliases(report.aliases),
    noise: report.noise,
    userSketch: report.userSketch,
    networkSketch: report.networkSketch,
    senderKey: report.senderKey,
    eventId: report.eventId,
    retryId: report.retryId,
    attachments: report.attachments,
  };
}

function keepPosition({ inApp, line, column, ...texts }: Frame): Frame {
  return {
    function: truncateIfDefined(texts.function),
    module: truncateIfDefined(texts.module),
    file: truncateIfDefined(texts.file),
    package: truncateIfDefined(texts.package),
    line,
    column,
    inApp,
  };
}

function truncateIfDefined(text: string | undefined): string | undefined {
  return text === undefined ? undefined : truncateText(text, ESSENTIAL_CHARS);
}

function limitAliases(aliases: readonly string[]): readonly string[] {
  return aliases
    .filter((alias) => alias.length <= ESSENTIAL_CHARS)
    .slice(0, limits.maxAliasesPerReport);
}
