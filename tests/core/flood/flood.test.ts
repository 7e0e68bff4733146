import { describe, expect, it } from "vitest";
import { type Flood, type FoldedFacts, isFolded, summarizeFloods } from "#src/core/flood/flood.ts";
import { OTHER_ANONYMOUS_DIGEST } from "#src/core/issue/other-anonymous-reports.ts";

const flood: Flood = { key: "k1", sinceMs: 1_000, lastMs: 9_000, otherReports: 7 };
const facts: FoldedFacts = {
  digest: "7F3K-Q2M9",
  trust: "public",
  networkCount: 1,
  publicOrigin: { key: "k1", atMs: 1_000 },
};
const isFoldedWith = (over: Partial<FoldedFacts>) => isFolded({ ...facts, ...over }, [flood]);

describe("a flood folds", () => {
  it("public issues that its key began since then, of few networks", () => {
    expect(isFoldedWith({})).toBe(true);
    expect(isFoldedWith({ networkCount: 4 })).toBe(true);
    expect(isFoldedWith({ networkCount: 5 })).toBe(false);
    expect(isFoldedWith({ publicOrigin: { key: "k1", atMs: 999 } })).toBe(false);
    expect(isFoldedWith({ publicOrigin: { key: "k2", atMs: 1_000 } })).toBe(false);
    expect(isFolded(facts, [])).toBe(false);
  });

  it("no issue of a server or a page, and none of unknown networks or origin", () => {
    expect(isFoldedWith({ trust: "page" })).toBe(false);
    expect(isFoldedWith({ trust: "server" })).toBe(false);
    const { networkCount: _, ...unknown } = facts;
    expect(isFolded(unknown, [flood])).toBe(false);
    const { publicOrigin: __, ...older } = facts;
    expect(isFolded(older, [flood])).toBe(false);
  });

  it("an issue as the index has it, by its sketch", () => {
    const { networkCount: _, ...issue } = facts;
    expect(isFolded({ ...issue, networkSketch: "0a1b2c" }, [flood])).toBe(true);
    expect(isFolded({ ...issue, networkSketch: "0a1b2c".repeat(5) }, [flood])).toBe(false);
  });

  it("the issue of other reports, if it has any", () => {
    const others: FoldedFacts = { digest: OTHER_ANONYMOUS_DIGEST, trust: "public" };
    expect(isFolded(others, [flood])).toBe(true);
    expect(isFolded(others, [{ ...flood, otherReports: 0 }])).toBe(false);
  });
});

it("sums up the issues of each flood", () => {
  const second: Flood = { ...flood, key: "k2", otherReports: 0, networkSketch: "0a1b2cffffff" };
  const folded = [
    { digest: "7F3K-Q2M9", flood, reports: 3 },
    { digest: OTHER_ANONYMOUS_DIGEST, flood, reports: 5_000 },
    { digest: "GPVW-AX76", flood: second, reports: 2 },
  ];
  expect(summarizeFloods([flood, second], folded)).toEqual([
    { key: "k1", sinceMs: 1_000, lastMs: 9_000, issues: 1, reports: 10, networks: 0 },
    { key: "k2", sinceMs: 1_000, lastMs: 9_000, issues: 1, reports: 2, networks: 2 },
  ]);
});
