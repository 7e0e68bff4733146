/** One issue on one row: what broke, where, how often, for whom, since when, and the code that names it. */
import { Fragment } from "react";
import { isRegressed, stateOf } from "../core/decision.ts";
import type { IssueState, IssueSummary } from "../core/issue.ts";
import { NEW_WITHIN_MS } from "../core/issue-query.ts";
import { inProject } from "../core/project-path.ts";
import { counted, Figure } from "./figure.tsx";
import { issueUrl } from "./issue/issue-url.ts";
import { headOf } from "./long-text.tsx";
import { ownWords } from "./own-words.ts";
import { Sparkline } from "./sparkline.tsx";
import { NewMark, RegressedMark, StateMark } from "./state-mark.tsx";
import { dayNumberOf, Moment, relativeTime } from "./time.tsx";

/** Longer than two lines of any column; the rest is on the issue's page. */
const MESSAGE_CHARS = 240;
const PART_CHARS = 80;

/**
 * All that a row shows, as plain data, and so all that its markup depends on. What depends on the present stands in words: the row of
 * an issue to which nothing happens is the same until one of them changes.
 */
export interface IssueRowProps {
  readonly issue: IssueSummary;
  readonly state: IssueState;
  readonly isNew: boolean;
  readonly first: string;
  readonly last: string;
  /** The UTC day, as `dayNumberOf` counts them. */
  readonly today: number;
  /** Where on the desk the row stands: what the place's `base` is. */
  readonly base: string;
  /** It begins with a checkbox, `digest`, for the form around it. */
  readonly canPick: boolean;
}

/** The row of an issue, at a moment (Unix ms) and a place. */
export function rowOf(
  issue: IssueSummary,
  nowMs: number,
  where: Pick<IssueRowProps, "base" | "canPick">,
): IssueRowProps {
  return {
    issue,
    state: stateOf(issue, nowMs),
    isNew: nowMs - issue.firstSeenMs < NEW_WITHIN_MS,
    first: relativeTime(issue.firstSeenMs, nowMs),
    last: relativeTime(issue.lastSeenMs, nowMs),
    today: dayNumberOf(nowMs),
    ...where,
  };
}

/** The row; the message is the link, and the style sheet spreads it over the row. It asks nobody but its properties. */
export function IssueRow(row: IssueRowProps) {
  const { issue, state, canPick } = row;
  return (
    <tr className="issue-row" data-state={state}>
      {canPick && (
        <td className="pick">
          <label>
            <input type="checkbox" name="digest" value={issue.digest} id={`pick-${issue.digest}`} />
            <span className="unseen">Select {issue.digest}</span>
          </label>
        </td>
      )}
      <th scope="row" className="what">
        <StateMark state={state} bare />{" "}
        <a href={inProject(row.base, issueUrl(issue.digest))} id={`to-${issue.digest}`} data-row="">
          <bdi className="type">{headOf(issue.type, PART_CHARS) || issue.kind}</bdi>{" "}
          <span className="message" dir="auto">
            {headOf(ownWords(issue), MESSAGE_CHARS) || "(no message)"}
          </span>
        </a>
        <Place issue={issue} isNew={row.isNew} />
      </th>
      <td className="spark">
        <Sparkline days={issue.recentDays} today={row.today} />
      </td>
      <td className="number">
        <Figure count={issue.count} one="time" />
      </td>
      <td className="number people">
        {issue.people !== undefined && <Figure count={issue.people} one="person" many="people" />}
      </td>
      <td className="first">
        <span className="unit">first </span>
        <Moment atMs={issue.firstSeenMs} said={row.first} />
      </td>
      <td className="last">
        <span className="unit">last </span>
        <Moment atMs={issue.lastSeenMs} said={row.last} />
      </td>
      <td className="release">
        {issue.release && <bdi title={issue.release}>{issue.release}</bdi>}
      </td>
    </tr>
  );
}

/** Its marks and its digest; where it was thrown, on which route, in which environment; who looks after it. In one line. */
function Place({ issue, isNew }: { issue: IssueSummary; isNew: boolean }) {
  const parts = [
    issue.kind === "error" ? undefined : issue.kind,
    issue.where || undefined,
    issue.route || undefined,
    issue.environment || undefined,
    issue.count === 0 && issue.linked > 0 ? counted(issue.linked, "linked report") : undefined,
  ].filter((part) => part !== undefined);
  return (
    <span className="place">
      {isRegressed(issue) && (
        <>
          <RegressedMark />{" "}
        </>
      )}
      {isNew && (
        <>
          <NewMark />{" "}
        </>
      )}
      <code>{issue.digest}</code>
      {issue.assignee !== undefined && (
        <>
          {" "}
          <bdi className="assignee">{headOf(issue.assignee, PART_CHARS)}</bdi>
        </>
      )}
      {parts.map((part, index) => (
        // The parts have no identity but their place, and never move.
        <Fragment key={index}>
          {" "}
          <bdi>{headOf(part, PART_CHARS)}</bdi>
        </Fragment>
      ))}
    </span>
  );
}
