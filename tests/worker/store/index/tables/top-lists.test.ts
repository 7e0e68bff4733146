/** The lists by count and by users: their tops, and the migration that fills them. */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { type IssueSort, parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { IssueLists } from "#src/store/index/lists/issue-lists.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { IndexTables } from "#src/store/index/state/index-tables.ts";
import { INDEX_SCHEMA, TOP_LISTS } from "#src/store/index/tables/index-schema.ts";
import { Database } from "#src/store/sqlite/database.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getIndex, log, NOW_MS, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const BOUNDS = { listedIssues: 2 };

/** Digests with this number of reports, in the order of their last reports. */
const COUNTS = { "0000-0000": 1, "7F3K-Q2M9": 40, "NN8A-S8H6": 1, "PAEE-YHA5": 3, "XXKC-3R3W": 1 };

async function fill(): Promise<void> {
  let n = 0;
  for (const [digest, count] of Object.entries(COUNTS)) {
    const atMs = NOW_MS + n * 1_000;
    const reports = Array.from({ length: count }, () =>
      createReport(++n, { digest, occurredAtMs: atMs }),
    );
    await log.append(reports);
  }
  await projectStore.listNewestIssues();
}

function inIndex<T>(work: (storage: DurableObjectStorage) => T): Promise<T> {
  return runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => work(storage));
}

/** The digests of all pages, forward. */
function listAll(storage: DurableObjectStorage, sort: IssueSort, hasTops: boolean) {
  const { issues } = new IndexTables(storage);
  const lists = new IssueLists(storage.sql, issues, undefined, undefined, () => hasTops);
  const digests: string[] = [];
  const query = parseIssueQuery("", sort);
  let from: Parameters<IssueLists["listPage"]>[1];
  do {
    const page = lists.listPage(query, from, NOW_MS, BOUNDS.listedIssues);
    digests.push(...page.issues.map(({ digest }) => digest));
    from = page.next;
  } while (from !== undefined);
  return digests;
}

describe("a list by count", () => {
  it("goes on with the issues that occurred once, the last seen first", async () => {
    await fill();
    expect(await inIndex((storage) => listAll(storage, "count", true))).toEqual([
      ...["7F3K-Q2M9", "PAEE-YHA5"],
      ...["XXKC-3R3W", "NN8A-S8H6", "0000-0000"],
    ]);
  });

  it("costs a new issue no row of an SQL index", async () => {
    await fill();
    const tops = await inIndex(({ sql }) =>
      sql
        .exec<{ n: number }>("SELECT count(*) AS n FROM issue WHERE shape >= 3")
        .toArray()
        .map(({ n }) => n),
    );
    expect(tops).toEqual([2]);
  });
});

/** Makes the tables those of version 2, as 0.1.0 wrote them. */
function toVersion2({ sql }: DurableObjectStorage): void {
  for (const [sort, column] of [
    ["count", "rounded_count"],
    ["users", "rounded_users"],
  ]) {
    const filters = "digest, state, ignored_until_ms, first_seen_ms, trust";
    sql.exec(`DROP INDEX top_by_${sort};
      CREATE INDEX list_by_${sort} ON issue(noise, ${column}, ${filters})`);
  }
  sql.exec(`ALTER TABLE issue DROP COLUMN shape;
    ALTER TABLE shard_progress DROP COLUMN recent; DROP TABLE new_issue_copies;
    DELETE FROM schema_backfill; UPDATE schema_state SET version = 2, writer = 2, oldest = 1`);
}

describe("data of version 2", () => {
  it("has its lists at every moment while turns of the alarm fill the tops", async () => {
    await fill();
    const seen = await inIndex((storage) => {
      toVersion2(storage);
      const database = new Database(storage, INDEX_SCHEMA, { release: "test", nowMs: 1 });
      const read = () => listAll(storage, "count", database.isFinished(TOP_LISTS));
      const lists = [read()];
      for (let turn = 0; database.hasBackfill && turn < 20; turn++) {
        database.runTurn(2, 20_000);
        lists.push(read());
      }
      const { data, backfills } = database.describe();
      const indexes = storage.sql
        .exec<{ name: string }>(
          "SELECT name FROM sqlite_master WHERE type = 'index' AND name GLOB '*_by_*' ORDER BY name",
        )
        .toArray();
      return { lists, data, backfills, indexes: indexes.map(({ name }) => name) };
    });
    expect(seen.lists.length).toBeGreaterThan(3);
    for (const list of seen.lists) {
      expect(list.slice(0, 2)).toEqual(["7F3K-Q2M9", "PAEE-YHA5"]);
      expect(list.toSorted()).toEqual(Object.keys(COUNTS).toSorted());
    }
    expect(seen).toMatchObject({ data: INDEX_SCHEMA.migrations.length, backfills: [] });
    expect(seen.indexes.filter((name) => /_by_(?:count|users)$/.test(name))).toEqual([
      "top_by_count",
      "top_by_users",
    ]);
  });

  it("is right after an issue changes while the tops are filled", async () => {
    await fill();
    const list = await inIndex((storage) => {
      toVersion2(storage);
      const database = new Database(storage, INDEX_SCHEMA, { release: "test", nowMs: 1 });
      database.runTurn(2, 20_000);
      const { issues } = new IndexTables(storage);
      const issue = issues.get("0000-0000");
      if (issue !== undefined) issues.save({ ...issue, count: 90 });
      while (database.hasBackfill) database.runTurn(2, 20_000);
      return listAll(storage, "count", true);
    });
    expect(list.slice(0, 3)).toEqual(["0000-0000", "7F3K-Q2M9", "PAEE-YHA5"]);
  });
});
