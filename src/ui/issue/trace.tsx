/**
 * The reports of a report's trace: what one request caused in the browser, in Workers and in their
 * objects, as sentences in order, each with its moment on the time of the whole trace.
 */
import { use } from "react";
import type { ReportSummary } from "../../core/report/report-summary.ts";
import type { Digest } from "../../core/report.ts";
import { stripTypePrefix } from "../issues/message-without-type.ts";
import { PublicMark } from "../issues/trust-text.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { GlobeIcon, ServerIcon } from "../parts/icons.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber } from "../parts/number.tsx";
import { toIssueUrl } from "../urls/issue-urls.ts";
import { toReportHref } from "./report/pagination.tsx";

/** A report of the trace, and its issue. */
export interface TracedSummary {
  readonly digest: Digest;
  readonly summary: ReportSummary;
}

const TYPE_CHARS = 60;
const MESSAGE_CHARS = 120;
const PLACE_CHARS = 80;
const SECOND_MS = 1_000;

/** The reports, oldest first; nothing if there are no others. `digest` is the issue of the page. */
export function Trace({
  reports,
  digest,
}: {
  reports: Promise<readonly TracedSummary[] | null>;
  digest: Digest;
}) {
  const traced = use(reports) ?? [];
  if (traced.length < 2) return null;
  const times = traced.map(({ summary }) => summary.atMs);
  const startMs = Math.min(...times);
  const spanMs = Math.max(...times) - startMs;
  const sides = new Set(traced.map(({ summary }) => summary.side));
  return (
    <section className="trace" aria-labelledby="trace-heading">
      <div className="section-head">
        <h2 id="trace-heading">Same trace</h2>
        {sides.size > 1 && <span className="section-note">Browser and server</span>}
      </div>
      <ol>
        {traced.map((one) => (
          <TraceItem
            key={one.summary.id}
            traced={one}
            isOwn={one.digest === digest}
            sinceMs={one.summary.atMs - startMs}
            spanMs={spanMs}
          />
        ))}
      </ol>
    </section>
  );
}

function TraceItem({
  traced: { digest, summary },
  isOwn,
  sinceMs,
  spanMs,
}: {
  traced: TracedSummary;
  isOwn: boolean;
  sinceMs: number;
  spanMs: number;
}) {
  const isBrowser = summary.side === "browser";
  const at = spanMs === 0 ? 0 : Math.round((100 * sinceMs) / spanMs);
  return (
    <li data-side={summary.side} data-own={isOwn ? "" : undefined}>
      <span className="trace-time">{formatSince(sinceMs)}</span>{" "}
      <span className="trace-place">
        {isBrowser ? <GlobeIcon /> : <ServerIcon />}{" "}
        <bdi>{abbreviate(formatPlace(summary), PLACE_CHARS)}</bdi>{" "}
        <PublicMark trust={summary.trust} />
      </span>{" "}
      <DeskLink
        href={toIssueUrl(digest) + toReportHref(summary.id)}
        aria-current={isOwn ? "true" : undefined}
      >
        <bdi className="type">{abbreviate(summary.type, TYPE_CHARS)}</bdi>{" "}
        <span dir="auto">{abbreviate(stripTypePrefix(summary), MESSAGE_CHARS)}</span>
      </DeskLink>{" "}
      {spanMs > 0 && (
        <svg
          className="trace-bar"
          viewBox="0 0 100 8"
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <rect className="track" width="100" height="8" />
          <rect x={Math.min(at, 98)} width="2" height="8" />
        </svg>
      )}
    </li>
  );
}

/** `+40 ms`, `+1.2 s`. */
function formatSince(ms: number): string {
  return ms < SECOND_MS
    ? `+${formatNumber(ms)} ms`
    : `+${formatNumber(Math.round(ms / 100) / 10)} s`;
}

/** `Firefox 149`, `shop · fetch`, `shop · Cart · alarm`. */
function formatPlace({ side, browser, release, tags = [] }: ReportSummary): string {
  if (side === "browser") return browser ?? "browser";
  const names = ["script", "entrypoint", "trigger"];
  const parts = names.flatMap((name) => tags.find(([tag]) => tag === name)?.[1] ?? []);
  return parts.length === 0 ? (release ?? "server") : parts.join(" · ");
}
