/** The error's type, message and location. */
import type { Issue } from "../../core/issue/issue.ts";
import { formatCulprit } from "../../core/place/issue-place.ts";
import { stripTypePrefix } from "../issues/message-without-type.ts";
import { OtherErrors } from "../issues/other-errors.tsx";
import { abbreviate, FullText } from "../parts/long-text.tsx";

const MESSAGE_CHARS = 300;
const LOCATION_CHARS = 120;

/** The heading. Reported markup is shown as text. */
export function IssueHeading({ issue }: { issue: Issue }) {
  const culprit = formatCulprit(issue);
  return (
    <div className="issue-text">
      <h2 className="issue-title">
        <bdi className="type">{abbreviate(issue.type || issue.kind, LOCATION_CHARS)}</bdi>{" "}
        <span className="message" dir="auto">
          {abbreviate(stripTypePrefix(issue), MESSAGE_CHARS) || "(no message)"}
        </span>
        <OtherErrors issue={issue} />
      </h2>
      {issue.count === 0 && (
        <p className="muted">
          Only browsers have reported this digest. If the server’s report could not be stored,
          search the Worker’s log for <code>{issue.digest}</code>.
        </p>
      )}
      <FullText text={issue.message} maxChars={MESSAGE_CHARS} />
      <p className="issue-location">
        {issue.kind !== "error" && <span>{issue.kind}</span>}{" "}
        {culprit !== undefined && <bdi>{abbreviate(culprit, LOCATION_CHARS)}</bdi>}{" "}
        {issue.route !== undefined && <bdi>{abbreviate(issue.route, LOCATION_CHARS)}</bdi>}
      </p>
    </div>
  );
}
