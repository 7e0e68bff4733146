import { abortAllDurableObjects } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { limits } from "../../../src/core/limits.ts";
import { visit } from "../../support/app.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport, reportId } from "../../support/reports.ts";
import { chunkKeys, desk, log, sealNow } from "../../support/store.ts";

afterEach(() => fresh());

const STORM = 500;
const DIGEST = "7F3K-Q2M9";

/** As many reports of one fault as a second may bring, in uploads of fifty. */
const storm = (from = 1, over = {}) =>
  Promise.all(
    Array.from({ length: STORM / 50 }, (_, upload) =>
      log.append(
        Array.from({ length: 50 }, (_, n) => aReport(from + upload * 50 + n, { ...over })),
      ),
    ),
  );

describe("a storm of one fault", () => {
  it("is counted exactly, while only some bodies are kept, and the log says which are not", async () => {
    const answers = (await storm()).flat();
    const counted = answers.filter((answer) => answer.isRolledUp === true);
    expect(counted).toHaveLength(STORM - limits.sampledReportsPerHour);
    const issue = await desk.getFreshIssue(DIGEST);
    expect(issue).toMatchObject({ count: STORM, days: [["2026-11-21", STORM]] });
    expect(issue?.latestReports).toHaveLength(limits.sampledReportsPerHour);
    expect(issue?.lastSeenMs).toBe(aReport(STORM).occurredAtMs);
  });

  it("takes a few lines of the record, and is counted once over crashes and copies", async () => {
    await storm();
    await abortAllDurableObjects();
    await storm();
    expect((await desk.getFreshIssue(DIGEST))?.count).toBe(STORM);
    await sealNow();
    await abortAllDurableObjects();
    await storm();
    expect((await desk.getFreshIssue(DIGEST))?.count).toBe(STORM);
    expect((await chunkKeys()).length).toBeLessThanOrEqual(2);
  });

  it("every id of it leads to its issue, before the copy and after it", async () => {
    await storm();
    for (const copied of [false, true]) {
      if (copied) await sealNow();
      for (const n of [1, 21, 250, STORM]) {
        expect((await desk.locateReport(reportId(n)))?.digest, `${n}, copied: ${copied}`).toBe(
          DIGEST,
        );
      }
    }
    await abortAllDurableObjects();
    expect((await desk.locateReport(reportId(250)))?.digest).toBe(DIGEST);
  });

  it("keeps releases apart, and what browsers were shown is counted as linked", async () => {
    await storm(1, { release: "1.4.0" });
    await storm(1_000, { isLinked: true, side: "browser", kind: "error" });
    expect(await desk.getFreshIssue(DIGEST)).toMatchObject({ count: STORM, linkedCount: STORM });
  });

  it("of linked reports takes no body's place from the occurrences, nor the words from the issue", async () => {
    await storm(1_000, {
      isLinked: true,
      side: "browser",
      kind: "error",
      message: "seen by a browser",
    });
    const [answer] = await log.append([aReport(1)]);
    expect(answer?.isRolledUp).toBeUndefined();
    expect(await desk.searchIssues("price cart missing")).toEqual([DIGEST]);
    expect(await desk.searchIssues("seen by a browser")).toEqual([]);
  });

  it("leaves every other fault its bodies", async () => {
    await storm();
    const [answer] = await log.append([aReport(9_000, { digest: "0000-0000" })]);
    expect(answer?.isRolledUp).toBeUndefined();
    expect((await desk.readReport({ position: answer?.position ?? "" }))?.digest).toBe("0000-0000");
  });

  it("is answered with counted, and the account of the operator agrees", async () => {
    const send = (n: number) =>
      visit("/monitoring", {
        method: "POST",
        body: JSON.stringify({ event_id: reportId(n), message: "m", platform: "node" }),
      });
    const outcomes: string[] = [];
    for (let n = 1; n <= limits.sampledReportsPerHour + 3; n++) {
      outcomes.push((await send(n)).response.headers.get("errata-outcome") ?? "");
    }
    for (const [i, outcome] of outcomes.slice(-3).entries()) {
      const id = reportId(limits.sampledReportsPerHour + 1 + i);
      expect(outcome).toMatch(new RegExp(`^counted;item="event";id="${id}";digest="[^"]+"$`));
    }
    const bare = await send(99);
    expect(JSON.parse(bare.body)).toEqual({ id: reportId(99) });
    const tallies = await desk.listCounters(1);
    const named = Object.fromEntries(
      tallies.map(({ name, count }) => [name.join(" ").trim(), count]),
    );
    expect(named).toEqual({
      "accepted message": limits.sampledReportsPerHour,
      "counted message": 4,
    });
  });
});
