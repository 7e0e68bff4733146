// Setup file of the `core` and `worker` projects: `Date` begins at `START_MS` and goes on from it,
// whatever the machine's clock shows. The files of a process share its clock.

import { START_MS } from "./clock.ts";

/** Kept with the global that it describes, because files may load this module again. */
const ahead = Symbol.for("errata.tests.clock-ahead-ms");
const shared = globalThis as { [ahead]?: number };

if (shared[ahead] === undefined) shared[ahead] = replaceDate();

/** Converts a time of the tests to the machine's time, by which workerd runs alarms. */
export function toMachineMs(atMs: number): number {
  return atMs - (shared[ahead] ?? 0);
}

/** Replaces the global `Date`; returns by how many ms it is ahead of the machine's. */
function replaceDate(): number {
  const MachineDate = Date;
  const readMachineMs = Date.now.bind(Date);
  // Whole seconds, the unit of KV's expirations.
  const aheadMs = START_MS - Math.floor(readMachineMs() / 1000) * 1000;
  MachineDate.now = () => readMachineMs() + aheadMs;
  globalThis.Date = new Proxy(MachineDate, {
    apply: (target) => new target(target.now()).toString(),
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [target.now()] : args, newTarget),
  });
  return aheadMs;
}
