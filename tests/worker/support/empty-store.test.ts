// Test files share an isolate: what one leaves behind would be the data of the next.

import { evictAllDurableObjects } from "cloudflare:test";
import { afterEach, expect, it } from "vitest";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getShard, log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

it("the next test finds no data of objects that the runtime has stopped", async () => {
  await log.append([createReport(1)]);
  await getShard().flush();
  await evictAllDurableObjects();
  await emptyStore();
  await log.append([createReport(2, { digest: "0000-0000" })]);
  const { issues } = await projectStore.listNewestIssues();
  expect(issues.map(({ digest }) => digest)).toEqual(["0000-0000"]);
});
