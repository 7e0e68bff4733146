/**
 * The SQLite tables of ProjectIndex, and its migrations. The classes of `tables/`, `alerts/` and
 * `releases/` read and write them.
 */
import { limits } from "../../../core/limits.ts";
import { DAY_MS, HOUR_MS, toUtcDay } from "../../../core/utc-time.ts";
import { outdatedCopies } from "../../kv/copy-queue.ts";
import { WRITE_BUDGET } from "../../kv/write-budget.ts";
import type { Backfill, Schema } from "../../sqlite/database.ts";
import {
  documents,
  expireBefore,
  fullText,
  since,
  type Table,
  table,
  value,
} from "../../sqlite/table.ts";
import { ISSUE_COLUMNS, LIST_INDEXES, SHAPE_SQL } from "./issue-columns.ts";

/** `shard_progress.recent` of rows of an earlier version. */
export const RECENT_UNKNOWN = "unknown";
/** Rows that a job deletes in one turn from a table with SQL indexes: about 15 ms of CPU. */
const FEW_ROWS = 100;
/** The same for search texts, which FTS5 splits into words again. */
const SEARCH_TEXTS = 200;
/** How long Errata's own failed renders can be linked. */
const TRACE_TTL_MS = DAY_MS;
const ERASURE_TTL_MS = HOUR_MS;
/** How long a merged commit may wait for its release. */
const AWAITED_COMMIT_MS = 90 * DAY_MS;

/** The migration with which the lists by count and by users have tops. */
export const TOP_LISTS = 4;

/** The last actions of members that can be undone. */
export const UNDO = documents("undo", {
  wipe: "reported",
  // A name begins with the time of the action, ms.
  expire: expireBefore(
    "undo",
    "name",
    "CAST(name AS INTEGER)",
    ({ nowMs }) => nowMs - limits.undoMs + 1,
  ),
  // An erasure forgets all actions, because an undo would restore what it erased.
  erase: { by: "ProjectIndex.enqueueJob" },
});

