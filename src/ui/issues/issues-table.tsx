/** A table of issues, one per row. On a phone, the style sheet shows each row as a card. */
import { Fragment, type ReactNode } from "react";
import { toProjectPath } from "../../core/accounts/project-path.ts";
import { getCurrentState } from "../../core/issue/decision.ts";
import type { IssueSummary } from "../../core/issue/issue.ts";
import { type IssueQuery, type IssueSort, listTextParts } from "../../core/issue/issue-query.ts";
import type { IssueState } from "../../core/issue/issue-states.ts";
import { formatCulprit } from "../../core/place/issue-place.ts";
import { describePeriod, type Period } from "../../core/scope.ts";
import { DAY_MS, toDayNumber } from "../../core/utc-time.ts";
import { Avatar } from "../parts/avatar.tsx";
import { CachedParts } from "../parts/cached-parts/cached-parts.tsx";
import { DeskLink, useDesk } from "../parts/desk-context.tsx";
import type { IssueMark } from "../parts/icons.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { useScope } from "../parts/scope-switch.tsx";
import { formatRelativeTime, TimeElement } from "../parts/time.tsx";
import { TrackerMark } from "../parts/tracker-link.tsx";
import { toListSearch } from "../urls/issue-list-urls.ts";
import { toIssueUrl } from "../urls/issue-urls.ts";
import { COUNT_COLUMNS, IssueCountCells } from "./issue-count-cells.tsx";
import { stripTypePrefix } from "./message-without-type.ts";
import { OtherErrors } from "./other-errors.tsx";
import { SnoozeLimits } from "./snooze-text.tsx";
import { toHourNumber } from "./sparkline.tsx";
import { StateBadge, toIssueMark } from "./state-badge.tsx";
import { PublicMark } from "./trust-text.tsx";

export interface IssueListTableProps {
  readonly issues: readonly IssueSummary[];
  readonly nowMs: number;
  /** The caption, for screen readers. */
  readonly caption: string;
  /** True if each row begins with a checkbox for the form around the table. */
  readonly isSelectable?: boolean | undefined;
  /** The query of the list, for links to the next issue on the page of each. */
  readonly list?: IssueQuery | undefined;
  /** Words to mark; by default those of the query. */
  readonly words?: string | undefined;
  /** The current order and the URL of each order. Without it, headers are not links. */
  readonly sorting?:
    | { readonly by: IssueSort; readonly toUrl: (sort: IssueSort) => string }
    | undefined;
  /** The id of the rows, for a link that skips to them. */
  readonly rowsId?: string | undefined;
  /** The projects of issues, in a list of several; without it, all are of this project. */
  readonly projects?: ReadonlyMap<IssueSummary, RowProject> | undefined;
}

/** The project of a row in a list of several. */
export interface RowProject {
  readonly name: string;
  /** The path prefix, as in `DeskInfo`. */
  readonly base: string;
}

/** The table. `issues` is not empty; the page shows an empty state instead. */
export function IssueListTable({
  issues,
  nowMs,
  caption,
  isSelectable = false,
  list,
  words = list?.text ?? "",
  sorting,
  rowsId,
  projects,
}: IssueListTableProps) {
  const { base } = useDesk();
  const listSearch = list === undefined ? "" : toListSearch(list);
  const { period, environment } = useScope();
  const options = { base, isSelectable, listSearch, words, period };
  const isSortedByTime = sorting?.by === "last" || sorting?.by === "first";
  const rows = issues.map((issue) => {
    const project = projects?.get(issue);
    const ofProject = project && { base: project.base, project: project.name };
    return toIssueRow(issue, nowMs, { ...options, ...ofProject });
  });
  return (
    <table className="list-table issues" data-selectable={isSelectable ? "" : undefined}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {isSelectable && (
            <th scope="col" className="select-cell">
              <label>
                <input type="checkbox" data-select-all="" />
                <span className="visually-hidden">Select all on this page</span>
              </label>
            </th>
          )}
          <th scope="col">Issue</th>
          <th scope="col" className="who">
            <span className="visually-hidden">Assigned to</span>
          </th>
          <th
            scope="col"
            className="sparkline-cell"
            title={environment === undefined ? undefined : "In all environments"}
          >
            {describePeriod(period).label}
          </th>
          {COUNT_COLUMNS.map(({ sort, label, className }) => (
            <SortableHeader
              key={sort}
              sort={sort}
              sorting={sorting}
              className={`number ${className}`}
            >
              {label}
            </SortableHeader>
          ))}
          <th scope="col" className="seen" aria-sort={isSortedByTime ? "descending" : undefined}>
            <SortLink sort="last" sorting={sorting}>
              Last
            </SortLink>
            {" · "}
            <SortLink sort="first" sorting={sorting}>
              first
            </SortLink>
            {" seen"}
          </th>
        </tr>
      </thead>
      <CachedParts
        tag="tbody"
        attributes={{ id: rowsId, tabIndex: rowsId === undefined ? undefined : "-1" }}
        part={IssueRow}
        items={rows}
      />
    </table>
  );
}

