// What a result must be read with: when it was measured, on how many cores, and how busy they were with other things.

import { availableParallelism, loadavg } from "node:os";

/** @typedef {{ date: string, cores: number, load: number }} Setting `load` is the system's load average of the last minute */

/** As it is now. @returns {Setting} */
export function settingNow() {
  const [load = 0] = loadavg();
  return { date: new Date().toISOString().slice(0, 10), cores: availableParallelism(), load };
}

/** `22 November 2026, 2 cores, load average 0.3 at the beginning`. @param {Setting} setting */
export function sentenceOf({ date, cores, load }) {
  const day = new Date(date).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
  return `${day}, ${cores} cores, load average ${load.toFixed(1)} at the beginning`;
}
