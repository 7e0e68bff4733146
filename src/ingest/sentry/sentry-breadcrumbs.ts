/**
 * Parses the breadcrumbs of a Sentry event, oldest first.
 * Source: Sentry develop docs › Event Payloads › Breadcrumbs.
 */

import {
  asList,
  asRecord,
  asText,
  filterRecords,
  type JsonFields,
  parseTimeMs,
} from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import type { Breadcrumb } from "../../core/report.ts";
import type { Truncations } from "../decode/truncations.ts";

/** The newest breadcrumbs, from a bare list or `{"values": […]}`. Undefined if there are none. */
export function parseBreadcrumbs(
  breadcrumbs: unknown,
  truncations: Truncations,
): readonly Breadcrumb[] | undefined {
  const newest = truncations.takeLast("breadcrumbs", asList(breadcrumbs), limits.maxBreadcrumbs);
  const parsed = filterRecords(newest).map((breadcrumb) =>
    parseBreadcrumb(breadcrumb, truncations),
  );
  return parsed.length === 0 ? undefined : parsed;
}

function parseBreadcrumb(breadcrumb: JsonFields, truncations: Truncations): Breadcrumb {
  const limit = (value: unknown) =>
    truncations.limitShown("breadcrumbs", value, limits.maxStringChars);
  const category = limit(breadcrumb.category) ?? limit(breadcrumb.type);
  const message = limit(breadcrumb.message);
  const data = asRecord(breadcrumb.data) ?? {};
  const summary = message === undefined ? summarizeData(data) : undefined;
  const rest = summary?.rest ?? data;
  return {
    atMs: parseTimeMs(breadcrumb.timestamp),
    category,
    level: limit(breadcrumb.level),
    message: message ?? limit(summary?.text) ?? category ?? "",
    data: truncations.limitJson("breadcrumbs", rest, DATA_LIMITS),
  };
}

/** A report may have a hundred breadcrumbs. */
const DATA_LIMITS = { maxDepth: 4, maxMembers: 20, maxValues: 60, maxStringChars: 500 };

/**
 * The data of a breadcrumb without a message as text, and the members that are not in it: a request
 * as `GET /missing.json 404`, a navigation as `/ → /cart`, other data as `name: value`.
 */
function summarizeData(data: JsonFields): { readonly text?: string; readonly rest: JsonFields } {
  const { url, method, status_code: status, ...ofRequest } = data;
  const address = asText(url);
  if (address !== undefined) {
    const parts = [asText(method), address, asText(status)];
    return { text: parts.filter((part) => part !== undefined).join(" "), rest: ofRequest };
  }
  const { from, to, ...ofNavigation } = data;
  const [start, end] = [asText(from), asText(to)];
  if (start !== undefined && end !== undefined)
    return { text: `${start} → ${end}`, rest: ofNavigation };
  const members = Object.entries(data);
  return {
    text: members
      .filter(([, value]) => asText(value) !== undefined)
      .map(([name, value]) => `${name}: ${asText(value)}`)
      .join(", "),
    rest: Object.fromEntries(members.filter(([, value]) => asText(value) === undefined)),
  };
}
