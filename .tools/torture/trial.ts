// A trial: serves the built Worker on a faulty KV, sends reports, kills it again and again, waits
// until all is stored, and compares the acknowledgements with what Errata has.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { workerFile } from "../built.ts";
import { createClient } from "./client.ts";
import { type FaultyKv, startKv } from "./faulty-kv.ts";
import { type Host, startHost } from "./host.ts";
import { type Journal, openJournal } from "./journal.ts";
import { startLoad } from "./load.ts";
import { chanceOf, type Kill, makePlan } from "./plan.ts";
import { watchDesk } from "./readers.ts";
import { allCopied, loseObjects } from "./rebuild.ts";
import { createRecord, type KvRecord } from "./record.ts";
import { type Verdict, verify } from "./verify.ts";
import { createTestVars, layOutPlain } from "./workerd.ts";

/** Reports with a server key are stored under the ids that they were sent with. */
const SERVER_KEY = `errata_server_${"7".repeat(32)}`;
/** A refused copy is retried after at most a minute. */
const SETTLE_MS = 90_000;
const COUNT_PATIENCE_MS = 10_000;
/** Without a put in this time, the kill comes without one. */
const AMBUSH_MS = 2_500;

interface TrialOptions {
  seed: number;
  /** Of load. */
  seconds: number;
  kills: number;
  /** New bodies a second, if the machine is fast enough. */
  perSecond: number;
  /** The number of ids to follow to their bodies. */
  sample: number;
  /** Variables of the Worker. */
  vars?: Readonly<Record<string, string>>;
  /** Another bundle than the built one. */
  worker?: string;
  progress?: (text: string) => void;
}

export type Trial = Awaited<ReturnType<typeof trial>>;

/**
 * Runs a trial to its end. `verdict` has the result; `sabotage` shows that a fault is found;
 * `close` ends everything and deletes the folder unless it is to be kept.
 */
export async function trial(options: TrialOptions) {
  const { seed, perSecond, progress = () => {} } = options;
  const vars = { ...createTestVars(SERVER_KEY), ...options.vars };
  const plan = makePlan(options);
  const folder = mkdtempSync(join(tmpdir(), "errata-torture-"));
  const kv = await startKv(plan);
  const laidOut = layOutPlain({
    folder,
    workerFile: options.worker ?? workerFile,
    kvPort: kv.port,
    vars,
  });
  const host = await laidOut
    .then(() => startHost(folder))
    .catch((error) => {
      kv.stop();
      throw error;
    });
  const client = createClient(() => host.port, SERVER_KEY);
  const journal = openJournal();
  const record = createRecord(kv);
  try {
    kv.begin();
    const load = startLoad({ plan, client, journal, perSecond });
    const readers = watchDesk({ seed, client, journal });
    const onKill = (n: number) => progress(`${n} of ${plan.kills.length} kills`);
    const inPut = await strikes(plan.kills, host, kv, onKill);
    await sleepUntil(host.beganMs + plan.durationMs);
    kv.calm();
    progress("everything is sent again until it is acknowledged");
    await load.end();
    const lookups = await readers.end();
    progress("copies to KV");
    const copiedMs = await waitUntilCopied(journal, record);
    progress("comparison");
    const sample = sampleOf(journal.acknowledged, options.sample, chanceOf(seed, "sample"));
    const compared = { journal, record, kv, client, sample };
    const found = await verify({ ...compared, patienceMs: COUNT_PATIENCE_MS });
    progress("rebuild from KV alone");
    const rested = await allCopied(client);
    const rebuiltMs = await loseObjects({ folder, host, client });
    const after = await verify({ ...compared, patienceMs: COUNT_PATIENCE_MS });
    const verdict: Verdict = {
      ...found,
      lost: [...found.lost, ...after.lost.map(afterRebuild)],
      duplicated: [...found.duplicated, ...after.duplicated.map(afterRebuild)],
      wrong: [
        ...host.unexpected,
        ...found.wrong,
        ...(rested ? [] : ["the logs did not copy everything to KV"]),
        ...after.wrong.filter((text) => !found.wrong.includes(text)).map(afterRebuild),
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
      copiedMs,
      rebuiltMs,
      verdict,
      close,
      /**
       * Compares again after a deliberate fault: a deleted chunk, or a report that the journal
       * forgets.
       */
      async sabotage(how: "lose" | "forget") {
        if (how === "lose") loseChunk(kv);
        else forgetReport(journal);
        return verify({ ...compared, sample: [], patienceMs: 0 });
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

function afterRebuild(text: string) {
  return `after the rebuild: ${text}`;
}

/** Resolves to the number of kills during a put. */
async function strikes(
  kills: readonly Kill[],
  host: Host,
  kv: FaultyKv,
  onKill: (n: number) => void,
) {
  let inPut = 0;
  for (const [i, { atMs, during, downMs }] of kills.entries()) {
    await sleepUntil(host.beganMs + atMs);
    if (during !== "load") {
      const struck: Promise<void> = new Promise((resolve) => {
        kv.lieInWait(during, () => {
          inPut++;
          host.kill();
          resolve();
        });
      });
      await Promise.race([struck, sleep(AMBUSH_MS)]);
      kv.relent();
    }
    await host.strike(downMs);
    onKill(i + 1);
  }
  return inPut;
}

/** Resolves to the time in ms until every acknowledged body was stored; null after a timeout. */
async function waitUntilCopied(journal: Journal, record: KvRecord) {
  const beganMs = performance.now();
  // A counted or duplicate report may have no body.
  const wanted = [...journal.events].filter(([, { end }]) => end === "accepted").map(([id]) => id);
  while (performance.now() - beganMs < SETTLE_MS) {
    record.read();
    const there = new Set(Array.from(record.lines(), ({ id }) => id));
    if (wanted.every((id) => there.has(id))) return performance.now() - beganMs;
    await sleep(250);
  }
  return null;
}

function sampleOf(ids: readonly string[], count: number, chance: () => number) {
  if (ids.length <= count) return ids;
  const stride = ids.length / count;
  return Array.from({ length: count }, (_, i) => ids[Math.floor((i + chance()) * stride)] ?? "");
}

function loseChunk(kv: FaultyKv) {
  const key = [...kv.values.keys()].find((key) => key.startsWith("chunk/"));
  if (key !== undefined) kv.values.delete(key);
}

function forgetReport(journal: Journal) {
  const [id] = journal.events.keys();
  if (id !== undefined) journal.events.delete(id);
}

async function sleepUntil(atMs: number) {
  await sleep(Math.max(0, atMs - performance.now()));
}
