// Starts programs as if it were another time. The machine's clock stays as it is.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { createTemporaryFolder } from "../command/command-line.ts";

const DAY_MS = 86_400_000;
/** Between the start of a program and its first look at the clock. */
const MAX_START_MS = 10_000;
const SOURCE = join(import.meta.dirname, "shift-clock.c");

/**
 * Decodes `+40d` (days from now) or a later time such as `2026-11-30T23:59Z`; returns ms since
 * 1970. Throws a sentence for the user. workerd refuses days before its compatibility date.
 */
export function decodeTime(text: string, nowMs: number): number {
  const days = /^\+(\d{1,5})d$/.exec(text)?.[1];
  const atMs = days === undefined ? decodeMinute(text) : nowMs + Number(days) * DAY_MS;
  if (atMs >= nowMs) return atMs;
  throw new Error(`"${text}" is not a time from now on: write +40d or 2026-11-30T23:59Z.`);
}

/** NaN if the text is no minute of the calendar. */
function decodeMinute(text: string): number {
  const atMs = /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/.test(text) ? Date.parse(text) : Number.NaN;
  const isOfCalendar =
    !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text.slice(0, -1));
  return isOfCalendar ? atMs : Number.NaN;
}

/**
 * Returns the variables of a program, and of all that it starts, whose clock is `aheadMs` ahead of
 * that of this process, which may be shifted itself. Throws a sentence for the user if this machine
 * cannot do that: it needs Linux and a C compiler.
 */
export function createClockEnv(aheadMs: number): Record<string, string> {
  if (process.platform !== "linux") throw new Error("Only Linux can run programs at another time.");
  const ownAheadS = process.env.ERRATA_CLOCK_AHEAD_S;
  if (ownAheadS !== undefined)
    return { ERRATA_CLOCK_AHEAD_S: String(Number(ownAheadS) + Math.round(aheadMs / 1000)) };
  const library = join(createTemporaryFolder(), "shift-clock.so");
  try {
    execFileSync("cc", ["-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, SOURCE]);
  } catch (error) {
    throw new Error(`A C compiler is needed (the command cc): ${String(error)}`);
  }
  const env = {
    LD_PRELOAD: [library, process.env.LD_PRELOAD].filter(Boolean).join(" "),
    ERRATA_CLOCK_AHEAD_S: String(Math.round(aheadMs / 1000)),
  };
  const shown = execFileSync(process.execPath, ["-p", "Date.now()"], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  if (Math.abs(Number(shown) - aheadMs - Date.now()) > MAX_START_MS) {
    throw new Error(`The clock of Node cannot be shifted on this machine: it shows ${shown}`);
  }
  return env;
}
