/** Whether anything has come in: it waits for the first report, and says so when it is there. */
import { use } from "react";
import type { IssueSummary } from "../../core/issue/issue.ts";
import { Boundary } from "../failure/boundary.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { pluralize } from "../parts/number.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { toIssueUrl } from "../urls/issue-urls.ts";

/** What has come in. `latest` is absent where only what makes no issue has. */
export interface ReceivedSummary {
  readonly issueCount: number;
  /** Items of the last days, whatever became of them. */
  readonly itemCount: number;
  readonly days: number;
  readonly latestIssue?: IssueSummary;
}

/** What it is made of. */
export interface FirstReportProps {
  /** Null when nothing came while it waited. */
  readonly received: Promise<ReceivedSummary | null>;
  readonly nowMs: number;
}

const MESSAGE_CHARS = 160;

/** The wait, and what came of it. A page that hears of news replaces the section with a new one. */
export function FirstReport({ received, nowMs }: FirstReportProps) {
  return (
    <section
      id="received"
      className="live-panel"
      role="status"
      aria-label="What has arrived"
      data-live=""
    >
      <Boundary name="arrivals" loading={<WaitingForReport />}>
        <ReceivedReport received={received} nowMs={nowMs} />
      </Boundary>
    </section>
  );
}

function WaitingForReport() {
  return (
    <p className="awaiting">
      <span className="pulse" aria-hidden="true" />
      Watching for the first report. It shows up right here, a moment after it was sent.
    </p>
  );
}

function ReceivedReport({ received, nowMs }: FirstReportProps) {
  const found = use(received);
  if (found === null) {
    return (
      <p>
        Nothing has arrived yet.{" "}
        {/* biome-ignore lint/a11y/useValidAnchor: an empty reference is this very address (RFC 3986, § 4.4) */}
        <a href="">Watch again</a>
      </p>
    );
  }
  const { issueCount, itemCount, days, latestIssue } = found;
  return (
    <>
      <p>
        <b>{issueCount === 1 ? "The first report is here." : "Reports arrive."}</b>{" "}
        {pluralize(itemCount, "item")} in {days} days, in {pluralize(issueCount, "issue")}.
      </p>
      {latestIssue !== undefined && (
        <p className="latest">
          <span className="muted">
            The latest, <RelativeTime atMs={latestIssue.lastSeenMs} nowMs={nowMs} />:
          </span>{" "}
          <DeskLink href={toIssueUrl(latestIssue.digest)}>
            <bdi className="type">
              {abbreviate(latestIssue.type || latestIssue.kind, MESSAGE_CHARS)}
            </bdi>{" "}
            <span dir="auto">{abbreviate(latestIssue.message, MESSAGE_CHARS)}</span>
          </DeskLink>
        </p>
      )}
    </>
  );
}
