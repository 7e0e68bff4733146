// A trial: serves the built Worker with a faulty KV, sends reports, kills the Worker repeatedly,
// waits until everything is stored, and compares the acknowledgements with Errata's data.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { workerFile } from "../build/built.ts";
import { createClient } from "../rig/client.ts";
import { createTestVars, layOutPlain } from "../rig/plain-workerd.ts";
import { type FaultyKv, startKv } from "./faulty-kv.ts";
import { type Host, startHost } from "./host.ts";
import { type Journal, openJournal } from "./journal.ts";
import { startLoad } from "./load.ts";
import { createChance, type Kill, makePlan } from "./plan.ts";
import { watchDesk } from "./readers.ts";
import { allCopied, loseObjects } from "./rebuild.ts";
import { createRecord, type KvRecord } from "./record.ts";
import { type MapUploads, startUploads } from "./uploads.ts";
import { isStored, type Verdict, verify } from "./verify.ts";

/** Reports with a server key are stored under the ids that they were sent with. */
const SERVER_KEY = `errata_server_${"7".repeat(32)}`;
/** A refused copy is retried after at most a minute. */
const SETTLE_MS = 90_000;
const COUNT_PATIENCE_MS = 10_000;
/** Without a put in this time, the kill happens without one. */
const AMBUSH_MS = 2_500;

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
  /** Another bundle than the built one. */
  worker?: string;
  progress?: (text: string) => void;
}

type Sabotage = "lose" | "forget" | "unmap";

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
    const maps = startUploads({ seed, client });
    const onKill = (n: number) => progress(`${n} of ${plan.kills.length} kills`);
    const inPut = await strikes(plan.kills, { host, kv, maps, onKill });
    await sleepUntil(host.beganMs + plan.durationMs);
    kv.calm();
    progress("everything is sent again until it is acknowledged");
    await load.end();
    const lookups = await readers.end();
    await maps.end();
    progress("copies to KV");
    const copiedMs = await waitUntilCopied({ journal, record, kv, maps });
    progress("comparison");
    const sample = drawSample(journal.acknowledged, options.sample, createChance(seed, "sample"));
    const compared = { journal, record, kv, client, sample };
    const found = await verify({ ...compared, patienceMs: COUNT_PATIENCE_MS });
    const unreadable = await maps.findUnreadable();
    progress("rebuild from KV alone");
    const rested = await allCopied(client);
    const rebuiltMs = await loseObjects({ folder, host, client });
    const after = await verify({ ...compared, patienceMs: COUNT_PATIENCE_MS });
    const stillUnreadable = await maps.findUnreadable();
    const verdict: Verdict = {
      ...found,
      lost: [
        ...found.lost,
        ...unreadable,
        ...after.lost.map(afterRebuild),
        ...stillUnreadable.map(afterRebuild),
      ],
      duplicated: [...found.duplicated, ...after.duplicated.map(afterRebuild)],
      wrong: [
        ...host.unexpected,
        ...maps.wrong,
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
      maps,
      copiedMs,
      rebuiltMs,
      verdict,
      close,
      /**
       * Compares again after a deliberate fault: a deleted chunk, a report that the journal
       * forgets, or a deleted pack of source maps.
       */
      async sabotage(how: Sabotage): Promise<Pick<Verdict, "lost" | "duplicated" | "wrong">> {
        if (how === "unmap") {
          losePack(kv);
          await loseObjects({ folder, host, client });
          return { lost: await maps.findUnreadable(0), duplicated: [], wrong: [] };
        }
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
  {
    host,
    kv,
    maps,
    onKill,
  }: { host: Host; kv: FaultyKv; maps: MapUploads; onKill: (n: number) => void },
) {
  let inPut = 0;
  for (const [i, { atMs, during, downMs }] of kills.entries()) {
    await sleepUntil(host.beganMs + atMs);
    if (during !== "load") {
      const struck: Promise<void> = new Promise((resolve) => {
        const kill = () => {
          if (during !== "converting") inPut++;
          host.kill();
          resolve();
        };
        if (during === "converting") maps.lieInWait(kill);
        else kv.lieInWait(during, kill);
      });
      await Promise.race([struck, sleep(AMBUSH_MS)]);
      kv.relent();
      maps.relent();
    }
    await host.strike(downMs);
    onKill(i + 1);
  }
  return inPut;
}

/**
 * Resolves to the time in ms until KV had every acknowledged report and every bundle; null after a
 * timeout.
 */
async function waitUntilCopied({
  journal,
  record,
  kv,
  maps,
}: {
  journal: Journal;
  record: KvRecord;
  kv: FaultyKv;
  maps: MapUploads;
}) {
  const beganMs = performance.now();
  const releases = maps.sent.filter(({ isOk }) => isOk).map(({ release }) => release);
  while (performance.now() - beganMs < SETTLE_MS) {
    record.read();
    const stored = readReleases(kv);
    if (isStored(journal, record) && releases.every((release) => stored.has(release))) {
      return performance.now() - beganMs;
    }
    await sleep(250);
  }
  return null;
}

/** The releases of the uploads in KV, read without Errata's own code. */
function readReleases(kv: FaultyKv): ReadonlySet<string> {
  const uploads = [...kv.values].filter(([key]) => /^source-maps\/\w+\/uploads\//.test(key));
  return new Set(
    uploads.map(([, { bytes }]) => JSON.parse(gunzipSync(bytes).toString()).upload.release),
  );
}

function drawSample(ids: readonly string[], count: number, chance: () => number) {
  if (ids.length <= count) return ids;
  const stride = ids.length / count;
  return Array.from({ length: count }, (_, i) => ids[Math.floor((i + chance()) * stride)] ?? "");
}

function loseChunk(kv: FaultyKv) {
  const key = [...kv.values.keys()].find((key) => key.startsWith("chunk/"));
  if (key !== undefined) kv.values.delete(key);
}

function losePack(kv: FaultyKv) {
  const key = [...kv.values.keys()].find((key) => /^source-maps\/\w+\/packs\//.test(key));
  if (key !== undefined) kv.values.delete(key);
}

function forgetReport(journal: Journal) {
  const [id] = journal.events.keys();
  if (id !== undefined) journal.events.delete(id);
}

async function sleepUntil(atMs: number) {
  await sleep(Math.max(0, atMs - performance.now()));
}