/** Rows that reports make. A rebuild deletes them and makes them again from KV. */
const REPORTED: readonly Table[] = [
  fullText("facet", "facet_values UNINDEXED, tokens, detail = none, columnsize = 0", {
    wipe: "reported",
    expire: { with: "issue" },
    erase: { by: "issues" },
  }),
  fullText("issue_search", `text, tokenize = "unicode61 tokenchars '_$'"`, {
    wipe: "reported",
    rowsPerTurn: SEARCH_TEXTS,
    expire: { with: "issue" },
    erase: { by: "issues" },
  }),
  table(
    "issue",
    {
      id: "INTEGER PRIMARY KEY",
      digest: "TEXT NOT NULL UNIQUE",
      ...ISSUE_COLUMNS,
      body: "BLOB NOT NULL",
    },
    ["id"],
    {
      indexes: { ...LIST_INDEXES, issue_expiry: "(is_frequent, changed_day)" },
      isBig: true,
      wipe: "reported",
      rowsPerTurn: FEW_ROWS,
      expire: { by: "IndexTables.deleteExpiredIssues" },
      erase: { by: "issues" },
    },
  ),
  table("issue_total", { noise: "INTEGER", total: "INTEGER NOT NULL" }, ["noise"], {
    wipe: "reported",
    expire: "never",
    erase: "no text",
  }),
  table(
    "facet_value",
    { key: "TEXT NOT NULL", value: "TEXT NOT NULL", id: "INTEGER NOT NULL" },
    ["key", "value"],
    { isBig: true, wipe: "reported", expire: { with: "issue" }, erase: { by: "issues" } },
  ),
  table(
    "release_count",
    {
      release: "TEXT",
      seen: "INTEGER NOT NULL",
      new: "INTEGER NOT NULL",
      regressed: "INTEGER NOT NULL",
      fixed: "INTEGER NOT NULL",
      trusted_seen: "INTEGER NOT NULL",
    },
    ["release"],
    {
      indexes: { release_fixed: "(release) WHERE fixed > 0" },
      isBig: true,
      wipe: "reported",
      expire: { with: "issue" },
      erase: { by: "issues" },
    },
  ),
  table(
    "alias",
    {
      alias: "TEXT NOT NULL",
      digest: "TEXT NOT NULL",
      first_seen_ms: "INTEGER NOT NULL",
      rank: "INTEGER NOT NULL",
    },
    ["alias", "digest"],
    {
      indexes: { alias_issue: "(digest)" },
      isBig: true,
      wipe: "reported",
      rowsPerTurn: FEW_ROWS,
      expire: { with: "issue" },
      erase: { by: "aliases" },
    },
  ),
  table(
    "counter",
    { day: "TEXT NOT NULL", name: "TEXT NOT NULL", total: "INTEGER NOT NULL" },
    ["day", "name"],
    {
      isBig: true,
      wipe: "reported",
      expire: expireBefore("counter", "day, name", "day", ({ beforeMs }) => toUtcDay(beforeMs)),
      erase: { by: "counters" },
    },
  ),
  table(
    "trace",
    {
      trace: "TEXT NOT NULL",
      digest: "TEXT NOT NULL",
      failed_ms: "INTEGER NOT NULL",
      path: "TEXT",
    },
    ["trace", "digest"],
    {
      indexes: { trace_issue: "(digest)", trace_expiry: "(failed_ms)" },
      isBig: true,
      wipe: "reported",
      rowsPerTurn: FEW_ROWS,
      expire: expireBefore(
        "trace",
        "trace, digest",
        "failed_ms",
        ({ nowMs }) => nowMs - TRACE_TTL_MS,
      ),
      erase: { by: "traces" },
    },
  ),
  table(
    "release",
    {
      name: "TEXT",
      first_seen_ms: "INTEGER NOT NULL",
      trust: "TEXT NOT NULL",
      day: "TEXT NOT NULL",
    },
    ["name"],
    {
      indexes: { release_by_time: "(trust, first_seen_ms)" },
      isBig: true,
      wipe: "reported",
      expire: { by: "ReleaseTable.deleteExpired" },
      erase: { by: "releases" },
    },
  ),
  table(
    "release_script",
    {
      release: "TEXT NOT NULL",
      is_trusted: "INTEGER NOT NULL",
      file: "TEXT NOT NULL",
      debug_id: "TEXT",
    },
    ["release", "is_trusted", "file"],
    { isBig: true, wipe: "reported", expire: { with: "release" }, erase: { by: "releases" } },
  ),
  table(
    "daily_cap",
    { day: "TEXT NOT NULL", name: "TEXT NOT NULL", used: "INTEGER NOT NULL" },
    ["day", "name"],
    {
      isBig: true,
      wipe: "reported",
      expire: { by: "DailyCapTable.deleteExpired" },
      erase: "no text",
    },
  ),
  table("key_activity", { key: "TEXT", json: "TEXT NOT NULL" }, ["key"], {
    wipe: "reported",
    expire: { by: "FloodTable.deleteExpired" },
    erase: "no text",
  }),
  table(
    "shard_progress",
    {
      shard: "TEXT",
      seq: "INTEGER NOT NULL",
      watermark: "INTEGER NOT NULL",
      // JSON (`core/overview/recent-errors.ts`), in the row that each batch writes anyway.
      recent: since(3, "TEXT"),
    },
    ["shard"],
    { wipe: "reported", expire: "never", erase: "no text" },
  ),
  table(
    "new_issue_copies",
    {
      rank: "INTEGER NOT NULL",
      first_id: "INTEGER NOT NULL",
      last_id: "INTEGER NOT NULL",
      since_ms: "INTEGER NOT NULL",
    },
    ["rank", "first_id"],
    // A rebuild marks the issues again that KV does not have.
    { since: TOP_LISTS, isBig: true, wipe: "reported", expire: "never", erase: "no text" },
  ),
  UNDO,
];

/** The states that members set. */
export const DECISION = documents("decision", {
  copy: "decision",
  isBig: true,
  wipe: "triage",
  rowsPerTurn: FEW_ROWS,
  expire: "never",
  erase: { by: "decisions" },
});
/** Comments, assignees, merges and activity. */
export const ANNOTATIONS = documents("annotations", {
  copy: "annotations",
  isBig: true,
  indexes: {
    annotations_merge:
      "(name) WHERE coalesce(body ->> 'mergedInto', body ->> 'splitOff') IS NOT NULL",
  },
  wipe: "triage",
  rowsPerTurn: FEW_ROWS,
  expire: "never",
  erase: { by: "triage" },
});
/** The issues that connections to trackers follow, as their annotations say. */
const TRACKER_ITEM = table(
  "tracker_item",
  { digest: "TEXT", tracker: "TEXT NOT NULL", item: "TEXT NOT NULL" },
  ["digest"],
  {
    since: 2,
    indexes: { tracker_item_name: "(tracker, item)" },
    wipe: "triage",
    expire: "never",
    // The name of an issue in its tracker, such as 12.
    erase: "no text",
  },
);
export const SAVED_VIEWS = documents("saved_views", {
  copy: "views",
  wipe: "triage",
  expire: "never",
  erase: { by: "triage" },
});
/** The repositories of the project, and its rules of owners. */
export const REPOSITORIES = documents("repositories", {
  copy: "repositories",
  since: 2,
  wipe: "triage",
  expire: "never",
  erase: { by: "triage" },
});
/** CODEOWNERS, as builds sent it. */
export const CODE_OWNERS = documents("code_owners", {
  copy: "code-owners",
  since: 2,
  wipe: "triage",
  expire: "never",
  erase: { by: "triage" },
});

