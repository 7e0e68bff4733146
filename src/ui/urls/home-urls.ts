/** URLs of the home page. */
import type { OverviewPeriod } from "../../core/overview/error-columns.ts";

/** The parameter with the span of the chart, `<from>-<to>`. */
export const SPAN_FIELD = "span";

/** `/`, or `/?period=7d`. */
export function toHomeUrl({ period }: { readonly period: OverviewPeriod }): string {
  return period === "24h" ? "/" : `/?period=${period}`;
}
