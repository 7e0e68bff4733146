import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it } from "vitest";
import { parseReportCode, toReportCode } from "#src/core/report/report-code.ts";
import type { ReportLog } from "#src/store/log/report-log.ts";
import { createEventBody, sendAs } from "#support/http/send-as.ts";
import { visit } from "#support/http/visit.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getIndex, getShard, log, projectStore, uploadChunk } from "#support/store/store.ts";

afterEach(() => emptyStore());

const TRACE = "5b8efff798038103d269b633813fc60c";
const RAY = "8d1b2c3d4e5f6789";

const BROWSER_ID = "1a2b3c4d5e6f708192a3b4c5d6e7f809";
const LOCATOR = parseReportCode(toReportCode(BROWSER_ID)) ?? "";

const reports = [
  createReport(1, { traceId: TRACE, rayId: `${RAY}-FRA` }),
  createReport(2, { digest: "0000-0000", traceId: TRACE }),
  createReport(3, { digest: "0000-1001", side: "browser", rayId: "aaaa2c3d4e5f6789-FRA" }),
  createReport(4, { digest: "0000-1001", side: "browser", format: "reporter", id: BROWSER_ID }),
];

async function expectFound() {
  expect(await projectStore.locateReport(TRACE)).toMatchObject({ digest: "0000-0000" });
  expect(await projectStore.findIssuesByAlias(RAY)).toEqual(["7F3K-Q2M9"]);
  // The Ray ID of a browser report belongs to the upload.
  expect(await projectStore.findIssuesByAlias("aaaa2c3d4e5f6789")).toEqual([]);
  expect(await projectStore.findIssuesByAlias(LOCATOR)).toEqual(["0000-1001"]);
  expect(await projectStore.locateReport("f".repeat(32))).toBeNull();
}

it("a trace and a Ray ID lead to the newest report: in the log, in KV, and after the log is lost", async () => {
  await log.append(reports);
  await expectFound();
  await uploadChunk();
  expect((await getShard().getHealth()).rows).toBe(0);
  await expectFound();
  await getIndex().waitUntilIdle();
  await runInDurableObject(getShard(), (_: ReportLog, { storage }) => storage.deleteAll());
  await abortAllDurableObjects();
  for (let turn = 0; turn < 20 && (await getShard().locate(toReportId(1))) === null; turn++) {
    await runDurableObjectAlarm(getIndex());
    await projectStore.listNewestIssues().catch(() => undefined);
  }
  await expectFound();
});

it.each([
  [TRACE, "0000-0000?report="],
  [`trace_id=${TRACE} span_id=d269b633813fc60c`, "0000-0000?report="],
  [`Ray ID: ${RAY}`, "7F3K-Q2M9"],
  [RAY, "7F3K-Q2M9"],
  [`Code: ${toReportCode(BROWSER_ID)}`, "0000-1001"],
  [toReportCode(BROWSER_ID).toLowerCase().replace("-", ""), "0000-1001"],
])("the lookup of %s redirects to its report", async (pasted, leads) => {
  await log.append(reports);
  const { response } = await visit(`/lookup?q=${encodeURIComponent(pasted)}`);
  expect(response.status).toBe(303);
  expect(response.headers.get("location")).toContain(leads);
});

it("a trace and a Ray ID lead to a server's report however many public reports copy them", async () => {
  const copies = Array.from({ length: 12 }, (_, n) =>
    createReport(100 + n, {
      digest: "6666-6666",
      trust: n % 2 === 0 ? "public" : "page",
      traceId: TRACE,
      rayId: `${RAY}-FRA`,
    }),
  );
  await log.append(copies);
  expect((await projectStore.locateReport(TRACE))?.id).toBe(copies.at(-1)?.id);
  await log.append(reports);
  await log.append(copies.map((copy, n) => ({ ...copy, id: toReportId(200 + n) })));
  await expectFound();
  await uploadChunk();
  await log.append(copies.map((copy, n) => ({ ...copy, id: toReportId(300 + n) })));
  await expectFound();
});

it("a trace leads to a server's report although a public report used it as its event id", async () => {
  await log.append([reports[1] ?? expect.fail()]);
  const { outcomes } = await sendAs("public", createEventBody(TRACE, "not this one"));
  expect(outcomes).toMatchObject([{ outcome: "accepted", id: TRACE }]);
  expect(await projectStore.locateReport(TRACE)).toMatchObject({ digest: "0000-0000" });
});

it("a trace does not lead to an erased report", async () => {
  await log.append(reports);
  await getIndex().eraseReport(toReportId(2));
  expect(await projectStore.locateReport(TRACE)).toMatchObject({ digest: "7F3K-Q2M9" });
});
