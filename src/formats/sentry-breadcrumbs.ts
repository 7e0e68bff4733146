/**
 * The breadcrumbs of a Sentry event: what happened before, oldest first.
 * Source: Sentry develop docs › Event Payloads › Breadcrumbs.
 */
import { limits } from "../core/limits.ts";
import { present } from "../core/present.ts";
import type { Breadcrumb } from "../core/report.ts";
import type { Cuts } from "./cuts.ts";
import { type Fields, listOf, pairsOf, recordOf, recordsOf, textOf, timeMsOf } from "./decode.ts";

/** The newest breadcrumbs, from a bare list or `{"values": […]}`. Undefined when there are none. */
export function breadcrumbsOf(breadcrumbs: unknown, cuts: Cuts): readonly Breadcrumb[] | undefined {
  const newest = cuts.last("breadcrumbs", listOf(breadcrumbs), limits.maxBreadcrumbs);
  const kept = recordsOf(newest).map((crumb) => breadcrumbOf(crumb, cuts));
  return kept.length === 0 ? undefined : kept;
}

function breadcrumbOf(crumb: Fields, cuts: Cuts): Breadcrumb {
  const text = (value: unknown) => cuts.text("breadcrumbs", value, limits.maxStringChars);
  const category = text(crumb.category) ?? text(crumb.type);
  return present({
    atMs: timeMsOf(crumb.timestamp),
    category,
    level: text(crumb.level),
    message: text(crumb.message) ?? text(sentenceOf(crumb.data)) ?? category ?? "",
  });
}

/** A request as `GET /missing.json 404`, a navigation as `/ → /cart`, anything else as `name: value` pairs. */
function sentenceOf(data: unknown): string {
  const fields = recordOf(data) ?? {};
  const [url, from, to] = [textOf(fields.url), textOf(fields.from), textOf(fields.to)];
  if (url !== undefined) {
    const parts = [textOf(fields.method), url, textOf(fields.status_code)];
    return parts.filter((part) => part !== undefined).join(" ");
  }
  if (from !== undefined && to !== undefined) return `${from} → ${to}`;
  return pairsOf(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ");
}
