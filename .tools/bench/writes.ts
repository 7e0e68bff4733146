// Measures the writes of a million reports: KV keys, rows of the objects, bytes; and their bill.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Constants, computeMonthBill, type ReportCost } from "../bill/bill.ts";
import { progress } from "../command/progress.ts";
import { createClient } from "../rig/client.ts";
import { COUNTERS_PATH, type Counters, writeCounting } from "../rig/counting.ts";
import type { Mix } from "../rig/requests.ts";
import { startRig } from "../rig/rig.ts";
import type { Sender } from "../rig/sender.ts";
import type { FaultyKv } from "../torture/faulty-kv.ts";
import { readBindings } from "../workerd/bindings.ts";
import { MANY } from "./cases.ts";
import { createPlayer } from "./player.ts";
import type { Line } from "./rounds.ts";

const MEASURED: readonly Mix[] = ["storm", "mixed", "distinct"];
const ROUNDS_PER_MIX = 6;

/** The writes per report of a mix. */
export interface Written extends Counters {
  mix: Mix;
  reports: number;
  chunkPuts: number;
  snapshotPuts: number;
  /** The bytes in KV at the end. */
  kvBytes: number;
  usdAtMillion: number;
  usdAtBillion: number;
}

interface Options {
  worker: string;
  tree: string;
  sender: Sender;
  /** The seconds of load of a round. */
  seconds: number;
  /** The figures of the rounds: the bill needs the CPU time of a report. */
  lines: readonly Line[];
}

export async function writes({ worker, tree, sender, seconds, lines }: Options) {
  const ms = ROUNDS_PER_MIX * seconds * 1000;
  const folder = mkdtempSync(join(tmpdir(), "errata-bench-"));
  const counting = join(folder, "counting.js");
  const classes = (await readBindings(tree)).objects.map(({ className }) => className);
  await writeCounting(worker, classes, counting);
  const written: Written[] = [];
  for (const mix of MEASURED) {
    progress(`writes: ${mix}`);
    const rig = await startRig(counting, tree);
    const client = createClient(() => rig.port);
    const { values, figures } = rig.kv as FaultyKv;
    const countersNow = async () => {
      const counters: Counters = await client.json(COUNTERS_PATH);
      const chunkPuts = [...values.keys()].filter((key) => key.startsWith("chunk/")).length;
      return { ...counters, chunkPuts, snapshotPuts: figures.puts - chunkPuts };
    };
    // The first snapshots of new issues are written at once. Only the steady rate after them
    // counts.
    const player = createPlayer(sender, rig.port, { kind: "event", mix });
    await player.warmUp(MANY, ms / 2);
    await rig.rest();
    const before = await countersNow();
    const { answered } = await player.play(MANY, ms, player.amountFor(MANY, ms));
    await rig.rest();
    const after = await countersNow();
    client.close();
    await rig.stop();
    const each = Object.fromEntries(
      Object.entries(after).map(([name, count]) => {
        return [name, (count - before[name as keyof typeof before]) / answered];
      }),
    ) as typeof after;
    const all = player.sents.reduce((sum, sent) => sum + sent.answered, 0);
    const bytes = [...values].reduce(
      (sum, [key, value]) => sum + key.length + value.bytes.length + (value.metadata?.length ?? 0),
      0,
    );
    const line = lines.findLast(({ name, of }) => name === mix && of === "this");
    const kvBytes = bytes / all;
    const constants = createConstants({
      ...each,
      cpuMs: (line?.cpuUs ?? 0) / 1000,
      kvReads: 0,
      kvWrites: each.chunkPuts + each.snapshotPuts,
      chunkBytes: kvBytes,
    });
    const usdAt = (reports: number) =>
      computeMonthBill({ pattern: "storm", reports, issues: 1 }, constants).usd;
    written.push({
      ...{ mix, reports: answered, ...each, kvBytes },
      usdAtMillion: usdAt(1e6),
      usdAtBillion: usdAt(1e9),
    });
  }
  rmSync(folder, { recursive: true, force: true });
  return written;
}

/** Assumes that each cost is the same at any pace. */
function createConstants(cost: ReportCost): Constants {
  return {
    ...{ measured: "", fewIssues: 0, manyIssues: 0 },
    paces: [{ perSecond: 1, kvWritesPerDay: 1e9, few: cost, many: cost, first: cost }],
    freeDay: { reports: 0, cost },
    ...{ indexBytesPerIssue: 0, logBytesPerReport: 0, snapshotBytesPerIssue: 0 },
    page: { cpuMs: 0, rowsRead: 0, objectRequests: 0, kvReads: 0 },
  };
}
