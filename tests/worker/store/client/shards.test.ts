import { afterEach, expect, it } from "vitest";
import { createProjectStore } from "#src/store/client/project-store.ts";
import { createReportWriter } from "#src/store/client/report-writer.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings, NOW_MS } from "#support/store/store.ts";

afterEach(() => emptyStore());

const withShards = (shards: number) => {
  const settings = { project: "1", shards, nowMs: () => NOW_MS };
  return {
    log: createReportWriter(bindings, settings),
    projectStore: createProjectStore(bindings, settings),
  };
};

/** Reports with random-looking ids. */
const reports = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => {
    const words = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f].map((odd) =>
      (Math.imul(from + n + 1, odd) >>> 0).toString(16).padStart(8, "0"),
    );
    return createReport(from + n, { id: words.join("") });
  });

it("finds and counts every report after the number of shards is increased", async () => {
  const [one, fourShards] = [withShards(1), withShards(4)];
  const before = reports(40);
  await one.log.append(before);
  const after = reports(40, 40);
  const results = await fourShards.log.append(after);
  expect(new Set(results.map(({ position }) => position?.split(/[/.]/)[1])).size).toBe(4);
  expect(await fourShards.projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 80 });
  for (const { id } of [...before, ...after]) {
    expect((await fourShards.projectStore.locateReport(id))?.digest, id).toBe("7F3K-Q2M9");
  }
});

it("counts a report that is sent twice once with four shards", async () => {
  const { log, projectStore } = withShards(4);
  await log.append(reports(40));
  const again = await log.append(reports(40));
  expect(again.every(({ isDuplicate }) => isDuplicate)).toBe(true);
  expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 40 });
});
