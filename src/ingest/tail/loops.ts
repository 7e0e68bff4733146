/**
 * Recognizes failures that repeat themselves, so that one loop becomes one issue and not thousands
 * of reports:
 *
 * - a *runaway alarm* fails and is retried again and again, or sets itself to a time that has
 *   passed, so that it runs without a pause;
 * - a *log loop* is a tail consumer that receives its own events, or one invocation that logs the
 *   same error line again and again.
 *
 * One delivery of events shows an alarm once, so the consumer remembers what it has seen.
 */
import { asNumber } from "../../core/decode/as-type.ts";
import { toNeutralText } from "../../core/grouping/v1/neutral-text.ts";
import { readProperty, readString } from "../../core/read-property.ts";
import { formatErrorLog, getFirstLine, readList } from "./log-lines.ts";
import { findTrigger, type TailException } from "./tail-report.ts";

/** The first argument with which Errata logs that it could not store events. */
export const TAIL_FAILURE = "tail: events could not be stored";

/** A loop is reported once in this time. */
const REPORT_INTERVAL_MS = 600_000;
/** Cloudflare retries a failed alarm after 2 s, then after twice the time, at most 6 times. */
const RUNAWAY_FAILURES = 3;
/** Failures with a longer pause between them are not retries. */
const MAX_RETRY_PAUSE_MS = 600_000;
/** Runs beyond those that an alarm may have a second are a loop at this number: a game needs one. */
const RUNAWAY_RUNS = 50;
const RUNS_PER_SECOND = 2;
/** Equal error lines of one invocation that are a loop. */
const LOOP_LINES = 20;
/** Objects and loops that are remembered. Old ones are forgotten first. */
const MAX_REMEMBERED = 1_000;

interface AlarmRuns {
  /** Failures since the last success. */
  readonly failures: number;
  /** Runs beyond those that are allowed, at `lastMs`. */
  readonly runs: number;
  readonly lastMs: number;
}

/** What a tail consumer has seen. Bounded; an isolate keeps one. */
export class LoopMemory {
  readonly #alarms = new Map<string, AlarmRuns>();
  readonly #reportedMs = new Map<string, number>();

  /** Adds a run of the alarm of one object, which `key` names. */
  addRun(key: string, atMs: number, isFailed: boolean): { failures: number; isRepeating: boolean } {
    const before = this.#alarms.get(key) ?? { failures: 0, runs: 0, lastMs: 0 };
    const pauseMs = Math.abs(atMs - before.lastMs);
    const allowed = (pauseMs / 1_000) * RUNS_PER_SECOND;
    const runs = Math.min(Math.max(before.runs - allowed, 0) + 1, RUNAWAY_RUNS);
    const failures = isFailed ? (pauseMs < MAX_RETRY_PAUSE_MS ? before.failures : 0) + 1 : 0;
    remember(this.#alarms, key, { failures, runs, lastMs: atMs });
    return { failures, isRepeating: runs === RUNAWAY_RUNS };
  }

  /** True if the loop has not been reported for a while; then it counts as reported. */
  claimReport(key: string, atMs: number): boolean {
    const reportedMs = this.#reportedMs.get(key);
    if (reportedMs !== undefined && Math.abs(atMs - reportedMs) < REPORT_INTERVAL_MS) return false;
    remember(this.#reportedMs, key, atMs);
    return true;
  }
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.size > MAX_REMEMBERED ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
}

/** A loop that the whole invocation belongs to. */
export interface Loop
  extends Pick<TailException, "kind" | "type" | "message" | "fingerprint" | "dedupeKey"> {
  /** False if it was reported already: the invocation is only counted. */
  readonly isDue: boolean;
}

/** The loop that an invocation is a run of; undefined for an ordinary one. */
export function findLoop(event: object, isFailed: boolean, memory: LoopMemory): Loop | undefined {
  switch (findTrigger(event)) {
    case "alarm":
      return findRunawayAlarm(event, isFailed, memory);
    case "tail":
      return findTailLoop(event, memory);
    default:
      return undefined;
  }
}

function findRunawayAlarm(event: object, isFailed: boolean, memory: LoopMemory): Loop | undefined {
  const { script, entrypoint, atMs } = readPlace(event);
  const object = readString(event, "durableObjectId") ?? "";
  const key = JSON.stringify([script, entrypoint, object]);
  const { failures, isRepeating } = memory.addRun(key, atMs, isFailed);
  if (!isRepeating && failures < RUNAWAY_FAILURES) return undefined;
  const owner = entrypoint || script || "a Durable Object";
  return createLoop({
    kind: "error",
    type: "RunawayAlarm",
    message: isRepeating
      ? `the alarm of ${owner} runs again and again, almost without a pause`
      : `the alarm of ${owner} fails and is retried again and again`,
    fingerprint: ["runaway-alarm", isRepeating ? "runs" : "fails", script, entrypoint],
    object,
    atMs,
    memory,
  });
}

function findTailLoop(event: object, memory: LoopMemory): Loop | undefined {
  const { script, entrypoint, atMs } = readPlace(event);
  const consumed = readList(readProperty(event, "event"), "consumedEvents");
  const isOwn = consumed.some((one) => script !== "" && readString(one, "scriptName") === script);
  const isErrata = readList(event, "logs").some((log) =>
    formatErrorLog(log).startsWith(TAIL_FAILURE),
  );
  if (!isOwn && !isErrata) return undefined;
  return createLoop({
    kind: "message",
    type: "LogLoop",
    message: `the tail consumer ${script || "Errata"} receives its own events`,
    fingerprint: ["log-loop", "tail", script, entrypoint],
    object: "",
    atMs,
    memory,
  });
}

function createLoop({
  object,
  atMs,
  memory,
  ...loop
}: Pick<Loop, "kind" | "type" | "message"> & {
  fingerprint: readonly string[];
  object: string;
  atMs: number;
  memory: LoopMemory;
}): Loop {
  const key = JSON.stringify([...loop.fingerprint, object]);
  // Another isolate may report the same loop.
  const dedupeKey = `${key} ${Math.floor(atMs / REPORT_INTERVAL_MS)}`;
  return { ...loop, dedupeKey, isDue: memory.claimReport(key, atMs) };
}

function readPlace(event: object) {
  return {
    script: readString(event, "scriptName") ?? "",
    entrypoint: readString(event, "entrypoint") ?? "",
    atMs: asNumber(readProperty(event, "eventTimestamp")) ?? 0,
  };
}

/** An error line that an invocation logged again and again: its text without numbers. */
export interface RepeatedLine {
  readonly text: string;
  readonly repeats: number;
}

/** Returns a function that finds the repeated line of a log; undefined for other logs. */
export function findRepeatedLines(
  logs: readonly unknown[],
): (log: unknown) => RepeatedLine | undefined {
  if (logs.length < LOOP_LINES) return () => undefined;
  const counts = new Map<string, number>();
  for (const text of logs.map(toRepeatedText)) counts.set(text, (counts.get(text) ?? 0) + 1);
  return (log) => {
    const text = toRepeatedText(log);
    const repeats = counts.get(text) ?? 0;
    return text === "" || repeats < LOOP_LINES ? undefined : { text, repeats };
  };
}

const MAX_LINE_CHARS = 300;

function toRepeatedText(log: unknown): string {
  return toNeutralText(getFirstLine(formatErrorLog(log)).slice(0, MAX_LINE_CHARS));
}
