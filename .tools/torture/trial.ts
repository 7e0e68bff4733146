// One trial: serves the built Worker on a KV that misbehaves, has it reported to, kills it again and again, lets it come to
// rest, and compares what the senders were told with what there is.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { workerFile } from "../built.ts";
import { loseObjects, restsInKv } from "./anew.ts";
import type { Books } from "./books.ts";
import { openBooks } from "./books.ts";
import { createClient } from "./client.ts";
import type { FaultyKv } from "./faulty-kv.ts";
import { startKv } from "./faulty-kv.ts";
import type { Host } from "./host.ts";
import { startHost } from "./host.ts";
import { startLoad } from "./load.ts";
import type { Kill } from "./plan.ts";
import { chanceOf, makePlan } from "./plan.ts";
import { watchDesk } from "./readers.ts";
import type { KvRecord } from "./record.ts";
import { createRecord } from "./record.ts";
import { verify } from "./verify.ts";
import { layOut } from "./workerd.ts";

/** As many writes into KV as it takes: what a small budget delays is not what is tested here. */
const AMPLE = { ERRATA_KV_WRITES_PER_DAY: "1000000000", ERRATA_LOCAL: "open" };
/** A refused copy is tried again after a minute at the latest. */
const SETTLE_MS = 90_000;
const COUNT_PATIENCE_MS = 10_000;
/** A put is expected within this time; else the kill that waits for it comes without. */
const AMBUSH_MS = 2_500;

interface TrialOptions {
  seed: number;
  /** of load */
  seconds: number;
  kills: number;
  /** new bodies a second, while the machine keeps up */
  perSecond: number;
  /** ids that are followed on the desk to their bodies */
  sample: number;
  /** variables of the Worker */
  vars?: Readonly<Record<string, string>>;
  /** another bundle than the built one */
  worker?: string;
  progress?: (text: string) => void;
}

export type Trial = Awaited<ReturnType<typeof trial>>;

/**
 * Runs a trial to its end. The verdict is in it; `sabotage` is for seeing it fail; `close` ends everything that was
 * started, and removes what was written unless it is to be kept.
 */
export async function trial(options: TrialOptions) {
  const { seed, perSecond, progress = () => {} } = options;
  const vars = { ...AMPLE, ...options.vars };
  const plan = makePlan(options);
  const folder = mkdtempSync(join(tmpdir(), "errata-torture-"));
  const kv = await startKv(plan);
  layOut({ folder, workerFile: options.worker ?? workerFile, kvPort: kv.port, vars });
  const host = await startHost(folder).catch((error) => {
    kv.stop();
    throw error;
  });
  const client = createClient(() => host.port);
  const books = openBooks();
  const record = createRecord(kv);
  try {
    kv.begin();
    const load = startLoad({ plan, client, books, perSecond });
    const readers = watchDesk({ seed, client, books });
    const told = (n: number) => progress(`${n} of ${plan.kills.length} kills`);
    const inPut = await strikes(plan.kills, host, kv, told);
    await sleepUntil(host.beganMs + plan.durationMs);
    kv.calm();
    progress("everything is sent again until it is acknowledged");
    await load.end();
    const desk = await readers.end();
    progress("the log comes to rest");
    const settledMs = await settle(books, record);
    progress("everything is compared");
    const sample = sampleOf(books.acknowledged, options.sample, chanceOf(seed, "sample"));
    const compared = { books, record, kv, client, sample };
    const found = await verify({ ...compared, patienceMs: COUNT_PATIENCE_MS });
    progress("everything but KV is lost, and made anew");
    const rested = await restsInKv(client);
    const anewMs = await loseObjects({ folder, host, client });
    const after = await verify({ ...compared, patienceMs: COUNT_PATIENCE_MS });
    const verdict = {
      ...found,
      lost: [...found.lost, ...after.lost.map(afterRebuild)],
      twice: [...found.twice, ...after.twice.map(afterRebuild)],
      wrong: [
        ...host.unexpected,
        ...found.wrong,
        ...(rested ? [] : ["the logs did not come to rest"]),
        ...after.wrong.filter((text) => !found.wrong.includes(text)).map(afterRebuild),
      ],
    };
    return {
      plan,
      folder,
      books,
      record,
      kv,
      host,
      inPut,
      desk,
      settledMs,
      anewMs,
      verdict,
      close,
      /**
       * Compares once more after one thing has gone wrong: a chunk is gone, or a sender has forgotten a report.
       */
      async sabotage(how: "lose" | "forget") {
        if (how === "lose") loseChunk(kv);
        else forgetReport(books);
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
  return `made anew: ${text}`;
}

/** Resolves to how many kills came in the midst of a put. */
async function strikes(
  kills: readonly Kill[],
  host: Host,
  kv: FaultyKv,
  told: (n: number) => void,
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
    told(i + 1);
  }
  return inPut;
}

/**
 * Resolves to how long it took until every acknowledged body was in the record, null when it took too long.
 */
async function settle(books: Books, record: KvRecord) {
  const beganMs = performance.now();
  // Of what was counted alone, or taken before, there may be no body.
  const wanted = [...books.events].filter(([, { end }]) => end === "accepted").map(([id]) => id);
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
  const key = [...kv.values.keys()].find((key) => key.startsWith("c/"));
  if (key !== undefined) kv.values.delete(key);
}

function forgetReport(books: Books) {
  const [id] = books.events.keys();
  if (id !== undefined) books.events.delete(id);
}

async function sleepUntil(atMs: number) {
  await sleep(Math.max(0, atMs - performance.now()));
}
