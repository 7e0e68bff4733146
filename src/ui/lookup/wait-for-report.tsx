/** Waits for a report that may still be on its way, and says in its own place what came of the wait. */
import { use } from "react";
import type { IssueSummary } from "../../core/issue/issue.ts";
import { Boundary } from "../failure/boundary.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { toIssueUrl } from "../urls/issue-urls.ts";

const MESSAGE_CHARS = 200;

/** The wait, then the answer. */
export function WaitForReport({
  awaitedIssue,
}: {
  readonly awaitedIssue: Promise<IssueSummary | null>;
}) {
  return (
    <div className="live-panel" role="status">
      <Boundary name="watching" loading={<WaitingForIssue />}>
        <AwaitedIssue awaitedIssue={awaitedIssue} />
      </Boundary>
    </div>
  );
}

function WaitingForIssue() {
  return (
    <p className="awaiting">
      <span className="pulse" aria-hidden="true" />
      Watching for it. A report that was just sent arrives within seconds, and shows up right here.
    </p>
  );
}

function AwaitedIssue({ awaitedIssue }: { awaitedIssue: Promise<IssueSummary | null> }) {
  const found = use(awaitedIssue);
  if (found === null) {
    return (
      <p>
        Watched for it, and it did not arrive.{" "}
        {/* biome-ignore lint/a11y/useValidAnchor: an empty reference is this very address (RFC 3986, § 4.4) */}
        <a href="">Watch again</a>
      </p>
    );
  }
  return (
    <p>
      It has just arrived:{" "}
      <DeskLink href={toIssueUrl(found.digest)}>
        <bdi className="type">{found.type || found.kind}</bdi>{" "}
        <span dir="auto">{abbreviate(found.message, MESSAGE_CHARS)}</span>
      </DeskLink>
    </p>
  );
}
