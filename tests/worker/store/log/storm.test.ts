import { abortAllDurableObjects } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { visit } from "#support/http/visit.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { listChunkKeys, log, projectStore, uploadChunk } from "#support/store/store.ts";

afterEach(() => emptyStore());

const STORM = 500;
const DIGEST = "7F3K-Q2M9";

/** 500 reports of one issue, in appends of fifty. */
const storm = (from = 1, over = {}) =>
  Promise.all(
    Array.from({ length: STORM / 50 }, (_, upload) =>
      log.append(
        Array.from({ length: 50 }, (_, n) => createReport(from + upload * 50 + n, { ...over })),
      ),
    ),
  );

describe("a storm of reports of one issue", () => {
  it("is counted exactly, stores some bodies, and the results show which are not stored", async () => {
    const answers = (await storm()).flat();
    const counted = answers.filter((answer) => answer.isRolledUp === true);
    expect(counted).toHaveLength(STORM - limits.sampledReportsPerHour);
    const issue = await projectStore.getFreshIssue(DIGEST);
    expect(issue).toMatchObject({ count: STORM, days: [["2026-11-21", STORM]] });
    expect(issue?.latestReports).toHaveLength(limits.sampledReportsPerHour);
    expect(issue?.lastSeenMs).toBe(createReport(STORM).occurredAtMs);
  });

  it("needs few chunks, and is counted once across crashes and uploads", async () => {
    await storm();
    await abortAllDurableObjects();
    await storm();
    expect((await projectStore.getFreshIssue(DIGEST))?.count).toBe(STORM);
    await uploadChunk();
    await abortAllDurableObjects();
    await storm();
    expect((await projectStore.getFreshIssue(DIGEST))?.count).toBe(STORM);
    expect((await listChunkKeys()).length).toBeLessThanOrEqual(2);
  });

  it("lets every id lead to its issue, before and after the upload", async () => {
    await storm();
    for (const isUploaded of [false, true]) {
      if (isUploaded) await uploadChunk();
      for (const n of [1, 21, 250, STORM]) {
        expect(
          (await projectStore.locateReport(toReportId(n)))?.digest,
          `${n}, uploaded: ${isUploaded}`,
        ).toBe(DIGEST);
      }
    }
    await abortAllDurableObjects();
    expect((await projectStore.locateReport(toReportId(250)))?.digest).toBe(DIGEST);
  });

  it("is rolled up per release, and linked browser reports are counted as linked", async () => {
    await storm(1, { release: "1.4.0" });
    await storm(1_000, { isLinked: true, side: "browser", kind: "error" });
    expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({
      count: STORM,
      linkedCount: STORM,
    });
  });

  it("of linked reports does not use the body quota of server reports or the issue's search text", async () => {
    await storm(1_000, {
      isLinked: true,
      side: "browser",
      kind: "error",
      message: "seen by a browser",
    });
    const [answer] = await log.append([createReport(1)]);
    expect(answer?.isRolledUp).toBeUndefined();
    expect(await projectStore.searchIssues("price cart missing")).toEqual([DIGEST]);
    expect(await projectStore.searchIssues("seen by a browser")).toEqual([]);
  });

  it("does not affect the bodies of other issues", async () => {
    await storm();
    const [answer] = await log.append([createReport(9_000, { digest: "0000-0000" })]);
    expect(answer?.isRolledUp).toBeUndefined();
    expect((await projectStore.readReport({ position: answer?.position ?? "" }))?.digest).toBe(
      "0000-0000",
    );
  });

  it("gets the outcome `counted`, and the counters agree", async () => {
    const send = (n: number) =>
      visit("/monitoring", {
        method: "POST",
        body: JSON.stringify({ event_id: toReportId(n), message: "m", platform: "node" }),
      });
    const outcomes: string[] = [];
    for (let n = 1; n <= limits.sampledReportsPerHour + 3; n++) {
      outcomes.push((await send(n)).response.headers.get("errata-outcome") ?? "");
    }
    for (const [i, outcome] of outcomes.slice(-3).entries()) {
      const id = toReportId(limits.sampledReportsPerHour + 1 + i);
      expect(outcome).toMatch(new RegExp(`^counted;item="event";id="${id}";digest="[^"]+"$`));
    }
    const bare = await send(99);
    expect(JSON.parse(bare.body)).toEqual({ id: toReportId(99) });
    const counters = await projectStore.listCounters(1);
    const named = Object.fromEntries(
      counters.map(({ name, count }) => [name.join(" ").trim(), count]),
    );
    expect(named).toEqual({
      "accepted message": limits.sampledReportsPerHour,
      "counted message": 4,
    });
  });
});
