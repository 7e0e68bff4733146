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

export interface Plan {
  seed: number;
  /** The duration of the load. */
  durationMs: number;
  /** The kills, ordered by time. */
  kills: readonly Kill[];
  /** The times in which KV's quota is used up. */
  outages: readonly Span[];
  /** The times in which most events have the same error. */
  storms: readonly Span[];
  /** The outcome of the `attempt`th put of a key, from 1. */
  chooseFate: (key: string, attempt: number) => Fate;
  /** The latency of KV. */
  chooseDelayMs: (fate: Fate, key: string, attempt: number) => number;
}

interface PlanOptions {
  seed: number;
  seconds: number;
  kills: number;
}

const SHARE_REFUSED = 0.3;
const SHARE_ANSWER_LOST = 0.1;
const SHARE_SLOW = 0.08;
/**
 * Puts that take longer than the product's timeout, so that the product gives up before the value
 * is stored.
 */
const SHARE_HANGS = 0.004;
const HANGS_MS = 22_000;
/** The log puts a chunk a second. */
const MIN_OUTAGE_SECONDS = 2.5;

/**
 * The plan of a seed for `seconds` of load. A quarter of the kills are at given times, half during
 * a put, and a quarter during a conversion.
 */
export function makePlan({ seed, seconds, kills }: PlanOptions): Plan {
  const durationMs = seconds * 1000;
  const chance = createChance(seed, "plan");
  const slotMs = durationMs / kills;
  const moments: readonly Kill["during"][] = ["load", "put", "stored", "converting"];
  return {
    seed,
    durationMs,
    kills: Array.from({ length: kills }, (_, i) => ({
      atMs: slotMs * (i + 0.3 + 0.6 * chance()),
      during: moments[i % moments.length] ?? "load",
      downMs: chance() < 0.5 ? 0 : Math.min(1_500, slotMs / 4) * chance(),
    })),
    outages: createSpans(chance, durationMs, Math.ceil(seconds / 45), chooseOutageShare(seconds)),
    storms: createSpans(chance, durationMs, Math.ceil(seconds / 30), 0.1),
    chooseFate: (key, attempt) => toFate(createChance(seed, `${key} ${attempt}`)()),
    chooseDelayMs(fate, key, attempt) {
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

function toFate(chance: number): Fate {
  if (chance < SHARE_REFUSED) return chance < SHARE_REFUSED / 2 ? "too-many" : "broken";
  const rest = chance - SHARE_REFUSED;
  if (rest < SHARE_ANSWER_LOST) return "answer-lost";
  if (rest < SHARE_ANSWER_LOST + SHARE_SLOW) return "slow";
  return rest < SHARE_ANSWER_LOST + SHARE_SLOW + SHARE_HANGS ? "hangs" : "ok";
}

/** Long enough for a put, even in a short load. */
function chooseOutageShare(seconds: number) {
  return Math.max(0.12, Math.min(0.4, MIN_OUTAGE_SECONDS / seconds));
}

/** `count` spans, each a share of its part of the time. */
function createSpans(
  chance: () => number,
  durationMs: number,
  count: number,
  share: number,
): Span[] {
  const partMs = durationMs / count;
  return Array.from({ length: count }, (_, i) => {
    const fromMs = partMs * (i + (1 - share) * chance());
    return { fromMs, toMs: fromMs + share * partMs };
  });
}
