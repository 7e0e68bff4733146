/**
 * A report within `limits.maxReportBytes`, whatever it held but its attachments: what says least about the fault goes first, and the report says
 * what went. Pure and total.
 */

import { limits } from "../limits.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { serializeReport } from "../report/serialize-report.ts";
import type { Frame, Report } from "../report.ts";
import { truncateText } from "../truncate.ts";

/**
 * A report whose JSON has at most `limits.maxReportBytes` bytes of UTF-8, attachments apart. `cut` names each part that was
 * lost.
 */
export function shrinkToLimit(report: Report): Report {
  let shrunk = report;
  for (const [name, reduce] of REDUCTIONS) {
    if (isWithinLimit(shrunk)) return shrunk;
    shrunk = { ...reduce(shrunk), truncated: [...new Set([...(shrunk.truncated ?? []), name])] };
  }
  return shrunk;
}

const encoder = new TextEncoder();

function isWithinLimit(report: Report): boolean {
  const text = serializeReport(
    report.attachments === undefined ? report : withoutAttachments(report),
  );
  // A UTF-16 unit is at most three bytes of UTF-8: most reports need not be encoded to know.
  if (text.length * 3 <= limits.maxReportBytes) return true;
  return encoder.encode(text).length <= limits.maxReportBytes;
}

function withoutAttachments({ attachments: _attachments, ...rest }: Report): Report {
  return rest;
}

/** In the order in which they are lost. The last leaves a report that fits for certain. */
const REDUCTIONS: readonly (readonly [name: string, reduce: (report: Report) => Report])[] = [
  ["detail", ({ detail: _detail, ...rest }) => rest],
  ["breadcrumbs", ({ breadcrumbs: _breadcrumbs, ...rest }) => rest],
  ["source", (report) => ({ ...report, frames: report.frames.map(withoutSource) })],
  ["causes", ({ causes: _causes, ...rest }) => rest],
  ["stack", ({ stack: _stack, ...rest }) => rest],
  ["everything", keepEssentials],
];

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

/** JSON may need six bytes for a character: with these numbers some 100 KB at worst. */
function keepEssentials(report: Report): Report {
  const { v, id, digest, isLinked, kind, side, format, occurredAtMs, receivedAtMs, scrubbedCount } =
    report;
  return {
    ...{ v, id, digest, isLinked, kind, side, format, occurredAtMs, receivedAtMs, scrubbedCount },
    type: truncateText(report.type, limits.maxTypeChars),
    message: truncateText(report.message, limits.maxMessageChars),
    frames: report.frames.slice(0, ESSENTIAL_FRAMES).map((frame) => ({
      ...frame,
      ...(frame.function !== undefined && {
        function: truncateText(frame.function, ESSENTIAL_CHARS),
      }),
      ...(frame.file !== undefined && { file: truncateText(frame.file, ESSENTIAL_CHARS) }),
    })),
    ...omitUndefined({
      release: truncateIfDefined(report.release),
      environment: truncateIfDefined(report.environment),
      traceId: truncateIfDefined(report.traceId),
      request: report.request?.route
        ? { route: truncateText(report.request.route, ESSENTIAL_CHARS) }
        : undefined,
    }),
    ...(report.aliases !== undefined && { aliases: limitAliases(report.aliases) }),
    ...(report.noise !== undefined && { noise: report.noise }),
    ...(report.userSketch !== undefined && { userSketch: report.userSketch }),
    ...(report.retryId !== undefined && { retryId: report.retryId }),
    ...(report.attachments !== undefined && { attachments: report.attachments }),
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
