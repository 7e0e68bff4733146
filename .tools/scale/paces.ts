// Measures the use of a report at a given pace, one at a time or many a second.

import { setTimeout as sleep } from "node:timers/promises";
import { eventOf, type Known, type Spread } from "./events.ts";
import { type Running, type Usage, usedBetween } from "./store.ts";

/** Reports that come at equal distances. `speed` is that of the Worker's clock. */
export interface Pace {
  perSecond: number;
  speed: number;
  /**
   * How long it is measured, by the Worker's clock, and how long reports come at this pace before:
   * the first snapshots of a pause are written at once.
   */
  seconds: number;
  warmUpSeconds: number;
  /** By default the work behind the last answers counts. */
  rests?: boolean;
}

/** Usage of each report, with the CPU time. */
type PaceCost = Usage & { cpuMs: number; nextN: number };

/** Sends events at a pace, whether or not earlier ones are answered, and counts what they use. */
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
  const before = await running.usage();
  running.cpuMs();
  const reports = Math.max(1, Math.round(perSecond * seconds));
  await sendAt(running, ask, firstN + warmUps, reports, pace);
  if (rests) await running.settle();
  const cpuMs = running.cpuMs() / reports;
  const used = usedBetween(before, await running.usage(), reports);
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
    answers.push(postUntilAnswered(client, eventOf(ask, firstN + n).body));
  }
  const statuses = await Promise.all(answers);
  const refused = statuses.filter((status) => status !== 200);
  if (refused.length > 0) throw new Error(`${refused.length} events were answered ${refused[0]}.`);
  await sleep(Math.max(0, due(reports)));
}

const ATTEMPTS = 5;

/** Like SDKs, it sends an event again if there was no response: a busy machine may pause. */
async function postUntilAnswered(client: Running["client"], body: string): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const { status } = await client.post(body);
    if (status !== 0 || attempt === ATTEMPTS) return status;
  }
}