/** A column header. If the table can be sorted, a link that sorts by it, descending. */
function SortableHeader({
  sort,
  sorting,
  className,
  children,
}: {
  sort: IssueSort;
  sorting: IssueListTableProps["sorting"];
  className?: string;
  children: ReactNode;
}) {
  const isSorted = sorting?.by === sort;
  return (
    <th scope="col" className={className} aria-sort={isSorted ? "descending" : undefined}>
      <SortLink sort={sort} sorting={sorting}>
        {children}
      </SortLink>
    </th>
  );
}

function SortLink({
  sort,
  sorting,
  children,
}: {
  sort: IssueSort;
  sorting: IssueListTableProps["sorting"];
  children: ReactNode;
}) {
  if (sorting === undefined) return children;
  return (
    <DeskLink
      href={sorting.toUrl(sort)}
      id={`sort-${sort}`}
      aria-current={sorting.by === sort ? "true" : undefined}
    >
      {children}
    </DeskLink>
  );
}

// An issue as a table row: title, location, digest, counts and times.

/** More than a line. The issue's page has the whole message. */
const MESSAGE_CHARS = 240;
const PART_CHARS = 80;

/**
 * All data that a row's markup depends on; rendered rows are cached by it. Times are texts, so that
 * the row of an unchanged issue stays the same until a text changes.
 */
interface IssueRowProps {
  readonly issue: IssueSummary;
  readonly state: IssueState;
  readonly mark: IssueMark;
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** The current UTC hour, as hours since 1970. */
  readonly hourNumber: number;
  /** The current UTC day, as counted by `toDayNumber`. */
  readonly todayNumber: number;
  /** The period of the bars. */
  readonly period: Period;
  /** The path prefix of the project, as in `DeskInfo`. */
  readonly base: string;
  /** The name of the project, in a list of several. */
  readonly project?: string | undefined;
  /** True if the row begins with a checkbox named `digest`. */
  readonly isSelectable: boolean;
  /** Added to the URL of the issue: the list that the row is in. */
  readonly listSearch: string;
  /** Words to mark. */
  readonly words: string;
}

/** The row data of an issue at `nowMs` (Unix ms). */
function toIssueRow(
  issue: IssueSummary,
  nowMs: number,
  options: Pick<
    IssueRowProps,
    "base" | "project" | "isSelectable" | "listSearch" | "words" | "period"
  >,
): IssueRowProps {
  const state = getCurrentState(issue, nowMs);
  return {
    issue,
    state,
    mark: toIssueMark(issue, state, nowMs),
    firstSeen: formatRelativeTime(issue.firstSeenMs, nowMs),
    lastSeen: formatRelativeTime(issue.lastSeenMs, nowMs),
    hourNumber: toHourNumber(nowMs, options.period),
    todayNumber: toDayNumber(nowMs),
    ...options,
  };
}

