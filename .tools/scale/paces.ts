// Measures the resources that a report uses at a given pace, from single reports to many a second.

import { setTimeout as sleep } from "node:timers/promises";
import { createEvent, type Known, type Spread } from "../reports/spread-events.ts";
import type { Running } from "../rig/store.ts";
import { computeUsage, type Usage } from "../rig/usage.ts";

/** Reports at equal intervals. `speed` is that of the Worker's clock. */
export interface Pace {
  perSecond: number;
  speed: number;
  /**
   * The time of the measurement, by the Worker's clock, and the time before it in which reports
   * come at this pace, because the first snapshots after a pause are written at once.
   */
  seconds: number;
  warmUpSeconds: number;
  /** Includes the work after the last responses, by default. */
  rests?: boolean;
}

/** The use of each report, with the CPU time. */
type PaceCost = Usage & { cpuMs: number; nextN: number };

/** Sends events at a pace, without waiting for responses, and counts their use. */
export async function measurePace(
  running: Running,
  ask: Spread | Known,
  firstN: number,
  pace: Pace,
): Promise<PaceCost> {
  const { perSecond, seconds, warmUpSeconds, rests = true } = pace;
  const warmUps = Math.round(perSecond * warmUpSeconds);
  await running.rest();
  await sendAt(running, ask, firstN, warmUps, pace);
  const before = await running.readUsage();
  running.takeCpuMs();
  const reports = Math.max(1, Math.round(perSecond * seconds));
  await sendAt(running, ask, firstN + warmUps, reports, pace);
  if (rests) await running.settle();
  const cpuMs = running.takeCpuMs() / reports;
  const used = computeUsage(before, await running.readUsage(), reports);
  return { ...used, cpuMs, nextN: firstN + warmUps + reports };
}

async function sendAt(
  { client }: Running,
  ask: Spread | Known,
  firstN: number,
  reports: number,
  { perSecond, speed }: Pace,
) {
  const beganMs = performance.now();
  const due = (n: number) => beganMs + (n * 1000) / perSecond / speed - performance.now();
  const answers: Promise<number>[] = [];
  for (let n = 0; n < reports; n++) {
    if (due(n) > 0) await sleep(due(n));
    answers.push(postUntilAnswered(client, createEvent(ask, firstN + n).body));
  }
  const statuses = await Promise.all(answers);
  const refused = statuses.filter((status) => status !== 200);
  if (refused.length > 0) throw new Error(`${refused.length} events were answered ${refused[0]}.`);
  await sleep(Math.max(0, due(reports)));
}

const ATTEMPTS = 5;

/** Like SDKs, resends an event without a response: a busy machine may pause. */
async function postUntilAnswered(client: Running["client"], body: string): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const { status } = await client.post(body);
    if (status !== 0 || attempt === ATTEMPTS) return status;
  }
}
