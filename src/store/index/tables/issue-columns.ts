/**
 * Columns of the table `issue`: those that lists sort and filter by, and `summary`, the JSON of the
 * other data that lists show. A page of issues therefore reads no body. Each order of a list has an
 * SQL index with the columns that lists filter by.
 *
 *     changed_day       the UTC day of the last change, in days since 1970
 *     is_frequent       1 if the issue has as many reports as a common one (`isFrequent`)
 *     state             as of the last change, in the words of version 1; a snoozed issue
 *                       (`ignored`) is open again at `ignored_until_ms`
 *     report_count      occurrences
 *     user_count        an estimate
 *     rounded_count     occurrences and users, rounded by `roundCount`: their SQL indexes change
 *     rounded_users     less often
 *     shape             `ISSUE_SHAPE`: which of the lists by count and by users have the issue at
 *                       their top; null for neither. Most issues occur once, and each SQL index
 *                       costs a row for each new issue, so these two have only such issues
 */

import { summarizeIssue } from "../../../core/issue/aggregate-report.ts";
import type { Issue, IssueSummary } from "../../../core/issue/issue.ts";
import { roundCount } from "../../../core/issue/issue-list-page.ts";
import { ISSUE_SORTS, type IssueSort } from "../../../core/issue/issue-query.ts";
import type { IssueState } from "../../../core/issue/issue-states.ts";
import {
  fromStoredState,
  SNOOZE_LIMITS,
  type StoredState,
  toStoredState,
} from "../../../core/issue/issue-versions.ts";
import { isFrequent } from "../../../core/issue/retention.ts";
import type { Digest, ReportKind } from "../../../core/report.ts";
import type { Trust } from "../../../core/trust/trust.ts";
import { toDayNumber } from "../../../core/utc-time.ts";
import { DECISION_JSON } from "../../kv/stored-json.ts";
import { since } from "../../sqlite/table.ts";

/** The SQL types of the columns. */
export const ISSUE_COLUMNS = {
  changed_day: "INTEGER NOT NULL",
  is_frequent: "INTEGER NOT NULL",
  noise: "INTEGER NOT NULL",
  last_seen_ms: "INTEGER NOT NULL",
  state: "TEXT NOT NULL",
  ignored_until_ms: "INTEGER",
  first_seen_ms: "INTEGER NOT NULL",
  report_count: "INTEGER NOT NULL",
  user_count: "INTEGER NOT NULL",
  rounded_count: "INTEGER NOT NULL",
  rounded_users: "INTEGER NOT NULL",
  kind: "TEXT NOT NULL",
  type: "TEXT NOT NULL",
  trust: "TEXT NOT NULL",
  summary: "TEXT NOT NULL",
  shape: since(4, "INTEGER"),
} as const;

/** The values of an issue's columns. */
export interface IssueColumns extends Record<string, SqlStorageValue> {
  readonly changed_day: number;
  readonly is_frequent: number;
  readonly noise: number;
  readonly last_seen_ms: number;
  readonly state: StoredState;
  readonly ignored_until_ms: number | null;
  readonly first_seen_ms: number;
  readonly report_count: number;
  readonly user_count: number;
  readonly rounded_count: number;
  readonly rounded_users: number;
  readonly kind: ReportKind;
  readonly type: string;
  readonly trust: Trust;
  readonly summary: string;
  readonly shape: number | null;
}

/** The columns that lists sort by. */
export const SORT_COLUMNS = {
  last: "last_seen_ms",
  first: "first_seen_ms",
  count: "rounded_count",
  users: "rounded_users",
} as const satisfies Record<IssueSort, keyof typeof ISSUE_COLUMNS>;

/** Issues with several occurrences, and those with several users too. */
const ISSUE_SHAPE = { repeated: 3, shared: 4 } as const;

/** The lists that begin with the issues of a shape, and go on with all others by last time. */
const TOP_SHAPES: Readonly<Partial<Record<IssueSort, number>>> = {
  count: ISSUE_SHAPE.repeated,
  users: ISSUE_SHAPE.shared,
};

/** The least shape of the issues at the top of a list; undefined for a list without a top. */
export function getTopShape(sort: IssueSort): number | undefined {
  return TOP_SHAPES[sort];
}

/** Above every time in ms, so that a position at the top of a list sorts above the others. */
export const TOP_POSITION = 2 ** 46;

