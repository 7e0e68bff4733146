/** One issue on one row: what broke, where, how often, for whom, since when, and the code that names it. */
import { Fragment } from "react";
import { isRegressed, stateOf } from "../core/decision.ts";
import type { IssueSummary } from "../core/issue.ts";
import { NEW_WITHIN_MS } from "../core/issue-query.ts";
import { counted, Figure } from "./figure.tsx";
import { issueUrl } from "./issue/issue-url.ts";
import { headOf } from "./long-text.tsx";
import { ownWords } from "./own-words.ts";
import { A } from "./place.tsx";
import { Sparkline } from "./sparkline.tsx";
import { NewMark, RegressedMark, StateMark } from "./state-mark.tsx";
import { Time } from "./time.tsx";

/** Longer than two lines of any column; the rest is on the issue's page. */
const MESSAGE_CHARS = 240;
const PART_CHARS = 80;

/** What a row shows. With `canPick` it begins with a checkbox, `digest`, for the form around it. */
export interface IssueRowProps {
  readonly issue: IssueSummary;
  readonly nowMs: number;
  readonly canPick?: boolean | undefined;
}

/** The row; the message is the link, and the style sheet spreads it over the row. */
export function IssueRow({ issue, nowMs, canPick = false }: IssueRowProps) {
  const state = stateOf(issue, nowMs);
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
        <A href={issueUrl(issue.digest)} id={`to-${issue.digest}`} data-row="">
          <bdi className="type">{headOf(issue.type, PART_CHARS) || issue.kind}</bdi>{" "}
          <span className="message" dir="auto">
            {headOf(ownWords(issue), MESSAGE_CHARS) || "(no message)"}
          </span>
        </A>
        <Place issue={issue} isNew={nowMs - issue.firstSeenMs < NEW_WITHIN_MS} />
      </th>
      <td className="spark">
        <Sparkline days={issue.recentDays} nowMs={nowMs} />
      </td>
      <td className="number">
        <Figure count={issue.count} one="time" />
      </td>
      <td className="number people">
        {issue.people !== undefined && <Figure count={issue.people} one="person" many="people" />}
      </td>
      <td className="first">
        <span className="unit">first </span>
        <Time atMs={issue.firstSeenMs} nowMs={nowMs} />
      </td>
      <td className="last">
        <span className="unit">last </span>
        <Time atMs={issue.lastSeenMs} nowMs={nowMs} />
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
