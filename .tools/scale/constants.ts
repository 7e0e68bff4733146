// Measures the constants of the bill: the resources that a report uses at several paces, for known
// and for new issues, on an index that holds many.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Constants,
  DAY_SECONDS,
  LATENCY_MS,
  type PaceCosts,
  type ReportCost,
} from "../bill/bill.ts";
import { progress } from "../command/progress.ts";
import { root } from "../install.mjs";
import { issuesAfter, type Known, type Spread } from "../reports/spread-events.ts";
import { type Statement, writeCounting } from "../rig/counting.ts";
import type { Sender } from "../rig/sender.ts";
import { describeSetting, settingNow } from "../rig/setting.ts";
import { createStore, type Running, type Store, type Usage } from "../rig/store.ts";
import { readBindings } from "../workerd/bindings.ts";
import { countLoad, load } from "./load.ts";
import { measurePace, type Pace } from "./paces.ts";
import { measurePageUse } from "./pages.ts";
import { addPast } from "./past.ts";

/** The parts of the measurement. The load sends as fast as responses arrive. */
interface Plan {
  reports: number;
  share: number;
  fewIssues: number;
  paces: readonly (Pace & Budget & { past?: number })[];
  /** A day of the free plan. */
  day: Pace & Budget;
  /** The parameter of `createStore`. */
  quietMs?: number;
  /** Events of the load, which counts as this pace. */
  load: Budget & { events: number; warmUps: number; perSecond: number; connections: number };
}

/** `ERRATA_KV_WRITES_PER_DAY`, which determines how long a chunk waits for more reports. */
interface Budget {
  kvWritesPerDay: number;
}

/** A large part of the two million reports that each of 500 issues has in such a month. */
const PAST = 20_000;
const SLOW: Budget = { kvWritesPerDay: 33_000 };
const FAST: Budget = { kvWritesPerDay: 300_000 };

/**
 * The paces: a million reports a month, ten million, a billion over four shards. The budgets are
 * those of src/docs/limits-and-costs.md: what the paid plan includes, and nine times as much.
 */
export const WHOLE_PLAN: Omit<Plan, "reports"> = {
  share: 1,
  fewIssues: 500,
  paces: [
    { ...SLOW, perSecond: 0.386, speed: 8, seconds: 240, warmUpSeconds: 30 },
    { ...SLOW, perSecond: 3.86, speed: 2, seconds: 40, warmUpSeconds: 20 },
    // Runs as long as the index stages changes at this pace; slowly, as the machine may be busy.
    { ...FAST, perSecond: 96, speed: 1 / 2, seconds: 48, warmUpSeconds: 4, past: PAST },
  ],
  // Ends before midnight, because the next day has a new budget.
  day: {
    ...{ perSecond: 3_000 / 86_400, speed: 288, seconds: 82_800, warmUpSeconds: 0, rests: false },
    kvWritesPerDay: 950,
  },
  load: { ...FAST, events: 10_000, warmUps: 1_000, perSecond: 500, connections: 32 },
};

/** The factor of the clock's speed while waiting snapshots are written. */
const DRAIN_SPEED = 200;
const MAX_DRAIN_MS = 120_000;
const DRAIN_CHECK_MS = 500;
const DAY_MS = 86_400_000;
const FEW_WAITING = 5;

