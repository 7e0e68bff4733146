// Alerts about a project, which the alert sender checks from time to time in the real objects.

import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import {
  createId,
  reportNow,
  saveOnlyRule,
  sendDue,
  setUpAlerts,
} from "#support/alerts/alert-steps.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { createReport } from "#support/reports/reports.ts";
import { listBundledFiles, makeBuild } from "#support/source-maps/make-build.ts";
import { uploadBuild, uploadFiles } from "#support/source-maps/uploads.ts";
import { getIndex, log, projectStore } from "#support/store/store.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const { receiver, clock } = setUpAlerts();

it("a release whose crash-free rate is too low makes one alert per day", async () => {
  // The two hours of the test stay within one UTC day.
  clock.advance(DAY_MS - (readNowMs() % DAY_MS));
  const triggers = [{ kind: "crash-free" as const, below: 0.99 }];
  await saveOnlyRule({ triggers });
  const sessions = (status: string, count: number) =>
    [["session", "server", "1.4.0", "production", status], count] as const;
  await log.append([], [sessions("started", 1_000), sessions("crashed", 30)]);
  for (let quarter = 0; quarter < 8; quarter++) {
    clock.advance(HOUR_MS / 4);
    await sendDue();
  }
  expect(receiver.received.map(({ data }) => data.reasons[0]?.text)).toEqual([
    "97 % of the sessions of 1.4.0 did not crash; the limit is 99 %.",
  ]);
});

/** The sentences of all messages about the project, in order. */
const listReasons = () => receiver.received.map(({ data }) => data.reasons[0]?.text);

/** Lets an hour pass with a check, `count` times. */
async function passHours(count: number): Promise<void> {
  for (let hour = 0; hour < count; hour++) {
    clock.advance(HOUR_MS);
    await sendDue();
  }
}

describe("ingestion", () => {
  /** Reports of each of the last hours; `counts` begins with the current one. */
  async function reportHourly(counts: readonly number[]): Promise<void> {
    const nowMs = readNowMs();
    const reports = counts.flatMap((count, hour) =>
      Array.from({ length: count }, (_, n) =>
        createReport(n, { id: createId(), occurredAtMs: nowMs - hour * HOUR_MS }),
      ),
    );
    await log.append(reports);
    await projectStore.listNewestIssues();
  }

  it("that stopped makes one alert until reports arrive again", async () => {
    await saveOnlyRule({ triggers: [{ kind: "ingestion" }] });
    await reportHourly(new Array<number>(60).fill(1));
    await sendDue();
    expect(receiver.received).toEqual([]);
    await passHours(4);
    expect(receiver.titles).toEqual(["Ingestion changed"]);
    expect(listReasons()).toEqual([expect.stringMatching(/^No report for an hour: /)]);
    await reportHourly([1]);
    await passHours(9);
    expect(receiver.received).toHaveLength(2);
  });

  it.each([
    ["rose far above", [...new Array<number>(60).fill(2)], 400, /^\d+ reports within an hour, usu/],
    [
      "fell far below",
      [1, 1, 1, ...new Array<number>(36).fill(25)],
      1,
      /^3 reports within three hours, usually at least 75\.$/,
    ],
  ])("that %s the usual rate cause one alert", async (_, history, now, sentence) => {
    await saveOnlyRule({ triggers: [{ kind: "ingestion" }] });
    await reportHourly(history);
    await sendDue();
    expect(receiver.received).toEqual([]);
    clock.advance(HOUR_MS);
    await reportHourly([now]);
    await sendDue();
    await sendDue();
    expect(listReasons()).toEqual([expect.stringMatching(sentence)]);
  });
});

describe("source maps", () => {
  it("that failed make one alert, with the reason", async () => {
    await saveOnlyRule({ triggers: [{ kind: "source-maps" }] });
    const broken = listBundledFiles([{ ...makeBuild("app"), map: "not a map" }]);
    await uploadFiles(broken, { release: "1.4.0" });
    await passHours(3);
    expect(receiver.titles).toEqual(["Source maps need attention"]);
    expect(listReasons()).toEqual([expect.stringContaining("No source map can be read.")]);
  });

  it("that no frame of a reported release used within a day make one alert", async () => {
    await saveOnlyRule({ triggers: [{ kind: "source-maps" }] });
    await uploadBuild("app", {
      release: "1.4.0",
    });
    await uploadBuild("other", {
      release: "not-deployed",
    });
    await reportNow({ release: "1.4.0" });
    await passHours(20);
    expect(receiver.received).toEqual([]);
    await passHours(10);
    expect(listReasons()).toEqual([
      "No frame matched any of the 1 source maps of an upload within a day.",
    ]);
  });
});

it("a daily budget that is nearly used makes one alert per day", async () => {
  clock.advance(DAY_MS - (readNowMs() % DAY_MS));
  await saveOnlyRule({ triggers: [{ kind: "budget" }] });
  const spend = async () => {
    const day = Math.floor(readNowMs() / DAY_MS);
    await runInDurableObject(getIndex(), (_, { storage }) => {
      storage.sql.exec("INSERT OR REPLACE INTO write_budget VALUES (1, ?, 1e6)", day);
    });
    await abortAllDurableObjects();
  };
  await spend();
  await passHours(2);
  await spend();
  await passHours(1);
  expect(listReasons()).toEqual([
    expect.stringMatching(/^The index has used 1000000 of today's \d+ KV writes\.$/),
  ]);
  clock.advance(DAY_MS);
  await spend();
  await passHours(1);
  expect(receiver.received).toHaveLength(2);
});
