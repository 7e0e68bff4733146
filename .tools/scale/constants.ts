// Measures the constants of the bill: the resources that a report uses at several paces, for known
// and for new issues, on an index that holds many.

import { DAY_SECONDS } from "../bill/amounts.ts";
import {
  type Constants,
  LATENCY_MS,
  type PaceCosts,
  type ReportCost,
  type ReportCosts,
} from "../bill/constants.ts";
import { showProgress } from "../command/progress.ts";
import { waitUntil } from "../command/wait-until.ts";
import { buildCounting } from "../counting/build-counting.ts";
import { countIssuesAfter, type Known, type Spread } from "../reports/spread-events.ts";
import type { Sender } from "../rig/sender.ts";
import { describeSetting } from "../rig/setting.ts";
import { createStore, type Running, type Store } from "../rig/store.ts";
import { toReportCost } from "../rig/usage.ts";
import { countLoad, measureLoad } from "./load.ts";
import { measurePace, type Pace } from "./paces.ts";
import { measurePageUse } from "./pages.ts";
import { addPast } from "./past.ts";
import type { Budget, Plan } from "./plan.ts";
import { describeMostWritten } from "./tables.ts";

/** The factor of the clock's speed while waiting snapshots are written. */
const DRAIN_SPEED = 200;
const MAX_DRAIN_MS = 120_000;
const DRAIN_CHECK_MS = 500;
const DAY_MS = 86_400_000;
const FEW_WAITING = 5;

interface Measurement {
  plan: Plan;
  store: Store;
  /** The file of the measuring build. */
  counting: string;
  sender: Sender;
  print: (line: string) => void;
  /** The number of the next event of a new issue. */
  nextN: number;
}

export async function measureConstants(
  worker: string,
  sender: Sender,
  plan: Plan,
  print: (line: string) => void,
): Promise<Constants> {
  const measured = describeSetting();
  const counting = await buildCounting(worker);
  const store = await createStore({ quietMs: plan.quietMs });
  const one: Measurement = { plan, store, counting, sender, print, nextN: plan.reports };
  try {
    showProgress(`load ${plan.reports} reports`);
    const running = await store.start(worker);
    const range = { from: 0, to: plan.reports, connections: plan.load.connections };
    await measureLoad(running, sender, { kind: "spread", share: plan.share }, range, new Map());
    await running.stop();
    showProgress("snapshots");
    await drain(one);
    const sizes = await measureSizes(one);
    // The writes so far count for another day's budget.
    store.skip(DAY_MS);
    const paces: PaceCosts[] = [];
    for (const pace of plan.paces) paces.push(await measurePaceCosts(one, pace));
    paces.push(await measureFastest(one));
    const freeDay = await measureFreeDay(one);
    showProgress("pages");
    const counted = await store.start(counting);
    const page = await measurePageUse(counted);
    await counted.stop();
    const manyIssues = countIssuesAfter(plan.reports, plan.share);
    return {
      measured,
      ...{ fewIssues: plan.fewIssues, manyIssues, paces, freeDay, ...sizes, page },
    };
  } finally {
    store.delayPuts(0);
    store.remove();
  }
}

/** A pace at which reports arrive one by one. */
async function measurePaceCosts(one: Measurement, pace: Plan["paces"][number]): Promise<PaceCosts> {
  const { perSecond, kvWritesPerDay, past } = pace;
  if (past !== undefined) {
    showProgress(`${past} earlier reports`);
    const running = await startSlow(one, { kvWritesPerDay, speed: 1 });
    await addPast(running, selectKnown(one.plan, "past", one.plan.fewIssues), past);
    await running.settle();
    await running.stop();
  }
  const costs = await measureKinds(one, `${perSecond} a second`, pace, async (running, ask) => {
    const cost = await measurePace(running, ask, one.nextN, pace);
    one.nextN = cost.nextN;
    return toReportCost(cost, cost.cpuMs);
  });
  return { perSecond, kvWritesPerDay, ...costs };
}

