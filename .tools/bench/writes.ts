// Measures the writes of a million reports: KV keys, rows of the objects, bytes; and their bill.

import { computeAmounts } from "../bill/amounts.ts";
import type { Constants, ReportCost } from "../bill/constants.ts";
import { computeBill } from "../bill/prices.ts";
import { workerFile } from "../build/built.ts";
import { showProgress } from "../command/progress.ts";
import { buildCounting } from "../counting/build-counting.ts";
import type { Mix } from "../reports/mix-events.ts";
import type { Sender } from "../rig/sender.ts";
import { createStore } from "../rig/store.ts";
import { computeUsage, toReportCost, type Usage } from "../rig/usage.ts";
import { MANY } from "./cases.ts";
import type { Line } from "./lines.ts";
import { createPlayer } from "./player.ts";

const MEASURED: readonly Mix[] = ["storm", "mixed", "distinct"];
const ROUNDS_PER_MIX = 6;

/** The use of each report of a mix. */
export interface Written extends Usage {
  mix: Mix;
  /** The bytes in KV at the end. */
  kvBytes: number;
  usdAtMillion: number;
  usdAtBillion: number;
}

interface Options {
  sender: Sender;
  /** The seconds of load of a round. */
  seconds: number;
  /** The figures of the rounds: the bill needs the CPU time of a report. */
  lines: readonly Line[];
}

export async function measureWrites({ sender, seconds, lines }: Options) {
  const ms = ROUNDS_PER_MIX * seconds * 1000;
  const counting = await buildCounting(workerFile);
  const written: Written[] = [];
  for (const mix of MEASURED) {
    showProgress(`writes: ${mix}`);
    const store = await createStore();
    const running = await store.start(counting);
    // The first snapshots of new issues are written at once. Only the steady rate after them
    // counts.
    const player = createPlayer(sender, running.port, { kind: "event", mix });
    await player.warmUp(MANY, ms / 2);
    await running.rest();
    const before = await running.readUsage();
    const { answered } = await player.play(MANY, ms, player.computeAmount(MANY, ms));
    await running.rest();
    const used = computeUsage(before, await running.readUsage(), answered);
    await running.stop();
    const all = player.sents.reduce((sum, sent) => sum + sent.answered, 0);
    const kvBytes = (store.sumKvBytes(true) + store.sumKvBytes(false)) / all;
    store.remove();
    const line = lines.findLast(({ name, of }) => name === mix && of === "this");
    const cost = toReportCost({ ...used, chunkBytes: kvBytes }, (line?.cpuUs ?? 0) / 1000);
    const constants = createConstants(cost);
    const [usdAtMillion = 0, usdAtBillion = 0] = [1e6, 1e9].map(
      (reports) =>
        computeBill(computeAmounts({ pattern: "storm", reports, issues: 1 }, constants)).usd,
    );
    written.push({ ...used, mix, kvBytes, usdAtMillion, usdAtBillion });
  }
  return written;
}

/** Assumes that each cost is the same at any pace, and leaves reads of KV out. */
function createConstants(measured: ReportCost): Constants {
  const cost = { ...measured, kvReads: 0 };
  return {
    ...{ measured: "", fewIssues: 0, manyIssues: 0 },
    paces: [{ perSecond: 1, kvWritesPerDay: 1e9, few: cost, many: cost, first: cost }],
    freeDay: { reports: 0, cost },
    ...{ indexBytesPerIssue: 0, logBytesPerReport: 0, snapshotBytesPerIssue: 0 },
    page: { cpuMs: 0, rowsRead: 0, objectRequests: 0, kvReads: 0 },
  };
}
