/** What broke and where, in the words of the error. */
import type { Issue } from "../../core/issue.ts";
import { headOf, WholeText } from "../long-text.tsx";
import { ownWords } from "../own-words.ts";

const MESSAGE_CHARS = 300;
const PLACE_CHARS = 120;

/** The error's type, message and place; markup in any of them is text. */
export function IssueHeading({ issue }: { readonly issue: Issue }) {
  return (
    <div className="issue-words">
      <h2 className="issue-title">
        <bdi className="type">{headOf(issue.type || issue.kind, PLACE_CHARS)}</bdi>{" "}
        <span className="message" dir="auto">
          {headOf(ownWords(issue), MESSAGE_CHARS) || "(no message)"}
        </span>
      </h2>
      {issue.count === 0 && (
        <p className="aside">
          Only browsers have reported this digest so far. Where the server’s own report could not be
          stored, the Worker’s log has it: search there for <code>{issue.digest}</code>.
        </p>
      )}
      <WholeText text={issue.message} headChars={MESSAGE_CHARS} />
      <p className="issue-place">
        {issue.kind !== "error" && <span>{issue.kind}</span>}{" "}
        {issue.where !== undefined && <bdi>{headOf(issue.where, PLACE_CHARS)}</bdi>}{" "}
        {issue.route !== undefined && <bdi>{headOf(issue.route, PLACE_CHARS)}</bdi>}
      </p>
    </div>
  );
}
