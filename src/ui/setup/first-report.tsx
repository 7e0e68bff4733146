/** Waits for the first report and shows it. */
import { use } from "react";
import type { IssueSummary } from "../../core/issue/issue.ts";
import { findMissingSide, type ReceivedErrors } from "../../core/stats/received-errors.ts";
import { Boundary } from "../failure/boundary.tsx";
import { OtherErrors } from "../issues/other-errors.tsx";
import { Again, SocketStates } from "../lookup/wait-for-report.tsx";
import { DeskForm, DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { pluralize } from "../parts/number.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { toIssueUrl } from "../urls/issue-urls.ts";

/** The received items. `latestIssue` is absent if only items without an issue were received. */
export interface ReceivedSummary {
  readonly issueCount: number;
  /** Items of the last `days` days, with any outcome. */
  readonly itemCount: number;
  readonly days: number;
  /** The errors of these days. */
  readonly errors: ReceivedErrors;
  readonly latestIssue?: IssueSummary;
}

export interface FirstReportProps {
  /** Null if nothing was received yet. */
  readonly received: Promise<ReceivedSummary | null>;
  readonly nowMs: number;
}

const MESSAGE_CHARS = 160;

/**
 * The section. `data-live` lets the client script refresh the report when others are received; the
 * form is outside, because a region with focus is not refreshed.
 */
export function FirstReport({ received, nowMs }: FirstReportProps) {
  return (
    <section id="received" className="live-panel" aria-label="First report">
      <div role="status" data-live="">
        <Boundary name="received" loading={<AwaitedReport />}>
          <ReceivedReport received={received} nowMs={nowMs} />
        </Boundary>
      </div>
      <TestReportForm />
    </section>
  );
}

/** States whether reports appear without a reload: only while the live socket is open. */
function AwaitedReport() {
  return (
    <>
      <div className="needs-script">
        <SocketStates
          open="Listening for your first report…"
          connecting="Connecting… Your first report will appear here."
          closed={
            <>
              Your first report will not appear automatically. <Again>Check again</Again>
            </>
          }
        />
      </div>
      <p className="needs-no-script">
        No reports yet. <Again>Check again</Again>
      </p>
    </>
  );
}

/** Sends a report of the kind that an application would send. */
function TestReportForm() {
  return (
    <DeskForm method="post" action="/connect/test" requiredRole="member">
      <button type="submit">Send a test report</button>
    </DeskForm>
  );
}

function ReceivedReport({ received, nowMs }: FirstReportProps) {
  const found = use(received);
  if (found === null) return <AwaitedReport />;
  const { issueCount, itemCount, days, errors, latestIssue } = found;
  return (
    <>
      <p>
        <b>{issueCount === 1 ? "Your first report has arrived." : "Reports are arriving."}</b>{" "}
        {issueCount > 0
          ? `${pluralize(issueCount, "issue")} so far.`
          : `${pluralize(itemCount, "item")} in the last ${days} days, such as sessions. No issue yet.`}
      </p>
      <ArrivingErrors errors={errors} />
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
            <OtherErrors issue={latestIssue} />
          </DeskLink>
        </p>
      )}
    </>
  );
}

/** The errors of servers and of browsers, and what to add if one of the two is missing. */
function ArrivingErrors({ errors }: { errors: ReceivedErrors }) {
  const missing = findMissingSide(errors);
  return (
    <>
      <ul className="arriving">
        <li data-arrives={errors.server > 0}>
          {errors.server > 0 ? pluralize(errors.server, "server error") : "No server errors yet"}
        </li>
        <li data-arrives={errors.browser > 0}>
          {errors.browser > 0
            ? pluralize(errors.browser, "browser error")
            : "No browser errors yet"}
        </li>
      </ul>
      {missing === "browser" && (
        <p className="missing-part">
          If your application has pages, add the client part of its framework below, or{" "}
          <a href="#browser">the script</a>.
        </p>
      )}
      {missing === "server" && (
        <p className="missing-part">
          If your application has a server, add the server part of its framework below, with a{" "}
          <a href="#server-key">server key</a>.
        </p>
      )}
    </>
  );
}
