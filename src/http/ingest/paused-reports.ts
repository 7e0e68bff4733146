/**
 * Counts the requests that a paused key refused, in the memory of the isolate: each count would
 * cost a row, and a flood has many. They are written with the first request of a minute.
 */
import type { Services } from "../context.ts";

const INTERVAL_MS = 60_000;

interface RefusedRequests {
  count: number;
  writtenMs: number;
}

/** By project. */
const refused = new Map<string, RefusedRequests>();

/** Counts a refused request. `services` are those of the project. */
export function countRefused({
  config,
  reportWriter,
  nowMs,
  waitUntil,
  logProblem,
}: Services): void {
  const known = refused.get(config.project) ?? { count: 0, writtenMs: 0 };
  refused.set(config.project, known);
  known.count += 1;
  // The clock can be set back.
  if (Math.abs(nowMs() - known.writtenMs) < INTERVAL_MS) return;
  const { count } = known;
  [known.count, known.writtenMs] = [0, nowMs()];
  const written = reportWriter.append([], [[["dropped", "body", "key-paused"], count]]);
  waitUntil(written.catch(logProblem));
}
