import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { IssueLists } from "#src/store/index/lists/issue-lists.ts";
import { findWordTerms } from "#src/store/index/lists/search-words.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { IndexTables } from "#src/store/index/state/index-tables.ts";
import { INDEX_SCHEMA } from "#src/store/index/tables/index-schema.ts";
import { openDatabase } from "#src/store/sqlite/database.ts";
import { visit } from "#support/http/visit.ts";
import { createIssue } from "#support/reports/issues.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getIndex, log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const reports = [
  createReport(1, {
    digest: "0000-0001",
    message: "Cannot read properties of undefined (reading 'total')",
    frames: [{ function: "priceOf", file: "/srv/shop/checkout/price.ts", line: 41, inApp: true }],
    request: { route: "/checkout", url: "https://shop.example/checkout?step=2" },
    tags: [["tenant", "acme"]],
  }),
  createReport(2, { digest: "0000-0002", type: "RangeError", message: "größer als erlaubt" }),
];

describe("a search without a code finds issues", () => {
  it.each([
    { name: "by words of the message", text: "properties of undefined", digest: "0000-0001" },
    { name: "by the type in any case", text: "rangeerror", digest: "0000-0002" },
    {
      name: "by a stack frame with line numbers",
      text: "at priceOf (/srv/shop/checkout/price.ts:39:2)",
      digest: "0000-0001",
    },
    { name: "by the beginning of a word", text: "checko", digest: "0000-0001" },
    { name: "by a tag", text: "tenant acme", digest: "0000-0001" },
    { name: "by words with letters beyond ASCII", text: "größer", digest: "0000-0002" },
  ])("$name", async ({ text, digest }) => {
    await log.append(reports);
    expect(await projectStore.searchIssues(text)).toEqual([digest]);
    const { response } = await visit(`/lookup?q=${encodeURIComponent(text)}`);
    expect([response.status, response.headers.get("location")]).toEqual([303, `/d/${digest}`]);
  });

  it("only if all its words match", async () => {
    await log.append(reports);
    expect(await projectStore.searchIssues("properties of nothing")).toEqual([]);
    expect((await visit("/lookup?q=properties+of+nothing")).response.status).toBe(404);
  });

  it("after a restart before the index received them, and each issue once", async () => {
    await log.append(reports);
    await abortAllDurableObjects();
    await log.append([createReport(3, { ...reports[0], id: createReport(3).id })]);
    expect(await projectStore.searchIssues("checkout")).toEqual(["0000-0001"]);
  });
});

it("the full-text tables have small pages, so that no write merges much, also after a wipe", async () => {
  await projectStore.listNewestIssues();
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    const tables = new IndexTables(storage);
    for (const round of [1, 2]) {
      tables.transaction(() => {
        for (let n = 0; n < 200; n++) {
          const digest = `0000-${String(n).padStart(4, "0")}`;
          tables.issues.save(createIssue({ digest }));
          tables.search.add([[digest, `word${n} of round${round} and item${n * 7}`]]);
        }
      });
      for (const table of ["issue_search", "facet"]) {
        const query = `SELECT max(length(block)) AS bytes FROM ${table}_data`;
        expect(storage.sql.exec<{ bytes: number }>(query).one().bytes).toBeLessThan(1_200);
      }
      tables.wipe({ includeTriage: true });
    }
  });
});

it("an issue has one row in the search table, in any order of writes", async () => {
  await projectStore.listNewestIssues();
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    const { issues, search: table } = new IndexTables(storage);
    const lists = new IssueLists(storage.sql, issues);
    for (const digest of ["0000-0000", "ZZZZ-ZZZZ"]) issues.save(createIssue({ digest }));
    table.add([
      ["ZZZZ-ZZZZ", "last"],
      ["0000-0000", "first"],
      ["ZZZZ-ZZZZ", "again"],
    ]);
    table.add([["0000-0000", "once more"]]);
    const rows = storage.sql.exec("SELECT text FROM issue_search");
    expect(rows.toArray()).toEqual([{ text: "first" }, { text: "last" }]);
    expect([lists.search("again", 5), lists.search("once more", 5)]).toEqual([[], []]);
    table.merge("ZZZZ-ZZZZ", "0000-0000");
    expect(lists.search("first last", 5)).toEqual(["0000-0000"]);
  });
});

it("the search texts of an index can be deleted while a query is unfinished", async () => {
  await log.append(reports);
  await projectStore.listNewestIssues();
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    const database = openDatabase(storage, INDEX_SCHEMA);
    const unfinished = storage.sql.exec("SELECT id FROM initialized");
    unfinished.next();
    const isFound = () =>
      storage.sql.exec("SELECT 1 FROM issue_search WHERE issue_search MATCH 'total'").toArray()
        .length > 0;
    expect(isFound()).toBe(true);
    database.wipe(["reported"]);
    expect(isFound()).toBe(false);
    expect(unfinished.toArray()).toEqual([]);
    database.wipe(["reported"]);
    expect(isFound()).toBe(false);
  });
});

it("no search text is parsed as FTS5 operators, and none throws", async () => {
  await log.append(reports);
  await projectStore.listNewestIssues();
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    const lists = new IssueLists(storage.sql, new IndexTables(storage).issues);
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.constantFrom('"', "AND", "NEAR(a b)", "text:a", "a* OR b", "-x", "^y", "{}", "'", "*"),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), (words) => {
        expect(Array.isArray(lists.search(words.join(" "), 5))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

it.each(["a.", "aaaa@", "A-", "\u00e9"])(
  "the words of ten thousand characters of %j are found in linear time",
  async (part) => {
    const text = part.repeat(limits.maxQueryChars / part.length);
    await projectStore.listNewestIssues();
    await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
      for (let time = 0; time < 20; time++) findWordTerms(storage.sql, text);
    });
  },
  5_000,
);