/** The issues on which members acted last: `[digest, ms]`, the newest first. */
export const LATEST_ACTIVITY = value("latest_activity", {
  since: 3,
  wipe: "triage",
  expire: "never",
  erase: "no text",
});

/** What people did, and what follows from rules. It outlives a rebuild. */
const TRIAGE: readonly Table[] = [
  DECISION,
  ANNOTATIONS,
  SAVED_VIEWS,
  TRACKER_ITEM,
  LATEST_ACTIVITY,
  REPOSITORIES,
  CODE_OWNERS,
  outdatedCopies(1, "triage"),
  table("alert_outbox", { n: "INTEGER PRIMARY KEY AUTOINCREMENT", alert: "TEXT NOT NULL" }, ["n"], {
    wipe: "triage",
    expire: "never",
    erase: { by: "sent" },
  }),
  table(
    "alert_history",
    { digest: "TEXT NOT NULL", rule: "TEXT NOT NULL", history: "TEXT NOT NULL" },
    ["digest", "rule"],
    { isBig: true, wipe: "triage", expire: { with: "issue" }, erase: "no text" },
  ),
  value("alert_rules", {
    wipe: "triage",
    expire: "never",
    // A copy of the rules of AlertSender, which sends them again after an erasure.
    erase: { by: "AlertSender.erase" },
  }),
  table("alert_sent", { digest: "TEXT", body: "TEXT NOT NULL" }, ["digest"], {
    isBig: true,
    wipe: "triage",
    expire: { with: "issue" },
    erase: { by: "sent" },
  }),
  table(
    "alert_match",
    { digest: "TEXT NOT NULL", rule: "TEXT NOT NULL", counts: "TEXT NOT NULL" },
    ["digest", "rule"],
    { isBig: true, wipe: "triage", expire: { with: "issue" }, erase: "no text" },
  ),
  table(
    "alert_deferred",
    { digest: "TEXT", due_ms: "INTEGER NOT NULL", alert: "TEXT NOT NULL" },
    ["digest"],
    { wipe: "triage", expire: { by: "DeferredAlertTable.takeDue" }, erase: { by: "sent" } },
  ),
  table(
    "awaited_commit",
    { commit_id: "TEXT NOT NULL", digest: "TEXT NOT NULL", at_ms: "INTEGER NOT NULL" },
    ["commit_id", "digest"],
    {
      since: 2,
      indexes: { awaited_commit_age: "(at_ms)", awaited_commit_issue: "(digest)" },
      isBig: true,
      wipe: "triage",
      expire: expireBefore(
        "awaited_commit",
        "commit_id, digest",
        "at_ms",
        ({ nowMs }) => nowMs - AWAITED_COMMIT_MS,
      ),
      erase: "no text",
    },
  ),
  value("alert_public", { wipe: "triage", expire: "never", erase: "no text" }),
  table("erasure_issue", { id: "TEXT NOT NULL", digest: "TEXT NOT NULL" }, ["id", "digest"], {
    isBig: true,
    wipe: "triage",
    expire: (sql, { nowMs }, limit) => {
      const query = `DELETE FROM erasure_issue WHERE (id, digest) IN (
        SELECT erasure_issue.id, digest FROM erasure JOIN erasure_issue USING (id)
        WHERE at_ms < ? LIMIT ?)`;
      return sql.exec(query, nowMs - ERASURE_TTL_MS, limit).rowsWritten > 0;
    },
    erase: "no text",
  }),
  table(
    "erasure",
    {
      id: "TEXT",
      at_ms: "INTEGER NOT NULL",
      text: "TEXT",
      found: "TEXT",
      erased_reports: "INTEGER",
    },
    ["id"],
    {
      indexes: { erasure_age: "(at_ms)" },
      wipe: "triage",
      expire: expireBefore("erasure", "id", "at_ms", ({ nowMs }) => nowMs - ERASURE_TTL_MS),
      erase: { by: "result" },
    },
  ),
];

