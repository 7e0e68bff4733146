import { createScheduledController } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { createRegistryClient } from "#src/store/accounts/registry-client.ts";
import { createReportWriter } from "#src/store/client/report-writer.ts";
import worker from "#src/worker.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings, NOW_MS } from "#support/store/store.ts";

const MINUTE_MS = 60_000;

afterEach(async () => {
  vi.restoreAllMocks();
  await emptyStore();
});

/** Runs the cron job as if `ms` later. */
async function runCronAfter(ms: number): Promise<void> {
  const atMs = readNowMs() + ms;
  vi.spyOn(Date, "now").mockReturnValue(atMs);
  // The isolate remembers the registry of these bindings.
  await worker.scheduled(createScheduledController(), { ...bindings });
  vi.restoreAllMocks();
}

it("a deleted project is erased once no isolate still accepts its reports", async () => {
  const registry = createRegistryClient(
    { ...bindings },
    { nowMs: () => NOW_MS, waitUntil: () => undefined },
  );
  await registry.applyChange({ kind: "local" }, { do: "create-project", name: "Shop" });
  const deletion = { do: "delete-project", project: "2", confirmation: "Shop" } as const;
  await registry.applyChange({ kind: "local" }, deletion);
  const writer = createReportWriter(bindings, { project: "2", shards: 1, nowMs: () => NOW_MS });
  await writer.append([createReport(1)]);
  const index = () => bindings.PROJECT_INDEX.getByName("2");
  await expect.poll(async () => (await index().listNewestIssues()).total).toBe(1);

  await runCronAfter(9 * MINUTE_MS);
  expect((await registry.readFresh("first")).deletedProjects).toHaveLength(1);
  expect((await index().listNewestIssues()).total).toBe(1);

  await runCronAfter(11 * MINUTE_MS);
  expect((await registry.readFresh("second")).deletedProjects).toEqual([]);
  await expect.poll(async () => (await index().listNewestIssues()).total).toBe(0);
});
