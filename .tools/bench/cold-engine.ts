// Measures the first events of a new process, before the engine has compiled code: on the platform,
// isolates are rarely warm. Alternates between plain workerd and `npm start`.

import { showProgress } from "../command/progress.ts";
import { computeMedian, computeRatio, type Ratio } from "../command/statistics.ts";
import { type Rig, startRig, startServed } from "../rig/rig.ts";
import type { Sender } from "../rig/sender.ts";
import { MANY } from "./cases.ts";
import { createPlayer } from "./player.ts";

const PROCESSES = 5;
const EVENTS = 2_000;
/** The player ends a run that takes several times as long. */
const PLANNED_MS = 15_000;

export interface ColdEngine {
  events: number;
  /** CPU time of each event, including the work after its response. */
  plainUs: number;
  startUs: number;
  /** `npm start` as a multiple of plain workerd. */
  ratio: Ratio | null;
}

export async function measureColdEngine(sender: Sender): Promise<ColdEngine> {
  const plain: number[] = [];
  const start: number[] = [];
  for (let nth = 1; nth <= PROCESSES; nth++) {
    showProgress(`cold engine, process ${nth} of ${PROCESSES}`);
    plain.push(await measureFirstEvents(await startRig(), sender));
    start.push(await measureFirstEvents(await startServed(), sender));
  }
  return {
    events: EVENTS,
    plainUs: computeMedian(plain),
    startUs: computeMedian(start),
    ratio: computeRatio(start, plain),
  };
}

/** CPU µs of each of the first events, without the start of the process. */
async function measureFirstEvents(rig: Rig, sender: Sender): Promise<number> {
  rig.takeCpuMs();
  const player = createPlayer(sender, rig.port, { kind: "event", mix: "mixed" });
  const { answered } = await player.play(MANY, PLANNED_MS, EVENTS);
  await rig.rest();
  const cpuUs = (rig.takeCpuMs() * 1000) / answered;
  await rig.stop();
  return cpuUs;
}
