/**
 * What a code of another system says of itself: whose it is, when and where it was made, the errors
 * of these seconds, and how to find the request in the log of that system.
 */

import type { IssueSummary } from "../../core/issue/issue.ts";
import type { CodeStory } from "../../core/lookup/foreign-formats.ts";
import { formatTitle } from "../../core/report/title.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { pluralize } from "../parts/number.tsx";
import { ClockTime, RelativeTime } from "../parts/time.tsx";
import { toIssueUrl } from "../urls/issue-urls.ts";

export interface ToldCodeProps {
  readonly story: CodeStory;
  /** The time of `issues`, ms; absent if the code has no time. */
  readonly around?: { readonly fromMs: number; readonly toMs: number } | undefined;
  readonly issues: readonly { readonly issue: IssueSummary; readonly atMs: number }[];
  readonly nowMs: number;
}

const TITLE_CHARS = 160;

export function ToldCode({ story, around, issues, nowMs }: ToldCodeProps) {
  const { owner, what, madeMs, places, command, note } = story;
  return (
    <section className="told-code" aria-label="About this code">
      {around !== undefined && <ErrorsAround issues={issues} />}
      <dl>
        <dt>Kind</dt>
        <dd>{describeKind(owner, what)}</dd>
        {madeMs !== undefined && (
          <>
            <dt>Made</dt>
            <dd>
              <ClockTime atMs={madeMs} /> (<RelativeTime atMs={madeMs} nowMs={nowMs} />)
            </dd>
          </>
        )}
        {places.length > 0 && (
          <>
            <dt>Location</dt>
            <dd>
              <code>{places.join(" → ")}</code>
            </dd>
          </>
        )}
        {note !== undefined && (
          <>
            <dt>Note</dt>
            <dd>{note}</dd>
          </>
        )}
      </dl>
      {command !== undefined && (
        <p className="told-command">
          <code>{command}</code> <CopyButton text={command} label="the command" />
        </p>
      )}
    </section>
  );
}

function describeKind(owner: string, what: string): string {
  const name = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  return owner === "" ? name : `${name} of ${owner}`;
}

/** The errors five seconds before and after the code was made. */
function ErrorsAround({ issues }: Pick<ToldCodeProps, "issues">) {
  if (issues.length === 0) return <p className="told-none">No error within five seconds.</p>;
  return (
    <>
      <h2>{pluralize(issues.length, "error")} within five seconds</h2>
      <ul>
        {issues.map(({ issue, atMs }) => (
          <li key={issue.digest}>
            <DeskLink href={toIssueUrl(issue.digest)} dir="auto">
              {abbreviate(formatTitle(issue), TITLE_CHARS)}
            </DeskLink>{" "}
            <span className="told-time">
              <ClockTime atMs={atMs} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
