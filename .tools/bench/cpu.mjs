// What a process takes by the operating system's own account, /proc of Linux: CPU time in ticks of 10 ms, and memory.

import { readdirSync, readFileSync } from "node:fs";

const US_PER_TICK = 10_000;

/**
 * The CPU time that a process has taken so far, its own and the kernel's for it, in µs.
 *
 * @param {number} pid
 */
export function cpuUs(pid) {
  // The name in brackets may hold spaces. utime and stime are the 14th and 15th field (proc_pid_stat(5)).
  const fields = (readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1) ?? "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) * US_PER_TICK;
}

/**
 * How much of the machine's memory a process holds, in bytes.
 *
 * @param {number} pid
 */
export function residentBytes(pid) {
  const [, kilobytes] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

/**
 * The id of the process that has `argument` on its command line.
 *
 * @param {string} argument
 */
export function processOf(argument) {
  const pid = readdirSync("/proc").find((name) => {
    return /^\d+$/.test(name) && argumentsOf(name).includes(argument);
  });
  if (pid === undefined) throw new Error(`No process has ${argument} on its command line.`);
  return Number(pid);
}

/** None of a process that has ended meanwhile. @param {string} pid */
function argumentsOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}
