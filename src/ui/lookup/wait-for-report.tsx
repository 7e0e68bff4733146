/** Waits for a report that may be about to arrive, and shows the result. */
import { use } from "react";
import type { IssueSummary } from "../../core/issue/issue.ts";
import { Boundary } from "../failure/boundary.tsx";
import { OtherErrors } from "../issues/other-errors.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { toIssueUrl } from "../urls/issue-urls.ts";

const MESSAGE_CHARS = 200;

/** The waiting message, then the result. */
export function WaitForReport({ awaitedIssue }: { awaitedIssue: Promise<IssueSummary | null> }) {
  return (
    <div className="live-panel" role="status">
      <Boundary name="awaited-issue" loading={<WaitingForIssue />}>
        <AwaitedIssue awaitedIssue={awaitedIssue} />
      </Boundary>
    </div>
  );
}

function WaitingForIssue() {
  return (
    <p className="awaiting">
      <span className="pulse" aria-hidden="true" />
      Waiting for the report. New reports appear here within seconds.
    </p>
  );
}

function AwaitedIssue({ awaitedIssue }: { awaitedIssue: Promise<IssueSummary | null> }) {
  const issue = use(awaitedIssue);
  if (issue === null) {
    return (
      <p>
        The report did not arrive.{" "}
        {/* biome-ignore lint/a11y/useValidAnchor: "" is the current URL (RFC 3986, § 4.4) */}
        <a href="">Wait again</a>
      </p>
    );
  }
  return (
    <p>
      The report has arrived:{" "}
      <DeskLink href={toIssueUrl(issue.digest)}>
        <bdi className="type">{issue.type || issue.kind}</bdi>{" "}
        <span dir="auto">{abbreviate(issue.message, MESSAGE_CHARS)}</span>
        <OtherErrors issue={issue} />
      </DeskLink>
    </p>
  );
}
