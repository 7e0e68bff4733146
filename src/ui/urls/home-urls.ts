/** URLs of the home page. */
import type { OverviewPeriod } from "../../core/overview/error-columns.ts";

/** The parameter with the span of the chart, `<from>-<to>`. */
export const SPAN_FIELD = "span";

/** `/?period=7d`: the page, which stores this period for all pages. */
export function toHomeUrl({ period }: { readonly period: OverviewPeriod }): string {
  return `/?period=${period}`;
}
