// CPU time and memory of a process, as Linux accounts for them in /proc.

import { readdirSync, readFileSync } from "node:fs";

const US_PER_TICK = 10_000;

/** The CPU time of a process so far, user and system, in µs. */
export function cpuUs(pid: number): number {
  const fields = readStat(pid);
  return (Number(fields[11]) + Number(fields[12])) * US_PER_TICK;
}

/** The resident memory of a process, in bytes. */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** The highest resident memory of a process so far, in bytes. */
export function peakResidentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** A process and its descendants, by their ids. */
export function listProcesses(pid: number): number[] {
  const children = readdirSync("/proc").filter((name) => {
    return /^\d+$/.test(name) && Number(readParent(name)) === pid;
  });
  return [pid, ...children.flatMap((child) => listProcesses(Number(child)))];
}

/**
 * The fields after the name in brackets, which may contain spaces: the state is the first
 * (proc_pid_stat(5)).
 */
function readStat(pid: number | string): string[] {
  return (readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1) ?? "").split(" ");
}

/** The id of the parent of a process; undefined if the process has ended in the meantime. */
function readParent(pid: string): string | undefined {
  try {
    return readStat(pid)[1];
  } catch {
    return undefined;
  }
}

/**
 * The CPU time of a process so far, in ms: the sum of its threads, exact to the µs. Other programs
 * change it only through shared caches.
 */
export function cpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => sum + threadMs(pid, thread), 0);
}

/**
 * The CPU time of the main thread of a process so far, in ms. In workerd, it runs the Worker and
 * the objects; garbage is partly collected in other threads.
 */
export function mainThreadMs(pid: number): number {
  return threadMs(pid, String(pid));
}

function threadMs(pid: number, thread: string): number {
  const [nanoseconds = "0"] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(
    " ",
  );
  return Number(nanoseconds) / 1e6;
}
