// The first steps of every measurement.

import { existsSync } from "node:fs";
import { buildOrQuit } from "../build/build.ts";
import { quit } from "../command/quit.ts";
import { endOnSignals } from "../command/signals.ts";
import { describeSetting } from "./setting.ts";

/** Builds the product. Resolves to the conditions of the measurement, before the build. */
export async function prepareMeasurement(): Promise<string> {
  if (!existsSync("/proc/self/schedstat")) {
    quit("This measurement needs Linux: it reads the CPU time of processes from /proc.");
  }
  const setting = describeSetting();
  // Each workerd adds a listener that ends it with this process.
  process.setMaxListeners(0);
  endOnSignals();
  await buildOrQuit();
  return setting;
}
