/** An issue as a table row: title, location, digest, counts and times. */
import { Fragment } from "react";
import { toProjectPath } from "../../core/accounts/project-path.ts";
import { getCurrentState, isRegressed } from "../../core/issue/decision.ts";
import type { IssueState, IssueSummary } from "../../core/issue/issue.ts";
import { NEW_ISSUE_AGE_MS } from "../../core/issue/issue-query.ts";
import { formatCulprit } from "../../core/place/issue-place.ts";
import { toDayNumber } from "../../core/utc-time.ts";
import { abbreviate } from "../parts/long-text.tsx";
import { pluralize } from "../parts/number.tsx";
import { formatRelativeTime, TimeElement } from "../parts/time.tsx";
import { toIssueUrl } from "../urls/issue-urls.ts";
import { Highlight } from "./highlight.tsx";
import { IssueCountCells } from "./issue-count-cells.tsx";
import { stripTypePrefix } from "./message-without-type.ts";
import { OtherErrors } from "./other-errors.tsx";
import { NewBadge, RegressedBadge, StateBadge } from "./state-badge.tsx";
import { PublicMark } from "./trust-text.tsx";

/** More than a line. The issue's page has the whole message. */
const MESSAGE_CHARS = 240;
const PART_CHARS = 80;

/**
 * All data that a row's markup depends on; rendered rows are cached by it. Times are texts, so that
 * the row of an unchanged issue stays the same until a text changes.
 */
export interface IssueRowProps {
  readonly issue: IssueSummary;
  readonly state: IssueState;
  readonly isNew: boolean;
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** The current UTC day, as counted by `toDayNumber`. */
  readonly todayNumber: number;
  /** The path prefix of the project, as in `DeskInfo`. */
  readonly base: string;
  /** True if the row begins with a checkbox named `digest`. */
  readonly isSelectable: boolean;
  /** Added to the URL of the issue: the list that the row is in. */
  readonly listSearch: string;
  /** Words to mark. */
  readonly words: string;
}

/** The row data of an issue at `nowMs` (Unix ms). */
export function toIssueRow(
  issue: IssueSummary,
  nowMs: number,
  options: Pick<IssueRowProps, "base" | "isSelectable" | "listSearch" | "words">,
): IssueRowProps {
  return {
    issue,
    state: getCurrentState(issue, nowMs),
    isNew: nowMs - issue.firstSeenMs < NEW_ISSUE_AGE_MS,
    firstSeen: formatRelativeTime(issue.firstSeenMs, nowMs),
    lastSeen: formatRelativeTime(issue.lastSeenMs, nowMs),
    todayNumber: toDayNumber(nowMs),
    ...options,
  };
}

/** The row. CSS extends its link over the whole row. Uses no context, so that it can be cached. */
export function IssueRow(row: IssueRowProps) {
  const { issue, state, isSelectable, words } = row;
  const type = abbreviate(issue.type, PART_CHARS) || issue.kind;
  const message = abbreviate(stripTypePrefix(issue), MESSAGE_CHARS) || "(no message)";
  return (
    <tr className="list-row issue-row" data-state={state}>
      {isSelectable && (
        <td className="select-cell">
          <label>
            <input
              type="checkbox"
              name="digest"
              value={issue.digest}
              id={`select-${issue.digest}`}
            />
            <span className="visually-hidden">Select {issue.digest}</span>
          </label>
        </td>
      )}
      <th scope="row" className="main-cell">
        <StateBadge state={state} isIconOnly />{" "}
        <a
          href={toProjectPath(row.base, toIssueUrl(issue.digest)) + row.listSearch}
          id={`issue-${issue.digest}`}
          title={`${type} ${message}`}
          data-row-link=""
        >
          <bdi className="type">
            <Highlight text={type} words={words} />
          </bdi>{" "}
          <span className="message" dir="auto">
            <Highlight text={message} words={words} />
          </span>
          <OtherErrors issue={issue} />
        </a>
        <IssueContext issue={issue} isNew={row.isNew} words={words} />
      </th>
      <IssueCountCells issue={issue} todayNumber={row.todayNumber} />
      <td className="seen">
        <span className="last">
          <span className="cell-unit">last </span>
          <TimeElement atMs={issue.lastSeenMs} text={row.lastSeen} />
        </span>
        {row.firstSeen !== row.lastSeen && (
          <span className="first">
            first <TimeElement atMs={issue.firstSeenMs} text={row.firstSeen} />
          </span>
        )}
      </td>
    </tr>
  );
}

/** Digest, badges, globe, assignee, kind, culprit, route, environment and release, in one line. */
function IssueContext({ issue, isNew, words }: Pick<IssueRowProps, "issue" | "isNew" | "words">) {
  const parts = [
    issue.kind === "error" ? undefined : issue.kind,
    formatCulprit(issue) || undefined,
    issue.route || undefined,
    issue.environment || undefined,
    issue.release || undefined,
    issue.count === 0 && issue.linkedCount > 0
      ? pluralize(issue.linkedCount, "linked report")
      : undefined,
  ].filter((part) => part !== undefined);
  return (
    <span className="row-context issue-context">
      <code>{issue.digest}</code>
      {isRegressed(issue) && (
        <>
          {" "}
          <RegressedBadge />
        </>
      )}
      {isNew && (
        <>
          {" "}
          <NewBadge />
        </>
      )}
      {issue.trust === "public" && (
        <>
          {" "}
          <PublicMark trust={issue.trust} />
        </>
      )}
      {issue.assignee !== undefined && (
        <>
          {" "}
          <bdi className="assignee">{abbreviate(issue.assignee, PART_CHARS)}</bdi>
        </>
      )}
      {parts.map((part, index) => (
        // The parts have no ids, and their order never changes.
        <Fragment key={index}>
          {" "}
          <bdi>
            <Highlight text={abbreviate(part, PART_CHARS)} words={words} />
          </bdi>
        </Fragment>
      ))}
    </span>
  );
}
