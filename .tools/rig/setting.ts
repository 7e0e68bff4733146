import { availableParallelism, loadavg } from "node:os";

/**
 * The conditions of a measurement that begins:
 * `22 November 2026, 2 cores, load average 0.3 at the beginning`.
 */
export function describeSetting(): string {
  const day = new Date().toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
  const [load = 0] = loadavg();
  return `${day}, ${availableParallelism()} cores, load average ${load.toFixed(1)} at the beginning`;
}
