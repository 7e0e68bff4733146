/**
 * Facts about the invocation of a Worker, whichever format states them: the tags and the context
 * that the report has. Tags are what issues count by; the context has what is measured.
 */
import type { JsonFields } from "../../core/decode/as-type.ts";

/** An invocation. Absent members are unknown. The order is that of the tags. */
export interface WorkerFacts {
  readonly script?: string | undefined;
  /** `fetch`, `scheduled`, `queue`, `email`, `alarm`, `rpc`, `object-rpc`, `websocket`, `tail`. */
  readonly trigger?: string | undefined;
  /** The class or the named export that ran. */
  readonly entrypoint?: string | undefined;
  /** How the platform ended it: `exceededCpu`. */
  readonly outcome?: string | undefined;
  /** `stateless`, `durableObject`, `workflow`. */
  readonly model?: string | undefined;
  readonly cron?: string | undefined;
  readonly queue?: string | undefined;
  /** The method of an RPC. */
  readonly method?: string | undefined;
  readonly version?: string | undefined;
  readonly namespace?: string | undefined;
  readonly "durable object"?: string | undefined;
  readonly colo?: string | undefined;
}

/** What is measured of an invocation. */
export interface WorkerMeasures {
  readonly cpuMs?: number | undefined;
  readonly wallMs?: number | undefined;
  /** Further members of the context, by the name that a person reads. */
  readonly others?: JsonFields;
}

/** The tags, those first that an issue counts by (`limits.tagsPerSummary`). */
export function toWorkerTags(
  facts: WorkerFacts,
): readonly (readonly [string, string | undefined])[] {
  return Object.entries<string | undefined>({ ...facts }).filter(
    ([, value]) => value !== "ok" && value !== "stateless",
  );
}

/** The members of the context `worker`. Undefined if nothing is known. */
export function toWorkerContext({ cpuMs, wallMs, others }: WorkerMeasures): JsonFields | undefined {
  const measured = { "CPU time": formatTime(cpuMs), "wall time": formatTime(wallMs), ...others };
  const known = Object.entries(measured).filter(([, value]) => value !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

/** Workerd outside Cloudflare measures nothing and writes 0. */
function formatTime(ms: number | undefined): string | undefined {
  return ms === undefined || ms <= 0 ? undefined : `${ms} ms`;
}

/**
 * False for a success, and for what the metrics of Workers count as one: the client left. An object
 * that calls `ctx.abort()` wants to be reset; what it passes is an exception. Source:
 * developers.cloudflare.com › Workers › Metrics and analytics › Invocation statuses.
 */
export function isFailedOutcome(outcome: string): boolean {
  return !["ok", "canceled", "responseStreamDisconnected", "aborted"].includes(outcome);
}

/** Messages of outcomes without an exception. */
const OUTCOME_MESSAGES: ReadonlyMap<string, string> = new Map([
  ["exception", "the Worker threw an exception, and the event does not say which"],
  ["exceededCpu", "the Worker exceeded its CPU time limit"],
  ["exceededMemory", "the Worker exceeded its memory limit"],
  ["exceededWallTime", "the Worker exceeded its wall time limit"],
  ["killSwitch", "Cloudflare has disabled the Worker"],
  ["daemonDown", "the platform could not run the Worker for a moment"],
  ["internalError", "the platform failed, not the Worker"],
  ["loadShed", "the platform was overloaded and did not run the Worker"],
  ["scriptNotFound", "the platform found no script to run"],
]);

/** What an outcome means, for a report without an exception. */
export function describeOutcome(outcome: string): string {
  return OUTCOME_MESSAGES.get(outcome) ?? "the platform ended the Worker, and does not say why";
}
