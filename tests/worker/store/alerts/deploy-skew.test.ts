// Deploy skew from a report to its alert, in the real objects: the index judges each report when it
// counts it, by the deploys that build tools sent, or by the releases that reports name.

import { describe, expect, it } from "vitest";
import type { Report } from "#src/core/report.ts";
import { reportNow, saveOnlyRule, sendDue, setUpAlerts } from "#support/alerts/alert-steps.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { visit } from "#support/http/visit.ts";
import { finishJobs, getIndex, getSourceMaps, projectStore } from "#support/store/store.ts";

const MINUTE_MS = 60_000;
const A = "7F3K-Q2M9";
const B = "8G4M-R3N0";

const { receiver, clock } = setUpAlerts();

const missesChunk = {
  digest: A,
  side: "browser",
  trust: "page",
  type: "ChunkLoadError",
  message: "Loading chunk 5 failed.\n(missing: https://shop.example/5.js)",
  release: "9f1c2aa",
  environment: "production",
} as const;

const deploy = (version: string, environment: string) =>
  getSourceMaps().changeRelease({ version, deploy: { environment, finishedMs: readNowMs() } });

async function reportAndSend(...reports: readonly Partial<Report>[]): Promise<readonly string[]> {
  const before = receiver.titles.length;
  await reportNow(...reports);
  await sendDue();
  return receiver.titles.slice(before);
}

const getSkew = async () => (await projectStore.getFreshIssue(A))?.skew;

describe("deploy skew", () => {
  it("causes no alert for ten minutes after a deploy, and an alert of a new issue after that", async () => {
    await deploy("9f1c2aa", "production");
    clock.advance(60 * MINUTE_MS);
    await deploy("03bd77e", "production");
    clock.advance(MINUTE_MS);
    expect(await reportAndSend(missesChunk)).toEqual([]);
    clock.advance(8 * MINUTE_MS);
    expect(await reportAndSend(missesChunk, missesChunk)).toEqual([]);
    expect(await getSkew()).toEqual({
      ...{ count: 3, quietCount: 3 },
      ...{ page: "9f1c2aa", deployed: "03bd77e" },
    });
    clock.advance(2 * MINUTE_MS);
    expect(await reportAndSend(missesChunk)).toEqual(["New issue"]);
    expect(await reportAndSend(missesChunk)).toEqual([]);
    expect(await getSkew()).toMatchObject({ count: 5, quietCount: 3 });
  });

  it("alerts at once if the page is of the deployed release, of any other error too", async () => {
    await deploy("9f1c2aa", "production");
    clock.advance(MINUTE_MS);
    expect(await reportAndSend(missesChunk)).toEqual(["New issue"]);
    expect(await getSkew()).toBeUndefined();
    await deploy("03bd77e", "production");
    clock.advance(2 * MINUTE_MS);
    expect(await reportAndSend({ ...missesChunk, digest: B, message: "no cart" })).toEqual([
      "New issue",
    ]);
  });

  it("of one environment is not explained by a deploy to another one", async () => {
    await deploy("9f1c2aa", "production");
    clock.advance(MINUTE_MS);
    await deploy("03bd77e", "staging");
    clock.advance(2 * MINUTE_MS);
    expect(await reportAndSend(missesChunk)).toEqual(["New issue"]);
  });

  it("is found without deploys by the releases that reports name, in one environment", async () => {
    await reportAndSend({ ...missesChunk, digest: B, message: "no cart" });
    clock.advance(60 * MINUTE_MS);
    await reportAndSend({ ...missesChunk, digest: B, message: "no cart", release: "03bd77e" });
    clock.advance(MINUTE_MS);
    expect(await reportAndSend(missesChunk)).toEqual([]);
    expect(await getSkew()).toMatchObject({ count: 1, quietCount: 1 });
    await reportAndSend({ ...missesChunk, digest: B, message: "no cart", environment: "staging" });
    await reportAndSend(missesChunk);
    expect(await getSkew()).toMatchObject({ count: 1 });
  });

  it("is no alert withheld by a release that only strangers name", async () => {
    await saveOnlyRule({ minTrust: "public" });
    const byStranger = { ...missesChunk, trust: "public" } as const;
    await reportAndSend({ ...byStranger, digest: B, message: "no cart" });
    clock.advance(MINUTE_MS);
    await reportAndSend({ ...byStranger, digest: B, message: "no cart", release: "invented" });
    clock.advance(MINUTE_MS);
    expect(await reportAndSend(byStranger)).toEqual(["New issue"]);
    expect(await getSkew()).toMatchObject({ count: 1, quietCount: 0, deployed: "invented" });
    // To a signed page, the invented release is unknown.
    await reportAndSend({ ...missesChunk, digest: B, message: "no cart" });
    await reportAndSend(missesChunk);
    expect(await getSkew()).toBeUndefined();
  });

  it("is shown with both releases on the page, in Markdown and in JSON, also after a rebuild", async () => {
    const [older, newer] = ["<b>9f1c2aa", "03bd77e"];
    await reportAndSend({ ...missesChunk, digest: B, message: "no cart", release: older });
    clock.advance(60 * MINUTE_MS);
    await reportAndSend({ ...missesChunk, digest: B, message: "no cart", release: newer });
    clock.advance(MINUTE_MS);
    await reportAndSend(
      { ...missesChunk, release: older },
      { ...missesChunk, release: older },
      { ...missesChunk, release: newer },
    );
    const expectShown = async () => {
      const { body } = await visit(`/d/${A}`);
      expect(body).toContain("<b>Deploy skew.</b>");
      expect(body).toContain("2 of 3 reports come from pages that were open");
      expect(body).toContain("<bdi>&lt;b&gt;9f1c2aa</bdi>");
      expect(body).toContain("<bdi>03bd77e</bdi>");
      const { body: markdown } = await visit(`/d/${A}.md`);
      expect(markdown).toContain(
        "The last page is of `<b>9f1c2aa`; `03bd77e` was deployed before.",
      );
      const { body: json } = await visit(`/d/${A}.json`);
      expect(JSON.parse(json).skew).toEqual({
        ...{ count: 2, quietCount: 2 },
        ...{ page: older, deployed: newer },
      });
    };
    await expectShown();
    await getIndex().enqueueJob({ kind: "rebuild" });
    await finishJobs();
    await expectShown();
  });
});
