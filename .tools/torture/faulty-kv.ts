// A KV namespace that fails by a plan: an HTTP service in this process. It survives the kills of
// workerd and has KV's limits: one write a second for each key, and reads that are up to a minute
// old, also of missing keys.

import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { end, type KvValue, serveKv } from "../rig/kv-server.ts";
import { isWithin, type Plan } from "./plan.ts";
import { createView } from "./stale-view.ts";

/** KV takes one write a second per key. */
const WRITE_EVERY_MS = 1_000;

type Stage = "put" | "stored";

export type FaultyKv = Awaited<ReturnType<typeof startKv>>;

/** Starts the service on a free port, at first without the faults of the plan. */
export async function startKv(plan: Plan) {
  const values: Map<string, KvValue> = new Map();
  const view = createView(values);
  const writes: Map<string, { attempts: number; lastMs: number }> = new Map();
  const hashes: Map<string, string> = new Map();
  const changed: string[] = [];
  const figures = {
    puts: 0,
    duringFaults: 0,
    refused: 0,
    quota: 0,
    tooSoon: 0,
    answersLost: 0,
    slow: 0,
  };
  let beganMs: number | null = null;
  let interception: { stage: Stage; action: () => void } | null = null;
  const delays: Set<() => void> = new Set();

  async function put(key: string, { bytes, metadata }: KvValue, response: ServerResponse) {
    const now = performance.now();
    const write = writes.get(key) ?? { attempts: 0, lastMs: -Infinity };
    writes.set(key, { ...write, attempts: write.attempts + 1 });
    figures.puts++;
    if (beganMs !== null) figures.duringFaults++;
    if (isWatched(key)) watch(key, bytes, metadata);
    if (isWatched(key) && interception?.stage === "put") return intercept(response);
    if (beganMs !== null && isWithin(plan.outages, now - beganMs)) {
      figures.quota++;
      return end(response, 429);
    }
    if (now - write.lastMs < WRITE_EVERY_MS) {
      figures.tooSoon++;
      return end(response, 429);
    }
    const fate = beganMs === null ? "ok" : plan.chooseFate(key, write.attempts + 1);
    if (fate === "too-many" || fate === "broken") {
      figures.refused++;
      return end(response, fate === "broken" ? 500 : 429);
    }
    if (fate === "slow" || fate === "hangs") figures.slow++;
    writes.set(key, { attempts: write.attempts + 1, lastMs: now });
    await delay(plan.chooseDelayMs(fate, key, write.attempts + 1));
    values.set(key, { bytes, metadata });
    if (isWatched(key) && interception?.stage === "stored") return intercept(response);
    if (fate !== "answer-lost") return end(response, 200);
    figures.answersLost++;
    response.destroy();
  }

  /** Records a watched value if its bytes or metadata differ from an earlier put. */
  function watch(key: string, bytes: Buffer, metadata: string | undefined = "") {
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

  const { port, stop } = await serveKv({ values, put, read: view.read });
  return {
    ...{ port, stop },
    /** The stored values, without faults. */
    values,
    /** Watched keys with a second, different put; one entry for each such put. */
    changed,
    figures,
    reads: view.figures,
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
    refresh: view.refresh,
    cancelOnNextPut() {
      interception = null;
    },
    /** Calls `action` once, during the next put of a watched key, which then gets no response. */
    onNextPut(stage: Stage, action: () => void) {
      interception = { stage, action };
    },
  };
}

/** Chunks and source maps are written once, unless data is erased. */
function isWatched(key: string) {
  return /^(?:chunk\/|source-maps\/\w+\/(?:packs|uploads)\/)/.test(key);
}
