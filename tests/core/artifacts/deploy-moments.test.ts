import { describe, expect, it } from "vitest";
import { listDeployMoments } from "#src/core/artifacts/deploy-moments.ts";
import { describeDeploys, toDeployMarks } from "#src/ui/parts/chart/deploy-marks.ts";

const facts = (version: string, over: object = {}) => ({
  ...{ version, createdMs: 1, deploys: [], commits: [] },
  ...over,
});
const HOUR_MS = 3_600_000;

describe("the deploys of releases", () => {
  it("come newest first, by their end, else by their start", () => {
    const deploys = [
      { environment: "staging", startedMs: 20 },
      { environment: "production", startedMs: 10, finishedMs: 30 },
      { environment: "lab" },
    ];
    expect(listDeployMoments([facts("1", { deploys, releasedMs: 40 })], 0)).toEqual([
      { release: "1", environment: "production", atMs: 30 },
      { release: "1", environment: "staging", atMs: 20 },
    ]);
  });

  it("are the date of a release that has none", () => {
    const releases = [facts("1", { releasedMs: 5 }), facts("2")];
    expect(listDeployMoments(releases, 0)).toEqual([{ release: "1", atMs: 5 }]);
  });

  it("before a time are omitted, and there are at most 20", () => {
    const deploys = Array.from({ length: 30 }, (_, n) => ({ environment: "a", finishedMs: n }));
    const moments = listDeployMoments([facts("1", { deploys })], 2);
    expect(moments).toHaveLength(20);
    expect(listDeployMoments([facts("1", { deploys })], 28).map(({ atMs }) => atMs)).toEqual([
      29, 28,
    ]);
  });

  it("are marks with release, environment and time, within the chart alone", () => {
    const deploys = [
      { release: "1.4.0", environment: "production", atMs: HOUR_MS },
      { release: "1.3.0", atMs: HOUR_MS / 2 },
      { release: "1.2.0", environment: "production", atMs: 2 * HOUR_MS + 1 },
    ];
    const marks = toDeployMarks(deploys, { fromMs: 0, toMs: 2 * HOUR_MS });
    expect(marks.map(({ name, position }) => [name, position])).toEqual([
      ["1.3.0", 0.25],
      ["production", 0.5],
    ]);
    expect(describeDeploys(marks)).toBe(
      ". Deploys: 1.3.0, 1 Jan 1970, 00:30:00 UTC; 1.4.0 to production, 1 Jan 1970, 01:00:00 UTC",
    );
    expect(describeDeploys([])).toBe("");
  });
});
