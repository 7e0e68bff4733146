/**
 * From a report to its mark, the little that an index keeps of it. Pure, so that an index can be rebuilt from the record
 * and comes out the same.
 */
import { browserOf } from "./browser.ts";
import { cutText } from "./cut.ts";
import type { Mark, Position } from "./issue.ts";
import { limits } from "./limits.ts";
import { isOwnTrace } from "./own-trace.ts";
import { present } from "./present.ts";
import type { Report } from "./report.ts";
import { whereOf } from "./title.ts";

const MAX_MARK_MESSAGE_CHARS = 300;
const MAX_MARK_URL_CHARS = 500;
const MAX_MARK_NAME_CHARS = 200;

/**
 * The mark of a report that is stored at `position`, of some 2,000 characters at most and without control characters (each of
 * which JSON writes as six): an issue names many marks, and must fit into a row. Its aliases are codes of the fault; its
 * traces name one render each, and the index forgets them after a day.
 */
export function markOf(report: Report, position: Position): Mark {
  const userAgent = report.request?.userAgent;
  return present({
    id: report.id,
    digest: report.digest,
    linked: report.linked,
    position,
    kind: report.kind,
    side: report.side,
    atMs: report.occurredAtMs,
    type: short(report.type, MAX_MARK_NAME_CHARS),
    message: short(report.message, MAX_MARK_MESSAGE_CHARS),
    where: short(whereOf(report.frames), MAX_MARK_NAME_CHARS),
    route: short(report.request?.route, MAX_MARK_URL_CHARS),
    url: short(report.request?.url, MAX_MARK_URL_CHARS),
    release: short(report.release, limits.maxReleaseChars),
    environment: short(report.environment, MAX_MARK_NAME_CHARS),
    browser: userAgent === undefined ? undefined : browserOf(userAgent),
    silent: report.response?.silent === true ? true : undefined,
    tags: tagsOf(report),
    blocked: short(report.blocked, MAX_MARK_URL_CHARS),
    aliases: report.aliases,
    noise: report.noise,
    keyed: report.keyed,
    visitors: report.visitors,
    ...tracesOf(report),
  });
}

/** Of a failed render its own, by which browsers' errors find it; of a browser's error those that may be a render's. */
function tracesOf(report: Report): Pick<Mark, "trace" | "pageTrace"> {
  const { format, side, kind, traceId, pageTraceId } = report;
  const tells = format === "render" || (side === "browser" && kind === "error");
  if (!tells) return {};
  return present({
    trace: isOwnTrace(traceId) ? traceId : undefined,
    pageTrace: isOwnTrace(pageTraceId) ? pageTraceId : undefined,
  });
}

/** The first few, each of a few words: an issue counts by them. */
function tagsOf({ tags }: Report): Mark["tags"] {
  if (tags === undefined || tags.length === 0) return undefined;
  const max = limits.maxMarkTagChars;
  return tags
    .slice(0, limits.tagsPerMark)
    .map(([key, value]) => [short(key, max), short(value, max)]);
}

function short(text: string, maxChars: number): string;
function short(text: string | undefined, maxChars: number): string | undefined;
function short(text: string | undefined, maxChars: number): string | undefined {
  return text === undefined ? undefined : cutText(text.replace(/\p{Cc}/gu, " "), maxChars);
}