/** The SQL of an issue's position in a list. `hasTops` is false until a migration has filled them. */
export function toPositionSql(sort: IssueSort, hasTops: boolean): string {
  const [column, shape] = [SORT_COLUMNS[sort], getTopShape(sort)];
  if (shape === undefined || !hasTops) return column;
  return `iif(shape >= ${shape}, ${column} + ${TOP_POSITION}, last_seen_ms)`;
}

/**
 * The SQL indexes of the lists: that of an order is named `list_by_<sort>`, and that of the top of
 * one `top_by_<sort>`.
 */
export const LIST_INDEXES = Object.fromEntries(
  ISSUE_SORTS.map((sort) => {
    const filters = ["state", "ignored_until_ms", "first_seen_ms", "trust"];
    const columns = [...new Set(["noise", SORT_COLUMNS[sort], "digest", ...filters])].join(", ");
    const shape = getTopShape(sort);
    return shape === undefined
      ? [`list_by_${sort}`, `(${columns})`]
      : [`top_by_${sort}`, since(4, `(${columns}) WHERE shape >= ${shape}`)];
  }),
);

/** The shape of an issue by its other columns, as SQL; a migration fills the column with it. */
export const SHAPE_SQL = `CASE WHEN rounded_users > 1 THEN ${ISSUE_SHAPE.shared}
  WHEN rounded_count > 1 THEN ${ISSUE_SHAPE.repeated} END`;

function toShape(count: number, users: number): number | null {
  if (users > 1) return ISSUE_SHAPE.shared;
  return count > 1 ? ISSUE_SHAPE.repeated : null;
}

/** The members of `IssueColumns`. */
export const ISSUE_COLUMN_NAMES = Object.keys(ISSUE_COLUMNS);

/** Members of a summary that have a column of their own. */
type StoredInColumns =
  | ("digest" | "kind" | "type" | "trust" | "state")
  | ("count" | "userCount" | "firstSeenMs" | "lastSeenMs");

type StoredSummary = Omit<IssueSummary, StoredInColumns | "decision"> & {
  readonly decision?: unknown;
};

/**
 * The digests of issues that an earlier release ignored without a limit, as SQL: they are archived.
 * No list has the limits in its columns, and few issues have decisions.
 */
export const IGNORED_WITHOUT_END = `SELECT name FROM decision
  WHERE body ->> '$.state' = 'ignored' AND coalesce(${SNOOZE_LIMITS.map(
    (name) => `body ->> '$.${name}'`,
  ).join(", ")}) IS NULL`;

export function toIssueColumns(issue: Issue): IssueColumns {
  const { digest: _, userCount = 0, ...summary } = summarizeIssue(issue);
  const { kind, type, trust, state, count, firstSeenMs, lastSeenMs, decision, ...rest } = summary;
  const others =
    decision === undefined ? rest : { ...rest, decision: DECISION_JSON.toWritten(decision) };
  return {
    changed_day: toDayNumber(issue.asOfMs),
    is_frequent: isFrequent(issue) ? 1 : 0,
    noise: issue.noise === undefined ? 0 : 1,
    last_seen_ms: lastSeenMs,
    state: toStoredState(state),
    ignored_until_ms: decision?.state === "snoozed" ? (decision.untilMs ?? null) : null,
    first_seen_ms: firstSeenMs,
    report_count: count,
    user_count: userCount,
    rounded_count: roundCount(count),
    rounded_users: roundCount(userCount),
    kind,
    type,
    trust,
    summary: JSON.stringify(others),
    shape: toShape(count, userCount),
  };
}

/** The part of an issue that lists show. */
export function toIssueSummary(digest: Digest, columns: IssueColumns): IssueSummary {
  const { kind, type, trust, user_count: userCount } = columns;
  const { decision: stored, ...others } = JSON.parse(columns.summary) as StoredSummary;
  const decision = stored === undefined ? undefined : DECISION_JSON.parse(stored);
  return {
    digest,
    kind,
    type,
    trust,
    state: fromStoredState(columns.state, decision) as IssueState,
    count: columns.report_count,
    firstSeenMs: columns.first_seen_ms,
    lastSeenMs: columns.last_seen_ms,
    userCount: userCount === 0 ? undefined : userCount,
    ...others,
    ...(decision !== undefined && { decision }),
  };
}
