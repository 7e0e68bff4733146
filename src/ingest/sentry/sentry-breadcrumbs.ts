/**
 * Parses the breadcrumbs of a Sentry event, oldest first.
 * Source: Sentry develop docs › Event Payloads › Breadcrumbs.
 */

import {
  asList,
  asRecord,
  asText,
  asTextPairs,
  filterRecords,
  type JsonFields,
  parseTimeMs,
} from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
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
  const category =
    truncations.limitString("breadcrumbs", breadcrumb.category) ??
    truncations.limitString("breadcrumbs", breadcrumb.type);
  return omitUndefined({
    atMs: parseTimeMs(breadcrumb.timestamp),
    category,
    level: truncations.limitString("breadcrumbs", breadcrumb.level),
    message:
      truncations.limitString("breadcrumbs", breadcrumb.message) ??
      truncations.limitString("breadcrumbs", formatBreadcrumbData(breadcrumb.data)) ??
      category ??
      "",
  });
}

/**
 * A request as `GET /missing.json 404`, a navigation as `/ → /cart`, other data as `name: value`.
 */
function formatBreadcrumbData(data: unknown): string {
  const fields = asRecord(data) ?? {};
  const [url, from, to] = [asText(fields.url), asText(fields.from), asText(fields.to)];
  if (url !== undefined) {
    const parts = [asText(fields.method), url, asText(fields.status_code)];
    return parts.filter((part) => part !== undefined).join(" ");
  }
  if (from !== undefined && to !== undefined) return `${from} → ${to}`;
  return asTextPairs(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ");
}