/** Events as fast as responses arrive. */
async function measureFastest(one: Measurement): Promise<PaceCosts> {
  const { events, warmUps, perSecond, connections, kvWritesPerDay } = one.plan.load;
  const setting = { kvWritesPerDay, speed: 1 };
  const costs = await measureKinds(one, "load", setting, async (running, ask) => {
    const play = (amount: number) => {
      const from = one.nextN;
      one.nextN += amount;
      return countLoad(running, one.sender, ask, { from, amount, connections });
    };
    await play(warmUps);
    running.takeCpuMs();
    const usage = await play(events);
    return toReportCost(usage, running.takeCpuMs() / events);
  });
  return { perSecond, kvWritesPerDay, ...costs };
}

/** Measures reports of a few known issues, of all of them, and of new ones. */
async function measureKinds(
  one: Measurement,
  label: string,
  setting: Budget & Pick<Pace, "speed">,
  measure: (running: Running, ask: Known | Spread) => Promise<ReportCost>,
): Promise<ReportCosts> {
  const { plan, print } = one;
  const manyIssues = countIssuesAfter(plan.reports, plan.share);
  const asks = {
    few: selectKnown(plan, `${label} few`, plan.fewIssues),
    many: selectKnown(plan, `${label} many`, manyIssues),
    first: { kind: "spread", share: plan.share } as const,
  };
  const costs: Partial<ReportCosts> = {};
  for (const name of ["few", "many", "first"] as const) {
    showProgress(`${label}: ${name}`);
    const running = await startSlow(one, setting);
    const cost = await measure(running, asks[name]);
    print(describeMostWritten(`${label}, ${name}`, await running.takeStatements()));
    print(JSON.stringify(cost));
    await running.stop();
    costs[name] = cost;
  }
  return costs as ReportCosts;
}

async function measureFreeDay(one: Measurement) {
  const { store, plan } = one;
  showProgress("a day of the free plan");
  await drain(one);
  store.skip(DAY_MS - (store.readClock() % DAY_MS));
  const running = await startSlow(one, plan.day);
  const cost = await measurePace(running, selectKnown(plan, "day", plan.fewIssues), 0, plan.day);
  await running.stop();
  const reports = Math.round(plan.day.perSecond * DAY_SECONDS);
  return { reports, cost: toReportCost(cost, cost.cpuMs) };
}

async function measureSizes({ store, counting, plan }: Measurement) {
  const running = await store.start(counting);
  const { health } = await running.client.readJson("/status");
  await running.stop();
  const issues = countIssuesAfter(plan.reports, plan.share);
  return {
    indexBytesPerIssue: health.snapshots.storedBytes / issues,
    logBytesPerReport: health.shards[0].storedBytes / plan.reports,
    snapshotBytesPerIssue: store.sumKvBytes(false) / issues,
  };
}

function selectKnown({ share }: Plan, label: string, issues: number): Known {
  return { kind: "known", share, issues, label };
}

/** Starts the measuring build. From now on KV has its latency. */
async function startSlow(
  { store, counting }: Measurement,
  { speed, kvWritesPerDay }: Budget & Pick<Pace, "speed">,
): Promise<Running> {
  const vars = { ERRATA_KV_WRITES_PER_DAY: String(kvWritesPerDay) };
  const running = await store.start(counting, speed, vars);
  // The first requests compile code, and look for data of the last process.
  for (const path of ["/issues", "/status"]) await running.client.readJson(path);
  store.delayPuts(LATENCY_MS.kvWrite / speed);
  return running;
}

/** Lets the index write every waiting snapshot, with a clock that runs fast. */
async function drain({ store, counting }: Measurement) {
  store.delayPuts(0);
  const running = await store.start(counting, DRAIN_SPEED);
  const isDrained = async () => {
    const status = await running.client.readJson("/status");
    return status?.health?.snapshots.waiting <= FEW_WAITING;
  };
  await waitUntil(isDrained, { maxMs: MAX_DRAIN_MS, everyMs: DRAIN_CHECK_MS });
  await running.stop();
}
