// A trial: serves the built Worker with a faulty KV, sends reports, kills the Worker repeatedly,
// waits until everything is stored, and compares the acknowledgements with Errata's data.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { workerFile } from "../build/built.ts";
import { createClient } from "../rig/client.ts";
import { layOutPlain, SERVER_KEY, TEST_VARS } from "../rig/plain-workerd.ts";
import { loseObjects, waitForCopies, waitForLogs } from "./copies.ts";
import { type FaultyKv, startKv } from "./faulty-kv.ts";
import type { Findings } from "./findings.ts";
import { startHost } from "./host.ts";
import { type Journal, openJournal } from "./journal.ts";
import { killAll, sleepUntil } from "./kills.ts";
import { startLoad } from "./load.ts";
import { createChance, makePlan } from "./plan.ts";
import { startReaders } from "./readers.ts";
import { createRecord } from "./record.ts";
import { startUploads } from "./uploads.ts";
import { type Verdict, verify } from "./verify.ts";

const COUNT_PATIENCE_MS = 10_000;

interface TrialOptions {
  seed: number;
  /** The duration of the load. */
  seconds: number;
  kills: number;
  /** New bodies a second, if the machine is fast enough. */
  perSecond: number;
  /** The number of ids to follow to their bodies. */
  sample: number;
  /** Variables of the Worker. */
  vars?: Readonly<Record<string, string>>;
  progress?: (text: string) => void;
}

type Sabotage = "lose" | "forget" | "unmap";

export type Trial = Awaited<ReturnType<typeof runTrial>>;

/**
 * Runs a trial to its end. `verdict` has the result; `sabotage` shows that a fault is found;
 * `close` ends everything and deletes the folder unless it is to be kept.
 */
export async function runTrial(options: TrialOptions) {
  const { seed, perSecond, progress = () => {} } = options;
  const vars = { ...TEST_VARS, ...options.vars };
  const plan = makePlan(options);
  const folder = mkdtempSync(join(tmpdir(), "errata-torture-"));
  const kv = await startKv(plan);
  const host = await layOutPlain({ folder, workerFile, kvPort: kv.port, vars })
    .then(() => startHost(folder))
    .catch((error) => {
      kv.stop();
      throw error;
    });
  const client = createClient(() => host.port, SERVER_KEY);
  const journal = openJournal();
  const record = createRecord(kv);
  const evidence = { journal, record, kv, client };
  try {
    kv.startFaults();
    const load = startLoad(plan, perSecond, evidence);
    const readers = startReaders(seed, evidence);
    const maps = startUploads(seed, client);
    const onKill = (n: number) => progress(`${n} of ${plan.kills.length} kills`);
    const inPut = await killAll(plan.kills, { host, kv, maps }, onKill);
    await sleepUntil(host.beganMs + plan.durationMs);
    kv.endFaults();
    progress("everything is sent again until it is acknowledged");
    await load.end();
    const lookups = await readers.end();
    await maps.end();
    progress("copies to KV");
    const copiedMs = await waitForCopies(evidence, maps);
    progress("comparison");
    const sample = drawSample(journal.acknowledged, options.sample, createChance(seed, "sample"));
    const comparison = { sample, patienceMs: COUNT_PATIENCE_MS };
    const found = await verify(evidence, comparison);
    const unreadable = await maps.findUnreadable();
    progress("rebuild from KV alone");
    const rested = await waitForLogs(client);
    const rebuiltMs = await loseObjects({ folder, host, client });
    const after = await verify(evidence, comparison);
    const stillUnreadable = await maps.findUnreadable();
    const verdict: Verdict = {
      ...found,
      lost: [
        ...found.lost,
        ...unreadable,
        ...after.lost.map(markRebuilt),
        ...stillUnreadable.map(markRebuilt),
      ],
      duplicated: [...found.duplicated, ...after.duplicated.map(markRebuilt)],
      wrong: [
        ...host.unexpected,
        ...maps.wrong,
        ...found.wrong,
        ...(rested ? [] : ["the logs did not copy everything to KV"]),
        ...after.wrong.filter((text) => !found.wrong.includes(text)).map(markRebuilt),
      ],
    };
    return {
      plan,
      folder,
      journal,
      record,
      kv,
      host,
      inPut,
      lookups,
      maps,
      copiedMs,
      rebuiltMs,
      verdict,
      close,
      /**
       * Compares again after a deliberate fault: a deleted chunk, a report that the journal
       * forgets, or a deleted pack of source maps.
       */
      async sabotage(how: Sabotage): Promise<Findings> {
        if (how === "unmap") {
          deleteFirst(kv, /^source-maps\/\w+\/packs\//);
          await loseObjects({ folder, host, client });
          return { lost: [...(await maps.findUnreadable(0))], duplicated: [], wrong: [] };
        }
        if (how === "lose") deleteFirst(kv, /^chunk\//);
        else forgetReport(journal);
        return verify(evidence, { sample: [], patienceMs: 0 });
      },
    };
  } catch (error) {
    await close({ keep: true });
    throw error;
  }

  async function close({ keep = false }: { keep?: boolean } = {}) {
    await host.stop();
    client.close();
    kv.stop();
    if (!keep) rmSync(folder, { recursive: true, force: true });
  }
}

function markRebuilt(text: string) {
  return `after the rebuild: ${text}`;
}

function drawSample(ids: readonly string[], count: number, chance: () => number) {
  if (ids.length <= count) return ids;
  const stride = ids.length / count;
  return Array.from({ length: count }, (_, i) => ids[Math.floor((i + chance()) * stride)] ?? "");
}

/** Deletes a chunk, or a pack of source maps, from KV. */
function deleteFirst(kv: FaultyKv, pattern: RegExp): void {
  const key = [...kv.values.keys()].find((one) => pattern.test(one));
  if (key !== undefined) kv.values.delete(key);
}

/** Deletes a report from the journal, as if it had never been sent. */
function forgetReport(journal: Journal): void {
  const [id] = journal.events.keys();
  if (id !== undefined) journal.events.delete(id);
}
