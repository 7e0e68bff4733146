/**
 * A report within `limits.maxReportBytes`, whatever it held but its attachments: what says least about the fault goes first, and the report says
 * what went. Pure and total.
 */
import { cutText } from "./cut.ts";
import { limits } from "./limits.ts";
import { lineOf } from "./line.ts";
import { present } from "./present.ts";
import type { Frame, Report } from "./report.ts";

/**
 * A report whose JSON has at most `limits.maxReportBytes` bytes of UTF-8, attachments apart. `cut` names each part that was
 * lost.
 */
export function fitReport(report: Report): Report {
  let fitted = report;
  for (const [name, lose] of LOSSES) {
    if (fits(fitted)) return fitted;
    fitted = { ...lose(fitted), cut: [...new Set([...(fitted.cut ?? []), name])] };
  }
  return fitted;
}

const encoder = new TextEncoder();

function fits(report: Report): boolean {
  const text = lineOf(report.attachments === undefined ? report : withoutAttachments(report));
  // A UTF-16 unit is at most three bytes of UTF-8: most reports need not be encoded to know.
  if (text.length * 3 <= limits.maxReportBytes) return true;
  return encoder.encode(text).length <= limits.maxReportBytes;
}

function withoutAttachments({ attachments: _attachments, ...rest }: Report): Report {
  return rest;
}

/** In the order in which they are lost. The last leaves a report that fits for certain. */
const LOSSES: readonly (readonly [name: string, lose: (report: Report) => Report])[] = [
  ["detail", ({ detail: _detail, ...rest }) => rest],
  ["breadcrumbs", ({ breadcrumbs: _breadcrumbs, ...rest }) => rest],
  ["source", (report) => ({ ...report, frames: report.frames.map(placeOf) })],
  ["causes", ({ causes: _causes, ...rest }) => rest],
  ["stack", ({ stack: _stack, ...rest }) => rest],
  ["everything", essenceOf],
];

function placeOf({
  source: _source,
  sourceBefore: _before,
  sourceAfter: _after,
  ...place
}: Frame): Frame {
  return place;
}

const ESSENTIAL_FRAMES = 10;
const ESSENTIAL_CHARS = 200;

/** JSON may need six bytes for a character: with these numbers some 100 KB at worst. */
function essenceOf(report: Report): Report {
  const { v, id, digest, linked, kind, side, format, occurredAtMs, receivedAtMs, scrubbed } =
    report;
  return {
    ...{ v, id, digest, linked, kind, side, format, occurredAtMs, receivedAtMs, scrubbed },
    type: cutText(report.type, limits.maxTypeChars),
    message: cutText(report.message, limits.maxMessageChars),
    frames: report.frames.slice(0, ESSENTIAL_FRAMES).map((frame) => ({
      ...frame,
      ...(frame.function !== undefined && { function: cutText(frame.function, ESSENTIAL_CHARS) }),
      ...(frame.file !== undefined && { file: cutText(frame.file, ESSENTIAL_CHARS) }),
    })),
    ...present({
      release: cutIf(report.release),
      environment: cutIf(report.environment),
      traceId: cutIf(report.traceId),
      request: report.request?.route
        ? { route: cutText(report.request.route, ESSENTIAL_CHARS) }
        : undefined,
    }),
    ...(report.aliases !== undefined && { aliases: aliasesOf(report.aliases) }),
    ...(report.noise !== undefined && { noise: report.noise }),
    ...(report.visitors !== undefined && { visitors: report.visitors }),
    ...(report.retryId !== undefined && { retryId: report.retryId }),
    ...(report.attachments !== undefined && { attachments: report.attachments }),
  };
}

function cutIf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : cutText(text, ESSENTIAL_CHARS);
}

function aliasesOf(aliases: readonly string[]): readonly string[] {
  return aliases
    .filter((alias) => alias.length <= ESSENTIAL_CHARS)
    .slice(0, limits.maxAliasesPerReport);
}
