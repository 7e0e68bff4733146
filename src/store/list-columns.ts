/**
 * What lists of issues are ordered and filtered by, beside the JSON of each: columns of the table `issue`, all of them in one index,
 * so that no list reads the JSON of an issue that it does not show.
 *
 *     state     as it stood when the issue changed last; an ignored one is open again at `until_ms`
 *     n         occurrences
 *     people    about how many it has met
 */
import { isRegressed } from "../core/decision.ts";
import type { Issue } from "../core/issue.ts";
import { countVisitors } from "../core/visitors.ts";
import { addColumn } from "./columns.ts";

const ADDED = {
  state: "TEXT NOT NULL DEFAULT 'open'",
  until_ms: "INTEGER",
  regressed: "INTEGER NOT NULL DEFAULT 0",
  first_ms: "INTEGER NOT NULL DEFAULT 0",
  n: "INTEGER NOT NULL DEFAULT 0",
  people: "INTEGER NOT NULL DEFAULT 0",
  kind: "TEXT NOT NULL DEFAULT ''",
  type: "TEXT NOT NULL DEFAULT ''",
} as const;

/** The columns, in the order of `listColumnsOf`. */
export const LIST_COLUMNS = ["noise", "last_ms", ...Object.keys(ADDED)] as const;

/** Makes the columns and their index where they are missing; true when issues have to be written anew to fill them. */
export function addListColumns(sql: SqlStorage): boolean {
  const added = Object.entries(ADDED).map(([name, definition]) =>
    addColumn(sql, "issue", name, definition),
  );
  sql.exec("DROP INDEX IF EXISTS issue_apart");
  sql.exec(`CREATE INDEX IF NOT EXISTS issue_list ON issue(${LIST_COLUMNS.join(", ")})`);
  return added.includes(true);
}

/** The values of the columns. */
export function listColumnsOf(issue: Issue): readonly (string | number | null)[] {
  const { state, decision, firstSeenMs, lastSeenMs, count, visitors, kind, type } = issue;
  return [
    issue.noise === undefined ? 0 : 1,
    lastSeenMs,
    state,
    decision?.state === "ignored" ? (decision.untilMs ?? null) : null,
    isRegressed(issue) ? 1 : 0,
    firstSeenMs,
    count,
    countVisitors(visitors),
    kind,
    type,
  ];
}
