/**
 * From a report to its mark, the little that an index keeps of it. Pure, so that an index can be rebuilt from the record
 * and comes out the same.
 */
import { browserOf } from "./browser.ts";
import { cutText } from "./cut.ts";
import type { Mark, Position } from "./issue.ts";
import { present } from "./present.ts";
import type { Report } from "./report.ts";
import { whereOf } from "./title.ts";

const MAX_MARK_MESSAGE_CHARS = 300;

/**
 * The mark of a report that is stored at `position`. Its aliases are codes of the fault. A trace id or a Ray ID is none: it
 * names one occurrence, several faults may share it, and each would cost a key.
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
    type: report.type,
    message: cutText(report.message, MAX_MARK_MESSAGE_CHARS),
    where: whereOf(report.frames),
    route: report.request?.route,
    url: report.request?.url,
    release: report.release,
    environment: report.environment,
    browser: userAgent === undefined ? undefined : browserOf(userAgent),
    silent: report.response?.silent === true ? true : undefined,
    aliases: report.aliases,
  });
}