export async function measureConstants(
  worker: string,
  sender: Sender,
  plan: Plan,
  print: (line: string) => void,
): Promise<Constants> {
  const setting = settingNow();
  const folder = mkdtempSync(join(tmpdir(), "errata-scale-"));
  const classes = (await readBindings(root)).objects.map(({ className }) => className);
  const counting = join(folder, "counting.js");
  await writeCounting(worker, classes, counting);
  const spread: Spread = { kind: "spread", share: plan.share };
  const store = await createStore(plan.quietMs);
  try {
    progress(`load ${plan.reports} reports`);
    const running = await store.start(worker);
    const range = { from: 0, to: plan.reports, connections: plan.load.connections };
    await load(running, sender, spread, range, new Map());
    await running.stop();
    progress("snapshots");
    await drain(store, counting);
    const sizes = await measureSizes(store, counting, plan);
    // The writes so far count for another day's budget.
    store.skip(DAY_MS);

    let firstN = plan.reports;
    const manyIssues = issuesAfter(plan.reports, plan.share);
    const known = (label: string, issues: number): Known => {
      return { kind: "known", share: plan.share, issues, label };
    };
    const asks = (label: string) =>
      [
        ["few", known(`${label} few`, plan.fewIssues)],
        ["many", known(`${label} many`, manyIssues)],
        ["first", spread],
      ] as const;
    const paces: PaceCosts[] = [];
    for (const pace of plan.paces) {
      const { perSecond, kvWritesPerDay } = pace;
      const costs: Partial<PaceCosts> = { perSecond, kvWritesPerDay };
      if (pace.past !== undefined) {
        progress(`${pace.past} earlier reports`);
        const running = await startSlow(store, counting, { ...pace, speed: 1 });
        await addPast(running, known("past", plan.fewIssues), pace.past);
        await running.settle();
        await running.stop();
      }
      for (const [name, ask] of asks(String(pace.perSecond))) {
        progress(`${pace.perSecond} a second: ${name}`);
        const counted = await startSlow(store, counting, pace);
        const cost = await measurePace(counted, ask, firstN, pace);
        print(mostWritten(`${pace.perSecond} a second, ${name}`, await counted.statements()));
        await counted.stop();
        firstN = cost.nextN;
        costs[name] = toReportCost(cost);
        print(JSON.stringify(costs[name]));
      }
      paces.push(costs as PaceCosts);
    }
    const { events, warmUps, perSecond, connections, kvWritesPerDay } = plan.load;
    const costs: Partial<PaceCosts> = { perSecond, kvWritesPerDay };
    for (const [name, ask] of asks("load")) {
      progress(`load: ${name}`);
      const counted = await startSlow(store, counting, { ...plan.load, speed: 1 });
      await countLoad(counted, sender, ask, { from: firstN, amount: warmUps, connections });
      firstN += warmUps;
      counted.cpuMs();
      const range = { from: firstN, amount: events, connections };
      const usage = await countLoad(counted, sender, ask, range);
      costs[name] = toReportCost({ ...usage, cpuMs: counted.cpuMs() / events });
      print(JSON.stringify(costs[name]));
      print(mostWritten(`load, ${name}`, await counted.statements()));
      await counted.stop();
      firstN += events;
    }
    paces.push(costs as PaceCosts);
    progress("a day of the free plan");
    await drain(store, counting);
    store.skip(DAY_MS - (store.now() % DAY_MS));
    const free = await startSlow(store, counting, plan.day);
    const day = await measurePace(free, known("day", plan.fewIssues), 0, plan.day);
    await free.stop();
    const reports = Math.round(plan.day.perSecond * DAY_SECONDS);
    const freeDay = { reports, cost: toReportCost(day) };
    progress("pages");
    const counted = await store.start(counting);
    const page = await measurePageUse(counted);
    await counted.stop();
    return {
      measured: describeSetting(setting),
      ...{ fewIssues: plan.fewIssues, manyIssues, paces, freeDay, ...sizes, page },
    };
  } finally {
    store.kv.putMs = 0;
    store.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From now on KV has its latency. */
async function startSlow(
  store: Store,
  file: string,
  { speed, kvWritesPerDay }: Budget & Pick<Pace, "speed">,
): Promise<Running> {
  const vars = { ERRATA_KV_WRITES_PER_DAY: String(kvWritesPerDay) };
  const running = await store.start(file, speed, vars);
  // The first requests compile code, and look for data of the last process.
  for (const path of ["/issues", "/status"]) await running.client.json(path);
  store.kv.putMs = LATENCY_MS.kvWrite / speed;
  return running;
}

/** Lets the index write every waiting snapshot, with a clock that runs fast. */
async function drain(store: Store, file: string) {
  store.kv.putMs = 0;
  const running = await store.start(file, DRAIN_SPEED);
  const untilMs = performance.now() + MAX_DRAIN_MS;
  while (performance.now() < untilMs) {
    const status = await running.client.json("/status");
    if (status?.health?.snapshots.waiting <= FEW_WAITING) break;
    await sleep(DRAIN_CHECK_MS);
  }
  await running.stop();
}

async function measureSizes(store: Store, file: string, { reports, share }: Plan) {
  const running = await store.start(file);
  const { health } = await running.client.json("/status");
  await running.stop();
  const issues = issuesAfter(reports, share);
  return {
    indexBytesPerIssue: health.snapshots.storedBytes / issues,
    logBytesPerReport: health.shards[0].storedBytes / reports,
    snapshotBytesPerIssue: store.kvBytes(false) / issues,
  };
}

function toReportCost(usage: Usage & { cpuMs: number }): ReportCost {
  const { cpuMs, rowsRead, rowsWritten, betweenObjects, alarms, activeMs, reads, writes } = usage;
  const { chunkBytes } = usage;
  const cost = {
    ...{ cpuMs, rowsRead, rowsWritten, betweenObjects, alarms, activeMs },
    ...{ kvReads: reads, kvWrites: writes, chunkBytes },
  };
  const rounded = Object.entries(cost).map(([name, figure]) => [name, round(figure)]);
  return Object.fromEntries(rounded) as unknown as ReportCost;
}

/** Rounds to four digits, the precision of the measurement. */
function round(figure: number): number {
  return Number(figure.toPrecision(4));
}

const SHOWN = 8;

/** The statements that wrote the most rows, as shares of all. */
function mostWritten(name: string, statements: readonly Statement[]): string {
  const all = statements.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0);
  const most = [...statements].sort((a, b) => b.rowsWritten - a.rowsWritten).slice(0, SHOWN);
  const lines = most.map(({ sql, rowsWritten }) => {
    const share = `${Math.round((100 * rowsWritten) / all)} %`.padStart(6);
    return `${share}  ${sql.replace(/\s+/g, " ").trim().slice(0, 100)}`;
  });
  return [`${name}: rows written by`, ...lines].join("\n");
}
