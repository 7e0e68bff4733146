/**
 * The other reports of a report's trace: what one request caused in the browser, in Workers and in
 * their objects, as one story.
 */
import { use } from "react";
import type { ReportSummary } from "../../core/report/report-summary.ts";
import type { Digest } from "../../core/report.ts";
import { PublicMark } from "../issues/trust-text.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
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

/** The reports, oldest first; nothing if there are no others. */
export function Trace({ reports }: { reports: Promise<readonly TracedSummary[] | null> }) {
  const traced = use(reports) ?? [];
  const startMs = traced[0]?.summary.atMs ?? 0;
  if (traced.length < 2) return null;
  return (
    <section className="counterpart" aria-labelledby="trace-heading">
      <h2 id="trace-heading">Same trace</h2>
      <ol>
        {traced.map(({ digest, summary }) => (
          <li key={summary.id}>
            <DeskLink href={toIssueUrl(digest) + toReportHref(summary.id)}>
              <bdi className="type">{abbreviate(summary.type, TYPE_CHARS)}</bdi>{" "}
              <span dir="auto">{abbreviate(summary.message, MESSAGE_CHARS)}</span>
            </DeskLink>
            <p className="counterpart-details">
              <bdi>{abbreviate(formatPlace(summary), PLACE_CHARS)}</bdi>{" "}
              <PublicMark trust={summary.trust} /> <span>+{summary.atMs - startMs} ms</span>
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** `Firefox 149`, `shop · fetch`, `shop · Cart · alarm`. */
function formatPlace({ side, browser, tags = [] }: ReportSummary): string {
  if (side === "browser") return browser ?? "browser";
  const names = ["script", "entrypoint", "trigger"];
  const parts = names.flatMap((name) => tags.find(([tag]) => tag === name)?.[1] ?? []);
  return parts.length === 0 ? "server" : parts.join(" · ");
}
