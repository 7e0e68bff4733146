// The conditions of a measurement.

import { availableParallelism, loadavg } from "node:os";

/** `load` is the system's load average of the last minute. */
export interface Setting {
  date: string;
  cores: number;
  load: number;
}

export function settingNow(): Setting {
  const [load = 0] = loadavg();
  return { date: new Date().toISOString().slice(0, 10), cores: availableParallelism(), load };
}

/** `22 November 2026, 2 cores, load average 0.3 at the beginning`. */
export function describeSetting({ date, cores, load }: Setting): string {
  const day = new Date(date).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
  return `${day}, ${cores} cores, load average ${load.toFixed(1)} at the beginning`;
}
