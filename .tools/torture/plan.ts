// The plan of failures. The same seed gives the same plan. Times are milliseconds since the start
// of the load. Two runs of a plan are similar but not equal, because the timing of the machine
// differs.

import { SeededRandom } from "../../src/core/sample/seeded-random.ts";

/** The outcome of a put. */
type Fate = "ok" | "too-many" | "broken" | "answer-lost" | "slow" | "hangs";

type Span = { fromMs: number; toMs: number };

export interface Kill {
  atMs: number;
  /**
   * When workerd is killed: at a given time; during the next put of a chunk or of source maps;
   * after that put was stored and before the object gets the response; or while a bundle of source
   * maps is converted.
   */
  during: "load" | "put" | "stored" | "converting";
  /** How long workerd stays down. */
  downMs: number;
}

export type Plan = ReturnType<typeof makePlan>;

/** A put has the first fate above its chance. A hanging one takes longer than the product waits. */
const FATES: readonly (readonly [Fate, number])[] = [
  ["too-many", 0.15],
  ["broken", 0.3],
  ["answer-lost", 0.4],
  ["slow", 0.48],
  ["hangs", 0.484],
];
const HANGS_MS = 22_000;
/** The log puts a chunk a second. An outage is long enough for a put, even in a short load. */
const MIN_OUTAGE_SECONDS = 2.5;
const MOMENTS: readonly Kill["during"][] = ["load", "put", "stored", "converting"];

/**
 * The plan of a seed for `seconds` of load. A quarter of the kills are at given times, half during
 * a put, and a quarter during a conversion.
 */
export function makePlan({
  seed,
  seconds,
  kills,
}: {
  seed: number;
  seconds: number;
  kills: number;
}) {
  const durationMs = seconds * 1000;
  const chance = createChance(seed, "plan");
  const slotMs = durationMs / kills;
  const outageShare = Math.max(0.12, Math.min(0.4, MIN_OUTAGE_SECONDS / seconds));
  return {
    seed,
    /** The duration of the load. */
    durationMs,
    /** Ordered by time. */
    kills: Array.from(
      { length: kills },
      (_, i): Kill => ({
        atMs: slotMs * (i + 0.3 + 0.6 * chance()),
        during: MOMENTS[i % MOMENTS.length] ?? "load",
        downMs: chance() < 0.5 ? 0 : Math.min(1_500, slotMs / 4) * chance(),
      }),
    ),
    /** The times in which KV's quota is used up. */
    outages: createSpans(chance, durationMs, Math.ceil(seconds / 45), outageShare),
    /** The times in which most events have the same error. */
    storms: createSpans(chance, durationMs, Math.ceil(seconds / 30), 0.1),
    /** The outcome of the `attempt`th put of a key, from 1. */
    chooseFate(key: string, attempt: number): Fate {
      const chance = createChance(seed, `${key} ${attempt}`)();
      return FATES.find(([, below]) => chance < below)?.[0] ?? "ok";
    },
    /** The latency of KV. */
    chooseDelayMs(fate: Fate, key: string, attempt: number): number {
      if (fate === "hangs") return HANGS_MS;
      const chance = createChance(seed, `${key} ${attempt} ms`)();
      return fate === "slow" ? 500 + 3_500 * chance : 1 + 8 * chance;
    },
  };
}

/** Creates a source of numbers from 0 to 1, the same for each seed and name. */
export function createChance(seed: number, name: string): () => number {
  const random = new SeededRandom(`${seed} ${name}`);
  return () => random.nextFloat();
}

/** True when a time is in one of the spans. */
export function isWithin(spans: readonly Span[], atMs: number) {
  return spans.some(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs);
}

/** `count` spans, each a share of its part of the time. */
function createSpans(chance: () => number, durationMs: number, count: number, share: number) {
  const partMs = durationMs / count;
  return Array.from({ length: count }, (_, i): Span => {
    const fromMs = partMs * (i + (1 - share) * chance());
    return { fromMs, toMs: fromMs + share * partMs };
  });
}
