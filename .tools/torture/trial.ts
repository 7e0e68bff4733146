// A trial: serves the built Worker with a faulty KV, sends reports, kills the Worker repeatedly,
// waits until everything is stored, and compares the acknowledgements with Errata's data.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { workerFile } from "../build/built.ts";
import { waitUntil } from "../command/tasks.ts";
import { createClient } from "../rig/client.ts";
import { layOutPlain, SERVER_KEY, TEST_VARS } from "../rig/plain-workerd.ts";
import { type FaultyKv, startKv } from "./faulty-kv.ts";
import { type Host, startHost } from "./host.ts";
import { openJournal, startLoad } from "./load.ts";
import { createChance, type Kill, makePlan } from "./plan.ts";
import { createRecord } from "./record.ts";
import { type MapUploads, startUploads } from "./uploads.ts";
import { addFindings, type Evidence, type Findings, isStored, verify } from "./verify.ts";

/** After this time without a put or a conversion, workerd is killed anyway. */
const MAX_WAIT_MS = 2_500;
const COUNT_PATIENCE_MS = 10_000;
const READERS = 4;
const READ_PAUSE_MS = 25;
/** How long an acknowledged report may be hidden by a shard that starts or responds late. */
const AT_ONCE_MS = 2_000;
/** A refused copy is retried after at most a minute. */
const SETTLE = { maxMs: 90_000, everyMs: 250 };

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

export type Trial = Awaited<ReturnType<typeof runTrial>>;

/**
 * Runs a trial to its end. `findings` has the result; `sabotage` shows that a fault is found;
 * `close` ends everything and deletes the folder unless it is to be kept.
 */