/** The state of the object itself. */
const OWN: readonly Table[] = [
  table("tombstone", { kind: "TEXT NOT NULL", name: "TEXT NOT NULL" }, ["kind", "name"], {
    isBig: true,
    wipe: "never",
    expire: "never",
    erase: "no text",
  }),
  table("initialized", { id: "INTEGER" }, ["id"], {
    wipe: "never",
    expire: "never",
    erase: "no text",
  }),
  table("expiry_sweep", { id: "INTEGER", swept_ms: "INTEGER NOT NULL" }, ["id"], {
    wipe: "never",
    expire: "never",
    erase: "no text",
  }),
  table(
    "known_uploads",
    { id: "INTEGER", newest: "INTEGER", walk_due: "INTEGER NOT NULL" },
    ["id"],
    { wipe: "never", expire: "never", erase: "no text" },
  ),
  table(
    "job",
    {
      id: "INTEGER",
      body: "TEXT NOT NULL",
      state: "TEXT",
      failures: "INTEGER NOT NULL DEFAULT 0",
    },
    ["id"],
    // A job that erases a text has the text until it ends.
    { wipe: "never", expire: "never", erase: "no text" },
  ),
  table(
    "job_key",
    {
      key: "TEXT",
      at_ms: "INTEGER NOT NULL",
      shard: "TEXT",
      chunk: "INTEGER",
      expires_ms: "INTEGER",
      listed_ms: "INTEGER NOT NULL",
      line: "INTEGER NOT NULL DEFAULT 0",
    },
    ["key"],
    {
      indexes: { job_key_order: "(at_ms)" },
      isBig: true,
      wipe: "never",
      expire: "never",
      erase: "no text",
    },
  ),
  WRITE_BUDGET,
];

/** An earlier version subtracted a multiple of 2^45 from the ids of issues of browsers. */
const OLD_ROWIDS = `UPDATE issue_search SET rowid = rowid & ${2 ** 45 - 1} WHERE rowid < 0`;

/** Rows of an earlier version did not count recent errors: they are known from now on. */
const UNKNOWN_RECENT = `UPDATE shard_progress SET recent = '${RECENT_UNKNOWN}'`;

export const INDEX_SCHEMA: Schema = {
  object: "ProjectIndex",
  tables: [...REPORTED, ...TRIAGE, ...OWN],
  migrations: [
    {
      id: 1,
      prepare: dropListLevels,
      migrate: (sql) => void sql.exec(OLD_ROWIDS),
    },
    { id: 2 },
    { id: 3, migrate: (sql) => void sql.exec(UNKNOWN_RECENT) },
    { id: TOP_LISTS, backfill: fillShapes },
    // Runs after the backfill before it: until then, the lists read these indexes.
    { id: 5, backfill: dropFullLists, oldest: TOP_LISTS },
  ],
  floor: 1,
};

/** Sets the shape of the next issues, so that the tops of lists have them. */
function fillShapes(...[sql, after, limit]: Parameters<Backfill>): ReturnType<Backfill> {
  const first = Number(after ?? 0);
  const ids = "SELECT id FROM issue WHERE id > ? ORDER BY id LIMIT ?";
  const { visited, last } = sql
    .exec<{ visited: number; last: number | null }>(
      `SELECT count(*) AS visited, max(id) AS last FROM (${ids})`,
      ...[first, limit],
    )
    .one();
  if (last === null) return { visited: 0, next: null };
  const update = `UPDATE issue SET shape = ${SHAPE_SQL}
    WHERE id > ? AND id <= ? AND shape IS NOT (${SHAPE_SQL})`;
  sql.exec(update, first, last);
  return { visited, next: visited < limit ? null : String(last) };
}

/** Drops the SQL indexes that had every issue, also those that occurred once. */
function dropFullLists(sql: SqlStorage): ReturnType<Backfill> {
  for (const sort of ["count", "users"]) sql.exec(`DROP INDEX IF EXISTS list_by_${sort}`);
  return { visited: 0, next: null };
}

// Converts a table `issue` whose lists had the issues of servers first: its SQL indexes began with
// the level, `rounded_count` left out the reports below it, and releases counted trusted issues
// apart. Keeps every issue. Its users and its last time include reports of all levels after its
// next report. Synchronous.

/** `roundCount` (`core/issue/issue-list-page.ts`) as SQL. */
const STEP = `CAST('1' || substr('0000000000000000', 1, max(0, length(report_count) - 2)) AS INTEGER)`;

/** Does nothing if the table does not exist. Call it in a transaction. */
function dropListLevels(sql: SqlStorage): void {
  const query = "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = 'issue_by_last'";
  if (sql.exec(query).toArray().length === 0) return;
  for (const sort of ["last", "first", "count", "users"]) sql.exec(`DROP INDEX issue_by_${sort}`);
  sql.exec("ALTER TABLE issue DROP COLUMN trust_rank");
  for (const column of ["trusted_new", "trusted_regressed"])
    sql.exec(`ALTER TABLE release_count DROP COLUMN ${column}`);
  sql.exec(`UPDATE issue SET rounded_count = report_count / ${STEP} * ${STEP}`);
}
