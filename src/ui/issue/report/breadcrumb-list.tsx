/**
 * Breadcrumbs as a timeline that ends with the error, oldest first, each with its time relative to
 * the error. A minus sign means before the error.
 */

import { formatData } from "../../../core/report/contexts.ts";
import type { Breadcrumb, Report } from "../../../core/report.ts";
import { abbreviate } from "../../parts/long-text.tsx";
import { formatNumber } from "../../parts/number.tsx";
import { formatAbsoluteTime } from "../../parts/time.tsx";

const MAX_SHOWN = 15;
const MESSAGE_CHARS = 300;
const CATEGORY_CHARS = 40;

/** The timeline. Only the newest breadcrumbs are open. */
export function Breadcrumbs({ report }: { report: Report }) {
  const { breadcrumbs = [], occurredAtMs: errorAtMs } = report;
  if (breadcrumbs.length === 0) return null;
  const earlier = breadcrumbs.slice(0, -MAX_SHOWN);
  return (
    <section>
      <h3>Breadcrumbs</h3>
      {earlier.length > 0 && (
        <details>
          <summary>{earlier.length} earlier</summary>
          <ol className="timeline breadcrumbs">
            <BreadcrumbItems breadcrumbs={earlier} errorAtMs={errorAtMs} />
          </ol>
        </details>
      )}
      <ol className="timeline breadcrumbs">
        <BreadcrumbItems breadcrumbs={breadcrumbs.slice(-MAX_SHOWN)} errorAtMs={errorAtMs} />
        <li data-level="fatal" data-error="">
          <span className="breadcrumb-time" title={formatAbsoluteTime(errorAtMs)}>
            0.0 s
          </span>{" "}
          <bdi className="breadcrumb-category">{abbreviate(report.type, CATEGORY_CHARS)}</bdi>{" "}
          <span className="breadcrumb-message" dir="auto">
            {abbreviate(report.message, MESSAGE_CHARS)}
          </span>
        </li>
      </ol>
    </section>
  );
}

function BreadcrumbItems({
  breadcrumbs,
  errorAtMs,
}: {
  breadcrumbs: readonly Breadcrumb[];
  errorAtMs: number;
}) {
  return breadcrumbs.map(({ atMs, category, level, message, data }, index) => (
    <li key={index} data-level={level}>
      <span
        className="breadcrumb-time"
        title={atMs === undefined ? undefined : formatAbsoluteTime(atMs)}
      >
        {atMs === undefined ? "" : formatOffset(atMs - errorAtMs)}
      </span>{" "}
      <bdi className="breadcrumb-category">{abbreviate(category ?? "", CATEGORY_CHARS)}</bdi>{" "}
      <span className="breadcrumb-message" dir="auto">
        {HIGHLIGHTED_LEVELS.has(level) && <span className="visually-hidden">{level}: </span>}
        {abbreviate(message, MESSAGE_CHARS)}
        {data !== undefined && (
          <span className="muted"> {abbreviate(formatData(data), MESSAGE_CHARS)}</span>
        )}
      </span>
    </li>
  ));
}

/** Levels that are shown in color and therefore also named for screen readers. */
const HIGHLIGHTED_LEVELS: ReadonlySet<string | undefined> = new Set(["warning", "error", "fatal"]);

const MINUTE_MS = 60_000;
/** Smaller offsets are shown as 0.0 s. */
const MIN_OFFSET_MS = 50;

/** `−3.2 s`, `−4 min`; `0.0 s` for the same time. */
function formatOffset(ms: number): string {
  const size = Math.abs(ms);
  const sign = size < MIN_OFFSET_MS ? "" : ms < 0 ? "−" : "+";
  return size < MINUTE_MS
    ? `${sign}${(size / 1000).toFixed(1)} s`
    : `${sign}${formatNumber(Math.round(size / MINUTE_MS))} min`;
}
