// Test files share an isolate: what one leaves behind would be the data of the next.

import { evictAllDurableObjects } from "cloudflare:test";
import { afterEach, expect, it } from "vitest";
import { aReport } from "../../support/reports/reports.ts";
import { fresh } from "../../support/store/empty-store.ts";
import { log, projectStore, shard } from "../../support/store/store.ts";

afterEach(() => fresh());

it("the next test finds no data of objects that the runtime has stopped", async () => {
  await log.append([aReport(1)]);
  await shard().flush();
  await evictAllDurableObjects();
  await fresh();
  await log.append([aReport(2, { digest: "0000-0000" })]);
  const { issues } = await projectStore.listNewestIssues();
  expect(issues.map(({ digest }) => digest)).toEqual(["0000-0000"]);
});