export async function runTrial(options: TrialOptions) {
  const { seed, progress = () => {} } = options;
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
    const load = startLoad(plan, options.perSecond, client, journal);
    const readers = startReaders(seed, evidence);
    const maps = startUploads(seed, client);
    const onKill = (n: number) => progress(`${n} of ${plan.kills.length} kills`);
    const killsInPut = await killAll(plan.kills, host, kv, maps, onKill);
    await sleepUntil(host.beganMs + plan.durationMs);
    kv.endFaults();
    progress("everything is sent again until it is acknowledged");
    await load.end();
    const lookups = await readers.end();
    await maps.end();
    progress("copies to KV");
    const beganMs = performance.now();
    const isCopied = await waitUntil(() => {
      record.read();
      const releases = record.listReleases();
      const isEachStored = maps.sent.every(({ isOk, release }) => !isOk || releases.has(release));
      return isEachStored && isStored(journal, record);
    }, SETTLE);
    const copiedSeconds = (performance.now() - beganMs) / 1000;
    progress("comparison");
    const sample = drawSample(journal.acknowledged, options.sample, createChance(seed, "sample"));
    const { figures, ...findings } = await verify(evidence, sample, COUNT_PATIENCE_MS);
    findings.lost.push(...(await maps.findUnreadable()));
    progress("rebuild from KV alone");
    if (!isCopied || !(await waitFor(evidence, areLogsEmpty)))
      findings.wrong.push("the logs did not copy everything to KV");
    if (!(await loseObjects())) findings.wrong.push("the objects were not restored from KV");
    const after = await verify(evidence, sample, COUNT_PATIENCE_MS);
    after.lost.push(...(await maps.findUnreadable()));
    after.wrong = after.wrong.filter((text) => !findings.wrong.includes(text));
    addFindings(findings, after, "after the rebuild: ");
    findings.wrong.push(...host.unexpected, ...maps.wrong);
    return {
      ...{ seed, folder, journal, record, kv, host, lookups, maps, killsInPut, copiedSeconds },
      ...{ figures, findings, close },
      /**
       * Compares again after a deliberate fault: a deleted chunk, a report that the journal
       * forgets, or a deleted pack of source maps.
       */
      async sabotage(how: "lose" | "forget" | "unmap"): Promise<Findings> {
        if (how === "unmap") {
          deleteFirst(kv, /^source-maps\/\w+\/packs\//);
          await loseObjects();
          return { lost: [...(await maps.findUnreadable(0))], duplicated: [], wrong: [] };
        }
        if (how === "lose") deleteFirst(kv, /^chunk\//);
        else journal.events.delete(journal.events.keys().next().value ?? "");
        return verify(evidence, [], 0);
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

  /**
   * Kills workerd, deletes the storage of its objects, and starts it again: the index then rebuilds
   * itself and the logs from KV. Resolves to false after a timeout.
   */
  async function loseObjects() {
    const objects = join(folder, "objects");
    await host.restart(0, () => {
      rmSync(objects, { recursive: true, force: true });
      mkdirSync(objects);
    });
    return waitFor(evidence, ({ work }) => work === undefined);
  }
}

/** Kills workerd by the plan. Resolves to the number of kills during a put. */
async function killAll(
  kills: readonly Kill[],
  host: Host,
  kv: FaultyKv,
  maps: MapUploads,
  onKill: (n: number) => void,
) {
  let inPut = 0;
  for (const [i, { atMs, during, downMs }] of kills.entries()) {
    await sleepUntil(host.beganMs + atMs);
    if (during !== "load") {
      const killed = new Promise<void>((resolve) => {
        const kill = () => {
          if (during !== "converting") inPut++;
          host.kill();
          resolve();
        };
        if (during === "converting") maps.onNextConversion(kill);
        else kv.onNextPut(during, kill);
      });
      await Promise.race([killed, sleep(MAX_WAIT_MS)]);
      kv.cancelOnNextPut();
      maps.onNextConversion(undefined);
    }
    await host.restart(downMs);
    onKill(i + 1);
  }
  return inPut;
}

/**
 * Readers during the faults: they look up acknowledged ids at once, and fill KV's caches, with
 * values and with misses. `end` resolves to the number of lookups, to that of first lookups that
 * found nothing, and to the late ones.
 */
function startReaders(seed: number, { client, journal }: Evidence) {
  let isEnding = false;
  const figures = { asked: 0, misses: 0 };
  const late: string[] = [];
  const readers = Promise.all(Array.from({ length: READERS }, (_, i) => read(i)));

  async function read(reader: number) {
    const chance = createChance(seed, `reader ${reader}`);
    while (!isEnding) {
      await sleep(READ_PAUSE_MS);
      // One of the newest, which will be copied soon.
      const id = journal.acknowledged.at(-1 - Math.floor(20 * chance())) ?? "";
      const entry = journal.events.get(id);
      if (entry?.end !== "accepted") continue;
      await expectReadable(id, async () => {
        const answer = await client.readJson(`/lookup?q=${id}`);
        return answer && answer.hits.length > 0;
      });
      await expectReadable(`/d/${entry.digest}`, async () => {
        const status = await client.openPage(`/d/${entry.digest}`);
        return status === 0 ? undefined : status === 200;
      });
      if (chance() < 0.2) await client.openPage("/");
    }
  }

  /** @param isReadable resolves to undefined if the server does not respond */
  async function expectReadable(what: string, isReadable: () => Promise<boolean | undefined>) {
    figures.asked++;
    let untilMs = performance.now() + AT_ONCE_MS;
    for (let tries = 0; !isEnding; tries++) {
      const isThere = await isReadable();
      if (isThere) return;
      // The time while workerd is down does not count.
      if (isThere === undefined) untilMs = performance.now() + AT_ONCE_MS;
      else if (tries === 0) figures.misses++;
      if (performance.now() > untilMs) {
        late.push(`${what} was acknowledged, and not found ${AT_ONCE_MS} ms later`);
        return;
      }
      await sleep(READ_PAUSE_MS);
    }
  }

  return {
    async end() {
      isEnding = true;
      await readers;
      return { ...figures, late };
    },
  };
}

/** The part of `/status` on the health of the index and the logs. */
interface Health {
  work?: object;
  shards: readonly { rows: number }[];
}

function waitFor({ client }: Evidence, isSo: (health: Health) => boolean) {
  return waitUntil(async () => {
    const health: Health | undefined = (await client.readJson("/status"))?.health;
    return health !== undefined && isSo(health);
  }, SETTLE);
}

/** True when KV has everything that the logs have. Snapshots may still be queued. */
function areLogsEmpty({ shards }: Health) {
  return shards.length > 0 && shards.every(({ rows }) => rows === 0);
}

/** Resolves at a time of `performance.now()`. */
async function sleepUntil(atMs: number) {
  await sleep(Math.max(0, atMs - performance.now()));
}

function drawSample(ids: readonly string[], count: number, chance: () => number) {
  if (ids.length <= count) return ids;
  const stride = ids.length / count;
  return Array.from({ length: count }, (_, i) => ids[Math.floor((i + chance()) * stride)] ?? "");
}

/** Deletes a value from KV. */
function deleteFirst(kv: FaultyKv, pattern: RegExp): void {
  const key = [...kv.values.keys()].find((one) => pattern.test(one));
  if (key !== undefined) kv.values.delete(key);
}
