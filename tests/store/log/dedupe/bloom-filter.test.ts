import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { hashId } from "#src/store/log/catalog/id-key.ts";
import { MAX_FILTER_IDS, RollingBloomFilter } from "#src/store/log/dedupe/bloom-filter.ts";

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 10, 21);

/** Pseudo-random ids, the same in every run. */
function* ids(seed: number): Generator<string> {
  let state = seed;
  for (;;) {
    let id = "";
    for (let word = 0; word < 4; word++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      id += state.toString(16).padStart(8, "0");
    }
    yield id;
  }
}

function take(count: number, seed: number): string[] {
  const source = ids(seed);
  return Array.from({ length: count }, () => source.next().value ?? "");
}

describe("the Bloom filter", () => {
  it("has no false negatives over many segments", () => {
    const filter = new RollingBloomFilter(DAY_MS);
    const added = take(300_000, 1);
    for (const id of added) filter.add(id, NOW_MS);
    expect(added.filter((id) => !filter.has(id))).toEqual([]);
  });

  it("keeps more than half of its space for ids of servers, in any flood of other reports", () => {
    const { maxPublicIdsPerHour, maxPageIdsPerHour } = limits;
    const { maxPublicBodiesPerHour, maxPageBodiesPerHour } = limits;
    const bodies = 2 * maxPublicBodiesPerHour + maxPageBodiesPerHour;
    const perHour = maxPublicIdsPerHour + maxPageIdsPerHour + bodies;
    expect(24 * perHour).toBeLessThan(MAX_FILTER_IDS / 2);
  });

  it("has fewer than one false positive in ten thousand", () => {
    const filter = new RollingBloomFilter(DAY_MS);
    for (const id of take(250_000, 1)) filter.add(id, NOW_MS);
    const wrong = take(100_000, 77).filter((id) => filter.has(id));
    expect(wrong.length).toBeLessThan(10);
  });

  it("distinguishes ids that differ in their second half only", () => {
    const filter = new RollingBloomFilter(DAY_MS);
    const content = "5aaeee40d56b46ec";
    const added = take(2_000, 3).map((id) => content + id.slice(16));
    for (const id of added) filter.add(id, NOW_MS);
    const others = take(2_000, 9).map((id) => content + id.slice(16));
    expect(others.filter((id) => filter.has(id)).length).toBeLessThan(5);
  });

  it("contains the ids whose keys a catalog has", () => {
    const filter = new RollingBloomFilter(DAY_MS);
    const added = take(100, 5);
    for (const id of added) filter.addKey(hashId(id), NOW_MS);
    expect(added.every((id) => filter.has(id))).toBe(true);
    expect(filter.has(take(1, 6)[0] ?? "")).toBe(false);
  });

  it("keeps an id for a day and drops it with its segment", () => {
    const filter = new RollingBloomFilter(DAY_MS);
    const [early = "", ...rest] = take(300_000, 11);
    filter.add(early, NOW_MS);
    for (const id of rest.slice(0, 5_000)) filter.add(id, NOW_MS + DAY_MS - 1);
    expect(filter.has(early)).toBe(true);
    for (const id of rest) filter.add(id, NOW_MS + 3 * DAY_MS);
    expect(filter.has(early)).toBe(false);
  });
});
