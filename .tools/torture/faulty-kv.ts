// A KV namespace that fails by a plan. It survives the kills of workerd and has KV's limits: one
// write a second for each key, and reads that are up to a minute old, also of missing keys.

import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { end, type KvValue, serveKv } from "../rig/kv.ts";
import { isWithin, type Plan } from "./plan.ts";

const WRITE_EVERY_MS = 1_000;
/** The longest delay that KV documents. */
const STALE_MS = 60_000;
/** Chunks and source maps are written once, unless data is erased. */
const WATCHED = /^(?:chunk\/|source-maps\/\w+\/(?:packs|uploads)\/)/;

type Stage = "put" | "stored";

export type FaultyKv = Awaited<ReturnType<typeof startKv>>;

/** Starts the service on a free port, at first without the faults of the plan. */
export async function startKv(plan: Plan) {
  const values: Map<string, KvValue> = new Map();
  const writes: Map<string, { attempts: number; lastMs: number }> = new Map();
  const hashes: Map<string, string> = new Map();
  const changed: string[] = [];
  const figures = {
    ...{ puts: 0, duringFaults: 0, refused: 0, withoutQuota: 0, tooSoon: 0, answersLost: 0 },
    ...{ slow: 0, reads: 0, oldReads: 0, falseMisses: 0 },
  };
  let beganMs: number | null = null;
  let interception: { stage: Stage; action: () => void } | null = null;
  const delays: Set<() => void> = new Set();
  /** KV as seen from one location: what was read there is served for a while. */
  const cache: Map<string, { value: KvValue | undefined; untilMs: number }> = new Map();
  let isStale = true;

  async function put(key: string, value: KvValue, response: ServerResponse) {
    const now = performance.now();
    const isWatched = WATCHED.test(key);
    const { attempts, lastMs } = writes.get(key) ?? { attempts: 0, lastMs: -Infinity };
    const attempt = attempts + 1;
    writes.set(key, { attempts: attempt, lastMs });
    figures.puts++;
    if (beganMs !== null) figures.duringFaults++;
    if (isWatched) watch(key, value);
    if (isWatched && interception?.stage === "put") return intercept(response);
    if (beganMs !== null && isWithin(plan.outages, now - beganMs)) {
      figures.withoutQuota++;
      return end(response, 429);
    }
    if (now - lastMs < WRITE_EVERY_MS) {
      figures.tooSoon++;
      return end(response, 429);
    }
    const fate = beganMs === null ? "ok" : plan.chooseFate(key, attempt);
    if (fate === "too-many" || fate === "broken") {
      figures.refused++;
      return end(response, fate === "broken" ? 500 : 429);
    }
    if (fate === "slow" || fate === "hangs") figures.slow++;
    writes.set(key, { attempts: attempt, lastMs: now });
    await delay(plan.chooseDelayMs(fate, key, attempt));
    values.set(key, value);
    if (isWatched && interception?.stage === "stored") return intercept(response);
    if (fate !== "answer-lost") return end(response, 200);
    figures.answersLost++;
    response.destroy();
  }

  /** Records a watched value if its bytes or metadata differ from an earlier put. */
  function watch(key: string, { bytes, metadata = "" }: KvValue) {
    const hash = createHash("sha256").update(bytes).update(metadata).digest("hex");
    if ((hashes.get(key) ?? hash) !== hash) changed.push(key);
    hashes.set(key, hash);
  }

  function intercept(response: ServerResponse) {
    const action = interception?.action;
    interception = null;
    action?.();
    response.destroy();
  }

  function delay(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(go, ms);
      function go() {
        clearTimeout(timer);
        delays.delete(go);
        resolve();
      }
      delays.add(go);
    });
  }

  /** The value, or the value that was read before; undefined for a miss. */
  function read(key: string) {
    figures.reads++;
    const now = performance.now();
    const value = values.get(key);
    const kept = cache.get(key);
    if (!isStale || kept === undefined || kept.untilMs <= now) {
      cache.set(key, { value, untilMs: now + STALE_MS });
      return value;
    }
    if (kept.value !== value) figures[kept.value ? "oldReads" : "falseMisses"]++;
    return kept.value;
  }

  return {
    ...(await serveKv({ values, put, read })),
    /** Watched keys with a second, different put. */
    changed,
    figures,
    /** Starts the faults of the plan. */
    startFaults() {
      beganMs = performance.now();
    },
    /** Ends the faults. Stores delayed puts at once. */
    endFaults() {
      beganMs = null;
      interception = null;
      for (const go of [...delays]) go();
    },
    /** Makes reads current from now on. */
    refresh() {
      isStale = false;
    },
    /** Calls `action` once, during the next put of a watched key, which then gets no response. */
    onNextPut(stage: Stage, action: () => void) {
      interception = { stage, action };
    },
    cancelOnNextPut() {
      interception = null;
    },
  };
}
