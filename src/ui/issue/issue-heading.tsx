/** What broke and where, in the words of the error. */
import type { Issue } from "../../core/issue/issue.ts";
import { stripTypePrefix } from "../issues/message-without-type.ts";
import { abbreviate, FullText } from "../parts/long-text.tsx";

const MESSAGE_CHARS = 300;
const PLACE_CHARS = 120;

/** The error's type, message and place; markup in any of them is text. */
export function IssueHeading({ issue }: { readonly issue: Issue }) {
  return (
    <div className="issue-words">
      <h2 className="issue-title">
        <bdi className="type">{abbreviate(issue.type || issue.kind, PLACE_CHARS)}</bdi>{" "}
        <span className="message" dir="auto">
          {abbreviate(stripTypePrefix(issue), MESSAGE_CHARS) || "(no message)"}
        </span>
      </h2>
      {issue.count === 0 && (
        <p className="muted">
          Only browsers have reported this digest so far. Where the server’s own report could not be
          stored, the Worker’s log has it: search there for <code>{issue.digest}</code>.
        </p>
      )}
      <FullText text={issue.message} maxChars={MESSAGE_CHARS} />
      <p className="issue-place">
        {issue.kind !== "error" && <span>{issue.kind}</span>}{" "}
        {issue.culprit !== undefined && <bdi>{abbreviate(issue.culprit, PLACE_CHARS)}</bdi>}{" "}
        {issue.route !== undefined && <bdi>{abbreviate(issue.route, PLACE_CHARS)}</bdi>}
      </p>
    </div>
  );
}