/** The row. CSS extends its link over the whole row. Uses no context, so that it can be cached. */
function IssueRow(row: IssueRowProps) {
  const { issue, state, mark, isSelectable, words } = row;
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
        <StateBadge state={mark} isIconOnly />{" "}
        <div className="issue-text">
          <a
            href={toProjectPath(row.base, toIssueUrl(issue.digest)) + row.listSearch}
            id={`issue-${issue.digest}`}
            title={`${type} ${message}`}
            data-row-link=""
            // Each project is loaded as a new document with a separate live socket.
            target={row.project === undefined ? undefined : "_self"}
          >
            <bdi className="type">
              <Highlight text={type} words={words} />
            </bdi>{" "}
            <span className="message" dir="auto">
              <Highlight text={message} words={words} />
            </span>
            <OtherErrors issue={issue} />
          </a>
          <IssueContext {...row} />
        </div>
      </th>
      <td className="who">
        {issue.assignee !== undefined && <Avatar name={abbreviate(issue.assignee, PART_CHARS)} />}
      </td>
      <IssueCountCells issue={issue} period={row.period} hourNumber={row.hourNumber} />
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

/** Digest, what is special, globe, place, route, release and more, in one line. */
function IssueContext(row: IssueRowProps) {
  const { issue, words, project } = row;
  const culprit = formatCulprit(issue) ?? "";
  const parts = [
    project,
    issue.kind === "error" ? undefined : issue.kind,
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
      <RowStatus {...row} />
      {issue.trust === "public" && (
        <>
          {" "}
          <PublicMark trust={issue.trust} />
        </>
      )}
      {culprit !== "" && (
        <>
          {" "}
          <bdi className="row-place">
            <Highlight text={abbreviate(culprit, PART_CHARS)} words={words} />
          </bdi>
        </>
      )}
      <TrackerMark tracker={issue.tracker} />
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

/** What the glyph means: the rate of an escalation, the release of a regression, when it returns. */
function RowStatus({ issue, state, mark, todayNumber }: IssueRowProps) {
  const { decision, escalation } = issue;
  const isEnded = state === "open" && decision?.state === "snoozed";
  const text = toMarkText();
  if (text === undefined) return null;
  return (
    <>
      {" "}
      <span className="row-status" data-mark={isEnded ? "ended" : mark}>
        {text}
      </span>
    </>
  );

  function toMarkText(): ReactNode {
    if (mark === "escalating")
      return `Escalating${escalation === undefined ? "" : formatRate(escalation)}`;
    if (mark === "regressed") return <Regression release={decision?.regressedInRelease} />;
    if (isEnded) return "Snooze ended";
    if (mark !== "snoozed" || decision === undefined) return undefined;
    // Only the day of the current time changes the text.
    const nowMs = todayNumber * DAY_MS;
    return <SnoozeLimits decision={decision} issue={issue} nowMs={nowMs} />;
  }
}

/** `Regressed in 2.5.0`. */
function Regression({ release }: { release: string | undefined }) {
  if (release === undefined) return "Regressed";
  return (
    <>
      Regressed in <bdi>{abbreviate(release, PART_CHARS)}</bdi>
    </>
  );
}

/** `: 142 in an hour, usually 4`. */
function formatRate({ value, usual }: NonNullable<IssueSummary["escalation"]>) {
  const isKnown = usual > 0;
  return `: ${formatNumber(value)} in an hour${isKnown ? `, usually ${formatNumber(usual)}` : ""}`;
}

// Marks the words of a search in a text.

const MIN_WORD_CHARS = 3;
const MAX_WORDS = 10;
/** Syntax characters of a pattern (ECMA-262). */
const SPECIAL_CHARACTERS = /[\\^$.*+?()[\]{}|/]/g;

/** The text with each occurrence of `words`, together or alone, in `mark`; case-insensitive. */
export function Highlight({ text, words }: { text: string; words: string | undefined }) {
  const pattern = toPattern(words);
  if (pattern === undefined) return text;
  return text.split(pattern).map((part, index) => (
    // Every second part is a match. The parts have no ids; their order never changes.
    <Fragment key={index}>{index % 2 === 1 ? <mark>{part}</mark> : part}</Fragment>
  ));
}

/** Longer words first: a word may contain another one. */
function toPattern(words = ""): RegExp | undefined {
  const parts = listTextParts(words).map(({ text }) => text);
  const sources = [parts.join(" "), ...parts]
    .filter((word) => word.length >= MIN_WORD_CHARS)
    .slice(0, MAX_WORDS)
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(SPECIAL_CHARACTERS, "\\$&"));
  return sources.length === 0 ? undefined : new RegExp(`(${sources.join("|")})`, "iu");
}
