import { abortAllDurableObjects, evictDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { createFaultyKv, type Fate } from "#support/store/faulty-kv.ts";
import {
  bindings,
  getShard,
  listChunkKeys,
  log,
  projectStore,
  replaceKv,
  uploadChunk,
} from "#support/store/store.ts";

afterEach(() => emptyStore());

/** The events of a log, in any order. */
type Step =
  | {
      readonly do: "append";
      readonly from: number;
      readonly count: number;
      readonly storm: boolean;
    }
  | { readonly do: "fate"; readonly fates: readonly Fate[] }
  | { readonly do: "seal" | "crash" | "evict" | "read" };

const IDS = 400;
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("append" as const),
      from: fc.integer({ min: 1, max: IDS - 60 }),
      count: fc.integer({ min: 1, max: 60 }),
      storm: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("seal" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("fate" as const),
      fates: fc.array(fc.constantFrom<Fate>("ok", "refuse", "lose-reply"), { maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("crash", "evict", "read") }) },
);

/** An id always has the same digest. The first half of them are one busy issue. */
const toDigest = (n: number) => (n <= IDS / 2 ? "7F3K-Q2M9" : `0000-${1000 + (n % 7)}`);

async function run(steps: readonly Step[]): Promise<ReadonlySet<number>> {
  const acked = new Set<number>();
  for (const it of steps) {
    switch (it.do) {
      case "append": {
        const from = it.storm ? Math.ceil(it.from / 2) : it.from;
        const ns = Array.from({ length: it.count }, (_, i) => from + i);
        // Of appends at once the first goes alone, and the others share one call and one batch.
        const third = Math.ceil(ns.length / 3);
        await Promise.all(
          [ns.slice(0, third), ns.slice(third, 2 * third), ns.slice(2 * third)].map((part) =>
            log.append(
              part.map((n) => createReport(n, { digest: toDigest(n) })),
              [[["counted", "session"], part.length]],
            ),
          ),
        );
        for (const n of ns) acked.add(n);
        break;
      }
      case "fate":
        await replaceKv(createFaultyKv(bindings.KV, [...it.fates]).kv);
        break;
      case "seal":
        await uploadChunk();
        break;
      case "crash":
        await abortAllDurableObjects();
        break;
      case "evict":
        // An object must run to be evicted.
        await getShard().flush();
        await evictDurableObject(getShard());
        break;
      case "read":
        await projectStore.listNewestIssues();
        break;
    }
  }
  return acked;
}

it("in any order of appends, faults, crashes and evictions, no report is lost or counted twice", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 18 }), async (steps) => {
      const acked = await run(steps);
      await replaceKv(bindings.KV);
      for (let round = 0; round < 3; round++) await uploadChunk();
      const { issues } = await projectStore.listNewestIssues();
      const counted = new Map(issues.map(({ digest, count }) => [digest, count]));
      const expected = Map.groupBy(acked, toDigest);
      for (const [digest, ids] of expected) expect(counted.get(digest), digest).toBe(ids.length);
      expect(issues.length).toBe(expected.size);
      for (const n of acked) {
        expect((await projectStore.locateReport(toReportId(n)))?.digest, `report ${n}`).toBe(
          toDigest(n),
        );
      }
      const sent = steps.reduce((sum, it) => sum + (it.do === "append" ? it.count : 0), 0);
      const sessions = (await projectStore.listCounters(2)).find(
        ({ name: [first] }) => first === "counted",
      );
      const counters = await projectStore.listCounters(2);
      const sumTallies = (...words: string[]) =>
        counters
          .filter(({ name }) => words.every((word, i) => name[i] === word))
          .reduce((sum, { count }) => sum + count, 0);
      expect(sessions === undefined ? 0 : sumTallies("counted", "session")).toBe(sent);
      expect(sumTallies("accepted") + sumTallies("counted", "error")).toBe(acked.size);
      if (acked.size > 0) expect((await listChunkKeys()).length).toBeGreaterThan(0);
      await emptyStore();
    }),
    { numRuns: 25, endOnFailure: true },
  );
}, 120_000);
