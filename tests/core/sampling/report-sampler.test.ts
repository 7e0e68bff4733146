import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { summarizeReport } from "#src/core/report/report-summary.ts";
import type { Report, ReportKind } from "#src/core/report.ts";
import { createRollupKey, ReportSampler } from "#src/core/sampling/report-sampler.ts";
import { TRUST_LEVELS } from "#src/core/trust/trust.ts";
import { NOW_MS } from "#support/reports/processing-options.ts";
import { createReport } from "#support/reports/reports.ts";

const HOUR_MS = 3_600_000;

function createSampler() {
  const sampler = new ReportSampler((text) => hash("sha256", text, "buffer"));
  let n = 0;
  return (over: Partial<Report>, nowMs = NOW_MS, bodyChars = 1_000, inBatch = false) => {
    const { position: _, ...summary } = summarizeReport(createReport(++n, over), "");
    const getRollupKey = () => createRollupKey(summary);
    return sampler.decide(summary, { bodyChars, hasRollup: () => inBatch, getRollupKey }, nowMs);
  };
}
const toDigest = (n: number) => n.toString(32).toUpperCase().padStart(8, "0");

describe("bodies of an issue and hour", () => {
  it.each(TRUST_LEVELS)("of %s reports are not used up by reports of other levels", (trust) => {
    const decide = createSampler();
    for (const other of TRUST_LEVELS.filter((level) => level !== trust))
      for (let n = 0; n < 100; n++) decide({ trust: other });
    const decisions = Array.from({ length: 30 }, () => decide({ trust }));
    expect(decisions).toEqual([
      ...Array(limits.sampledReportsPerHour).fill("body"),
      ...Array(10).fill("issue"),
    ]);
  });
});

describe("page reports of invented issues", () => {
  it("have a budget of bodies, and then count in their issues", () => {
    const decide = createSampler();
    const total = limits.maxPageBodiesPerHour + 50;
    const decisions = Array.from({ length: total }, (_, n) =>
      decide({ trust: "page", digest: toDigest(n) }),
    );
    expect(decisions.filter((one) => one === "body")).toHaveLength(limits.maxPageBodiesPerHour);
    expect(decisions.slice(-50)).toEqual(Array(50).fill("issue"));
    for (const trust of ["server", "public"] as const)
      expect(decide({ trust, digest: "ZZZZ-0000" })).toBe("body");
    expect(decide({ trust: "page", digest: "ZZZZ-0000" }, NOW_MS + HOUR_MS)).toBe("body");
  });

  it("have a budget of characters", () => {
    const decide = createSampler();
    const chars = limits.maxPageBodyCharsPerHour / 10;
    const decisions = Array.from({ length: 11 }, (_, n) =>
      decide({ trust: "page", digest: toDigest(n) }, NOW_MS, chars),
    );
    expect(decisions).toEqual([...Array(10).fill("body"), "issue"]);
  });

  it("have a budget of characters of rollup lines, and then count as other reports", () => {
    const decide = createSampler();
    const route = `/${"p".repeat(499)}`;
    const flood = (count: number, over: Partial<Report> = {}, inBatch = false) =>
      Array.from({ length: count }, () =>
        decide({ trust: "page", request: { route }, ...over }, NOW_MS, 1_000, inBatch),
      );
    const count = limits.maxPageRollupLineChars / 500;
    expect(flood(count, {}, true).at(-1)).toBe("issue");
    const lines = flood(count);
    expect(lines[0]).toBe("issue");
    expect(lines.at(-1)).toBe("other");
    expect(flood(limits.sampledReportsPerHour + 1, { trust: "server" }).at(-1)).toBe("issue");
    expect(flood(limits.sampledReportsPerHour + 1, { trust: "public" }).at(-1)).toBe("issue");
  });
});

describe("public reports of invented issues", () => {
  const flood = (decide: ReturnType<typeof createSampler>, count: number, over = {}) =>
    Array.from({ length: count }, (_, n) =>
      decide({ trust: "public", digest: toDigest(n), traceId: "a".repeat(32), ...over }),
    );

  it("have a budget of bodies, then one of rollups, and then count as other reports", () => {
    const decide = createSampler();
    const total = limits.maxPublicBodiesPerHour + limits.maxPublicRollupsPerHour;
    const decisions = flood(decide, total + 50);
    const count = (decision: string) => decisions.filter((one) => one === decision).length;
    expect(count("body")).toBe(limits.maxPublicBodiesPerHour);
    expect(count("issue")).toBe(limits.maxPublicRollupsPerHour);
    expect(count("other")).toBe(50);
    // A known rollup, other levels and what people write are not affected.
    expect(flood(decide, limits.maxPublicBodiesPerHour + 1).at(-1)).toBe("issue");
    expect(decide({ trust: "server", digest: "ZZZZ-0000" })).toBe("body");
    expect(decide({ trust: "page", digest: "ZZZZ-0000" })).toBe("body");
    expect(decide({ trust: "public", digest: "ZZZZ-0000", kind: "feedback" })).toBe("body");
    expect(decide({ trust: "public", digest: "ZZZZ-0000" }, NOW_MS + HOUR_MS)).toBe("body");
  });

  it("have as many rollups with long names, of which the memory has only hashes", () => {
    const decide = createSampler();
    const release = "r".repeat(limits.maxReleaseChars);
    const request = { route: `/${"p".repeat(499)}` };
    const aliases = Array.from({ length: 8 }, (_, n) => `${n}`.repeat(100));
    const many = limits.maxPublicBodiesPerHour + limits.maxPublicRollupsPerHour;
    const decisions = flood(decide, many + 1, { release, request, aliases });
    expect(decisions.at(-2)).toBe("issue");
    expect(decisions.at(-1)).toBe("other");
  });

  it("have a budget of characters of bodies; people have as much again", () => {
    const decide = createSampler();
    const chars = limits.maxPublicBodyCharsPerHour / 10;
    const decideLarge = (n: number, kind: ReportKind) =>
      decide({ trust: "public", digest: toDigest(n), kind }, NOW_MS, chars);
    const decisions = (kind: ReportKind) =>
      Array.from({ length: 11 }, (_, n) => decideLarge(n, kind));
    expect(decisions("error")).toEqual([...Array(10).fill("body"), "issue"]);
    expect(decisions("feedback")).toEqual([...Array(10).fill("body"), "issue"]);
    expect(decide({ digest: toDigest(0) }, NOW_MS, chars)).toBe("body");
  });

  it("have a budget of characters of rollup lines, which a line of the batch does not use", () => {
    const decide = createSampler();
    const request = { url: "https://shop.example/", route: `/${"p".repeat(499)}` };
    const decideOne = (inBatch: boolean) =>
      decide({ trust: "public", request }, NOW_MS, 1_000, inBatch);
    const count = limits.maxPublicRollupLineChars / 500;
    const inBatch = Array.from({ length: count }, () => decideOne(true));
    expect(inBatch.at(-1)).toBe("issue");
    const lines = Array.from({ length: count }, () => decideOne(false));
    expect(lines[0]).toBe("issue");
    expect(lines.at(-1)).toBe("other");
  });

  it("of people have as many bodies again, and no more", () => {
    const decide = createSampler();
    const decisions = flood(decide, limits.maxPublicBodiesPerHour + 1, { kind: "feedback" });
    expect(decisions.at(-2)).toBe("body");
    expect(decisions.at(-1)).toBe("issue");
    expect(decide({ trust: "public", digest: "ZZZZ-0000" })).toBe("body");
  });
});
