import { describe, expect, it } from "vitest";
import type { Report } from "#src/core/report.ts";
import { SAMPLE_ERRORS } from "#src/core/sample/sample-errors.ts";
import type { SamplePayload } from "#src/core/sample/sample-payload.ts";
import {
  createSamplePayloads,
  createSampleRegression,
  SAMPLE_DECISIONS,
} from "#src/core/sample/scenario.ts";
import { ingestBytes } from "#support/reports/ingest-bytes.ts";
import { createMemoryLog } from "#support/reports/memory-log.ts";
import { createProcessingOptions, NOW_MS } from "#support/reports/processing-options.ts";

const DAY_MS = 86_400_000;

/** The reports of the payloads, and the digest of each error. */
async function taken(bodies: readonly SamplePayload[]) {
  const log = createMemoryLog();
  const digests = new Map<string, Set<string>>();
  const others: string[] = [];
  for (const body of bodies) {
    const done = await ingestBytes(new TextEncoder().encode(body.text), {
      ...createProcessingOptions(),
      writer: log,
      defaults: body.defaults,
      sender: "seed",
      findDigest: async (id) => log.reports.get(id)?.digest ?? null,
    });
    if (!done.ok) throw new Error(done.reason);
    expect(done.value.outcomes).toHaveLength(body.errorNames.length);
    for (const [nth, outcome] of done.value.outcomes.entries()) {
      const fault = body.errorNames[nth] ?? "";
      if (outcome.outcome !== "accepted") others.push(`${outcome.outcome} ${outcome.item}`);
      else digests.set(fault, (digests.get(fault) ?? new Set()).add(outcome.digest));
    }
  }
  return { reports: [...log.reports.values()], digests, others };
}

describe("the sample data", () => {
  const bodies = createSamplePayloads(SAMPLE_ERRORS, NOW_MS, "seed");

  it("is accepted by ingest item by item", async () => {
    const { reports, others } = await taken(bodies);
    expect(new Set(others)).toEqual(new Set(["counted sessions"]));
    expect(reports.length).toBeGreaterThanOrEqual(200);
    expect(reports.length).toBeLessThanOrEqual(300);
  });

  it("has its own environment in every report", async () => {
    const { reports } = await taken([
      ...bodies,
      createSampleRegression(SAMPLE_ERRORS, NOW_MS, "seed"),
    ]);
    expect(new Set(reports.map(({ environment }) => environment))).toEqual(new Set(["sample"]));
  });

  it("contains a dozen errors on both sides, CSP violations and noise, each one issue", async () => {
    const { reports, digests } = await taken(bodies);
    const own = (report: Report) => !report.isLinked;
    expect(digests.size).toBeGreaterThanOrEqual(12);
    const kinds = new Set(reports.filter(own).map(({ kind, side }) => `${kind} ${side}`));
    for (const kind of ["error server", "error browser", "message server", "csp browser"]) {
      expect(kinds).toContain(kind);
    }
    expect(reports.some(({ noise }) => noise === "extension")).toBe(true);
    for (const [fault, of] of digests) {
      // The code links the browser's reports of a failed checkout to the server's issue.
      if (fault !== "price") expect([fault, of.size]).toEqual([fault, 1]);
    }
  });

  it("covers fourteen days and three releases, with a burst of less than two hours", async () => {
    const { reports } = await taken(bodies);
    const ages = reports.map(({ occurredAtMs }) => (NOW_MS - occurredAtMs) / DAY_MS);
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...ages)).toBeLessThanOrEqual(14);
    expect(new Set(reports.map(({ release }) => release)).size).toBe(3);
    const storm = reports.filter(({ type }) => type === "TimeoutError");
    const times = storm.map(({ occurredAtMs }) => occurredAtMs);
    expect(storm.length).toBeGreaterThan(60);
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(2 * 3_600_000);
  });

  it("has feedback on the issue that affected its authors", async () => {
    const { reports, digests } = await taken(bodies);
    const words = reports.filter(({ kind }) => kind === "feedback");
    expect(words).toHaveLength(3);
    for (const { digest, isLinked } of words) {
      expect(isLinked).toBe(true);
      expect(digests.get("price")).toContain(digest);
    }
  });

  it("is the same for the same seed, with other ids for another seed", async () => {
    expect(createSamplePayloads(SAMPLE_ERRORS, NOW_MS, "seed")).toEqual(bodies);
    const ids = async (seed: string) =>
      (await taken(createSamplePayloads(SAMPLE_ERRORS, NOW_MS, seed).slice(0, 1))).reports.map(
        ({ id }) => id,
      );
    const [one, other] = [await ids("one"), await ids("other")];
    expect(one.filter((id) => other.includes(id))).toEqual([]);
  });

  it("regresses, after the decisions, an error resolved in an earlier release", async () => {
    const { digests } = await taken(bodies);
    const { reports } = await taken([createSampleRegression(SAMPLE_ERRORS, NOW_MS, "seed")]);
    const [back] = reports;
    const [delivery] = digests.get("delivery") ?? [];
    expect(back).toMatchObject({ digest: delivery, release: "shop@2.4.0" });
    expect(back?.occurredAtMs).toBeGreaterThan(NOW_MS);
    for (const { errorName } of SAMPLE_DECISIONS) expect(digests.has(errorName)).toBe(true);
  });
});
