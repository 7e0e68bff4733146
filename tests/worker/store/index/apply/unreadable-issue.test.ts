import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it } from "vitest";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { compressBody } from "#src/store/index/tables/issue-body.ts";
import { expectConsoleError } from "#support/console.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getIndex, getShard, log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

it("an issue that cannot be read is not replaced, and other issues of its shard are counted", async () => {
  const errors = expectConsoleError();
  await log.append([createReport(1)]);
  await projectStore.listNewestIssues();
  const later = compressBody('{"v":99}').slice().buffer;
  const inTable = (query: string, ...values: SqlStorageValue[]) =>
    runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) =>
      storage.sql.exec(query, ...values).toArray(),
    );
  await inTable("UPDATE issue SET body = ?", later);
  // The object has the issue in memory, too.
  await abortAllDurableObjects();
  await log.append([createReport(2), createReport(3, { digest: "0000-0000" })]);
  await getShard().flush();
  expect(await projectStore.getFreshIssue("0000-0000")).toMatchObject({ count: 1 });
  const [row] = await inTable("SELECT body FROM issue WHERE digest = '7F3K-Q2M9'");
  expect(row?.body).toEqual(later);
  expect(errors.join("\n")).toContain("was written by a later release");
});

it("the activity of a key that cannot be read is not replaced, and its reports are counted", async () => {
  const inTable = (query: string) =>
    runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) =>
      storage.sql.exec(query).toArray(),
    );
  const ofKey = { trust: "public", senderKey: "0a" } as const;
  await log.append([createReport(1, ofKey)]);
  await projectStore.listNewestIssues();
  await inTable(`UPDATE key_activity SET json = '{"v":2}'`);
  await abortAllDurableObjects();
  await log.append([createReport(2, { ...ofKey, digest: "0000-0000" })]);
  await getShard().flush();
  expect(await projectStore.getFreshIssue("0000-0000")).toMatchObject({ count: 1 });
  expect(await inTable("SELECT json FROM key_activity")).toEqual([{ json: '{"v":2}' }]);
});
