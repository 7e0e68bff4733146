// How long requests wait while an object fills new columns: the upgrade of the rehearsed store from
// release 1 to 4 with two backfills, and a request every 20 ms.

import { setTimeout as sleep } from "node:timers/promises";
import { createRehearsal, type Rehearsal } from "../../tests/support/upgrade/rehearsal.ts";
import { showProgress } from "../command/command-line.ts";
import { computeQuantile, formatShort, formatTable, formatWhole } from "../command/figures.ts";
import { readThreadMs } from "../rig/processes.ts";

const SIZES = [200_000, 1_000_000];
const ROWS_PER_CALL = 50_000;
const EVERY_MS = 20;
/** No limit of rows a day. */
const VARS = { ERRATA_KV_WRITES_PER_DAY: "1000000000" };
const HEADS = ["p50 ms", "p99 ms", "max ms", "max CPU ms", "first request, ms", "total s"];

/** The times of requests during a backfill of each size, as a table. */
export async function measureBackfill(): Promise<string[]> {
  const rehearsal = await createRehearsal();
  const rows: string[][] = [];
  for (const size of SIZES) rows.push(await measure(rehearsal, size));
  rehearsal.remove();
  return formatTable(["a backfill", ...HEADS], rows);
}

async function measure(rehearsal: Rehearsal, size: number): Promise<string[]> {
  const title = `${formatWhole(size)} rows`;
  showProgress(`backfill of ${title}`);
  const store = rehearsal.createStore();
  const older = await rehearsal.start(store, 1);
  for (let n = 0; n < size; n += ROWS_PER_CALL) await older.call("1", "fillMany", ROWS_PER_CALL);
  await older.kill();
  const newer = await rehearsal.start(store, 4, VARS);
  /** The time of a call, and how long the main thread worked in it: without other programs. */
  const time = async (method: string, ...args: unknown[]) => {
    const [beganMs, beganCpuMs] = [performance.now(), readThreadMs(newer.pid, `${newer.pid}`)];
    await newer.call("1", method, ...args);
    const cpuMs = readThreadMs(newer.pid, `${newer.pid}`) - beganCpuMs;
    return { ms: performance.now() - beganMs, cpuMs };
  };
  const first = await time("getVersion");
  let isFilled = false;
  const filled = time("waitUntilFilled").finally(() => {
    isFilled = true;
  });
  const sent: ReturnType<typeof time>[] = [];
  for (; !isFilled; await sleep(EVERY_MS)) sent.push(time("append", `line ${sent.length}`));
  const requests = await Promise.all(sent);
  const [ms, cpuMs] = [requests.map((one) => one.ms), requests.map((one) => one.cpuMs)];
  const { ms: totalMs } = await filled;
  await newer.kill();
  const waits = [computeQuantile(ms, 0.5), computeQuantile(ms, 0.99), Math.max(...ms)];
  const figures = [...waits, Math.max(...cpuMs), first.ms, totalMs / 1_000];
  return [title, ...figures.map(formatShort)];
}
