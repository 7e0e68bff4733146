/** Waits for the first report and shows it. */
import { use } from "react";
import type { IssueSummary } from "../../core/issue/issue.ts";
import { Boundary } from "../failure/boundary.tsx";
import { DeskForm, DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { pluralize } from "../parts/number.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { toIssueUrl } from "../urls/issue-urls.ts";

/** The received items. `latestIssue` is absent if only items without an issue were received. */
export interface ReceivedSummary {
  readonly issueCount: number;
  /** Items of the last `days` days, whatever their outcome. */
  readonly itemCount: number;
  readonly days: number;
  readonly latestIssue?: IssueSummary;
}

/** Props of the section. */
export interface FirstReportProps {
  /** Null if nothing was received during the wait. */
  readonly received: Promise<ReceivedSummary | null>;
  readonly nowMs: number;
}

const MESSAGE_CHARS = 160;

/** The section. `data-live` lets the client script refresh it when reports are received. */
export function FirstReport({ received, nowMs }: FirstReportProps) {
  return (
    <section
      id="received"
      className="live-panel"
      role="status"
      aria-label="First report"
      data-live=""
    >
      <Boundary name="received" loading={<WaitingForReport />}>
        <ReceivedReport received={received} nowMs={nowMs} />
      </Boundary>
    </section>
  );
}

function WaitingForReport() {
  return (
    <p className="awaiting">
      <span className="pulse" aria-hidden="true" />
      Listening for your first report…
    </p>
  );
}

/** Sends a report of the kind that an application would send. */
function TestReportForm() {
  return (
    <DeskForm method="post" action="/connect/test" requiredRole="member" className="spaced">
      <button type="submit">Send a test report</button>
    </DeskForm>
  );
}

function ReceivedReport({ received, nowMs }: FirstReportProps) {
  const found = use(received);
  if (found === null) {
    return (
      <>
        {/* While a script runs, the live socket refreshes this section. */}
        <p className="awaiting needs-script">
          <span className="pulse" aria-hidden="true" />
          Listening for your first report…
        </p>
        <p className="needs-no-script">
          No reports yet.{" "}
          {/* biome-ignore lint/a11y/useValidAnchor: links to this URL (RFC 3986 § 4.4) */}
          <a href="">Check again</a>
        </p>
        <TestReportForm />
      </>
    );
  }
  const { issueCount, itemCount, days, latestIssue } = found;
  return (
    <>
      <p>
        <b>{issueCount === 1 ? "The first report is here." : "Reports are arriving."}</b>{" "}
        {pluralize(itemCount, "item")} in the last {days} days, {pluralize(issueCount, "issue")}.
      </p>
      {latestIssue !== undefined && (
        <p className="latest">
          <span className="muted">
            Latest, <RelativeTime atMs={latestIssue.lastSeenMs} nowMs={nowMs} />:
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
