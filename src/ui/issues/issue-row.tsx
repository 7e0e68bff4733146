/** One issue on one row: what broke, where, how often, for whom, since when, and the code that names it. */
import { Fragment } from "react";
import { toProjectPath } from "../../core/accounts/project-path.ts";
import { getCurrentState, isRegressed } from "../../core/issue/decision.ts";
import type { IssueState, IssueSummary } from "../../core/issue/issue.ts";
import { NEW_ISSUE_AGE_MS } from "../../core/issue/issue-query.ts";
import { abbreviate } from "../parts/long-text.tsx";
import { NumberCell, pluralize } from "../parts/number.tsx";
import { Sparkline } from "../parts/sparkline.tsx";
import { formatRelativeTime, TimeElement, toDayNumber } from "../parts/time.tsx";
import { toIssueUrl } from "../urls/issue-urls.ts";
import { stripTypePrefix } from "./message-without-type.ts";
import { NewBadge, RegressedBadge, StateBadge } from "./state-badge.tsx";

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
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** The UTC day, as `dayNumberOf` counts them. */
  readonly todayNumber: number;
  /** Where on the desk the row stands: what the place's `base` is. */
  readonly base: string;
  /** It begins with a checkbox, `digest`, for the form around it. */
  readonly isSelectable: boolean;
}

/** The row of an issue, at a moment (Unix ms) and a place. */
export function toIssueRow(
  issue: IssueSummary,
  nowMs: number,
  where: Pick<IssueRowProps, "base" | "isSelectable">,
): IssueRowProps {
  return {
    issue,
    state: getCurrentState(issue, nowMs),
    isNew: nowMs - issue.firstSeenMs < NEW_ISSUE_AGE_MS,
    firstSeen: formatRelativeTime(issue.firstSeenMs, nowMs),
    lastSeen: formatRelativeTime(issue.lastSeenMs, nowMs),
    todayNumber: toDayNumber(nowMs),
    ...where,
  };
}

/** The row; the message is the link, and the style sheet spreads it over the row. It asks nobody but its properties. */
export function IssueRow(row: IssueRowProps) {
  const { issue, state, isSelectable } = row;
  return (
    <tr className="issue-row" data-state={state}>
      {isSelectable && (
        <td className="pick">
          <label>
            <input type="checkbox" name="digest" value={issue.digest} id={`pick-${issue.digest}`} />
            <span className="visually-hidden">Select {issue.digest}</span>
          </label>
        </td>
      )}
      <th scope="row" className="what">
        <StateBadge state={state} isIconOnly />{" "}
        <a
          href={toProjectPath(row.base, toIssueUrl(issue.digest))}
          id={`to-${issue.digest}`}
          data-row-link=""
        >
          <bdi className="type">{abbreviate(issue.type, PART_CHARS) || issue.kind}</bdi>{" "}
          <span className="message" dir="auto">
            {abbreviate(stripTypePrefix(issue), MESSAGE_CHARS) || "(no message)"}
          </span>
        </a>
        <IssueContext issue={issue} isNew={row.isNew} />
      </th>
      <td className="spark">
        <Sparkline days={issue.recentDays} todayNumber={row.todayNumber} />
      </td>
      <td className="number">
        <NumberCell count={issue.count} one="time" />
      </td>
      <td className="number people">
        {issue.userCount !== undefined && (
          <NumberCell count={issue.userCount} one="person" many="people" />
        )}
      </td>
      <td className="first">
        <span className="cell-unit">first </span>
        <TimeElement atMs={issue.firstSeenMs} text={row.firstSeen} />
      </td>
      <td className="last">
        <span className="cell-unit">last </span>
        <TimeElement atMs={issue.lastSeenMs} text={row.lastSeen} />
      </td>
      <td className="release">
        {issue.release && <bdi title={issue.release}>{issue.release}</bdi>}
      </td>
    </tr>
  );
}

/** Its marks and its digest; where it was thrown, on which route, in which environment; who looks after it. In one line. */
function IssueContext({ issue, isNew }: { issue: IssueSummary; isNew: boolean }) {
  const parts = [
    issue.kind === "error" ? undefined : issue.kind,
    issue.culprit || undefined,
    issue.route || undefined,
    issue.environment || undefined,
    issue.count === 0 && issue.linkedCount > 0
      ? pluralize(issue.linkedCount, "linked report")
      : undefined,
  ].filter((part) => part !== undefined);
  return (
    <span className="place">
      {isRegressed(issue) && (
        <>
          <RegressedBadge />{" "}
        </>
      )}
      {isNew && (
        <>
          <NewBadge />{" "}
        </>
      )}
      <code>{issue.digest}</code>
      {issue.assignee !== undefined && (
        <>
          {" "}
          <bdi className="assignee">{abbreviate(issue.assignee, PART_CHARS)}</bdi>
        </>
      )}
      {parts.map((part, index) => (
        // The parts have no identity but their place, and never move.
        <Fragment key={index}>
          {" "}
          <bdi>{abbreviate(part, PART_CHARS)}</bdi>
        </Fragment>
      ))}
    </span>
  );
}
