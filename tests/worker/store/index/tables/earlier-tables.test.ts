import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it } from "vitest";
import type { Issue } from "#src/core/issue/issue.ts";
import { ISSUE_SORTS, parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { IssueLists } from "#src/store/index/lists/issue-lists.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { IndexTables } from "#src/store/index/state/index-tables.ts";
import { INDEX_SCHEMA } from "#src/store/index/tables/index-schema.ts";
import { LIST_INDEXES } from "#src/store/index/tables/issue-columns.ts";
import { openDatabase } from "#src/store/sqlite/database.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getIndex, log, NOW_MS, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

/** The tables as they were when lists had the issues of servers first, without versions. */
function toEarlierTables(sql: SqlStorage): void {
  sql.exec("DROP TABLE schema_state; DROP TABLE schema_backfill; DROP TABLE latest_activity");
  sql.exec("ALTER TABLE shard_progress DROP COLUMN recent");
  sql.exec("ALTER TABLE issue ADD COLUMN trust_rank INTEGER NOT NULL DEFAULT 2");
  for (const index of Object.keys(LIST_INDEXES)) sql.exec(`DROP INDEX ${index}`);
  for (const sort of ISSUE_SORTS)
    sql.exec(`CREATE INDEX issue_by_${sort} ON issue(noise, trust_rank, digest)`);
  sql.exec("ALTER TABLE issue DROP COLUMN shape; DROP TABLE new_issue_copies");
  sql.exec(`UPDATE issue SET rounded_count = 1;
    UPDATE issue_search SET rowid = rowid - 2 * ${2 ** 45} WHERE rowid = 2;
    UPDATE issue_search SET rowid = rowid - ${2 ** 45} WHERE rowid = 3;
    ALTER TABLE release_count ADD COLUMN trusted_new INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE release_count ADD COLUMN trusted_regressed INTEGER NOT NULL DEFAULT 0`);
}

/** Runs the backfills of the migrations, as alarms do. */
function fillBackfills(storage: DurableObjectStorage): void {
  const database = openDatabase(storage, INDEX_SCHEMA);
  while (database.hasBackfill) database.runTurn(10, 20_000);
}

it("tables of an earlier version keep their issues, words and releases, in the new order", async () => {
  const often = { trust: "public", digest: "NN8A-S8H6", message: "voucher void" } as const;
  const release = "shop@1";
  await log.append([
    createReport(1, { release }),
    ...Array.from({ length: 123 }, (_, n) => createReport(100 + n, { ...often, release })),
    createReport(2, { trust: "page", digest: "0000-0000", message: "basket gone" }),
  ]);
  await projectStore.listNewestIssues();
  const read = await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    toEarlierTables(storage.sql);
    const tables = new IndexTables(storage);
    fillBackfills(storage);
    // The next start finds nothing to convert.
    new IndexTables(storage);
    const lists = new IssueLists(storage.sql, tables.issues);
    const { issues } = lists.listPage(parseIssueQuery("", "count"), undefined, NOW_MS);
    const issue = tables.issues.get("7F3K-Q2M9") as Issue;
    tables.issues.save({ ...issue, count: 9, firstRelease: "shop@2" });
    const [{ rounded } = { rounded: 0 }] = storage.sql
      .exec<{ rounded: number }>("SELECT max(rounded_count) AS rounded FROM issue")
      .toArray();
    return {
      digests: issues.map(({ digest }) => digest),
      words: [lists.search("voucher void", 9), lists.search("basket", 9)],
      counts: [...tables.issues.facets.releaseCounts.list([release]).values()],
      rounded,
    };
  });
  expect(read).toEqual({
    digests: ["NN8A-S8H6", "0000-0000", "7F3K-Q2M9"],
    words: [["NN8A-S8H6"], ["0000-0000"]],
    counts: [{ seen: 2, new: 1, regressed: 0, fixed: 0, trusted_seen: 1 }],
    rounded: 120,
  });
});
