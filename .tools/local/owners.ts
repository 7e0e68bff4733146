// The processes that use a data folder, a line for each: its id and, on Linux, when it started.

import { readFileSync } from "node:fs";

/** The line of a process. */
export function describeOwner(pid: number): string {
  return [pid, readStat(pid)?.startedAt].filter((part) => part !== undefined).join(" ");
}

/**
 * The first other process of these lines that is running; undefined without one. A new process may
 * have the id of one that ended, for example after a reboot. A process that was killed keeps its id
 * until its parent reads its exit code, which the first process of a container may never do.
 */
export function findOwner(lines: string): number | undefined {
  return lines
    .trim()
    .split("\n")
    .map((line) => line.split(" "))
    .find(([pid, startedAt]) => isRunning(Number(pid), startedAt))
    ?.map(Number)[0];
}

function isRunning(pid: number, startedAt: string | undefined): boolean {
  if (pid === process.pid || !hasProcess(pid)) return false;
  const stat = readStat(pid);
  if (stat === undefined) return true;
  return stat.state !== "Z" && (startedAt === undefined || startedAt === stat.startedAt);
}

function hasProcess(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** The state of a process and its start, in clock ticks since the boot. Undefined outside Linux. */
function readStat(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // proc_pid_stat(5): fields 3 and 22. The name before them may contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0], startedAt: fields[19] };
  } catch {
    return undefined;
  }
}
