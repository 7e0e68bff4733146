/**
 * A spilled value: what one call to a shard carried, as one value of KV, because the shard did not take it. It is durable there
 * and waits to be fed to the log; its key says since when.
 */
import { limits } from "../../core/limits.ts";
import type { CounterDelta } from "../../core/stats/counters.ts";
import { spoolKey, spoolPrefix } from "../kv/keys.ts";
import type { LogEntry } from "../rpc/rpc.ts";

/** `{"v":1,"shard":"0","entries":[…],"tallies":[…]}`, as JSON. */
export interface SpoolEntry {
  readonly v: 1;
  /** The shard that was asked. It may have taken all of it: a call without an answer may have been heard. */
  readonly shard: string;
  /** At least one. */
  readonly entries: readonly LogEntry[];
  /** What was counted beside them. It has no id of its own, and counts with the first entry: when that is new. */
  readonly counters: readonly CounterDelta[];
}

/** One character of JSON is at most three bytes in JSON in UTF-8, and with its marks a value stays below KV's 25 MiB. */
const MAX_VALUE_CHARS = 6 * 1024 * 1024;

/** The values that a call becomes: one, except where its reports are very large. The tallies are in the first. */
export function splitIntoSpoolEntries(
  shard: string,
  entries: readonly LogEntry[],
  counters: readonly CounterDelta[],
): readonly SpoolEntry[] {
  const groups: LogEntry[][] = [];
  let chars = 0;
  for (const entry of entries) {
    chars += entry.line.length;
    const group = groups.at(-1);
    if (group === undefined || chars > MAX_VALUE_CHARS) {
      groups.push([entry]);
      chars = entry.line.length;
    } else {
      group.push(entry);
    }
  }
  return groups.map((group, n) => ({
    v: 1,
    shard,
    entries: group,
    counters: n > 0 ? [] : counters,
  }));
}

/** A spilled value from KV, or null when it is broken or of no version we know. */
export function parseSpoolEntry(text: string): SpoolEntry | null {
  let value: Partial<Record<keyof SpoolEntry, unknown>> | null;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (value?.v !== 1 || typeof value.shard !== "string") return null;
  const { entries, counters } = value;
  if (!Array.isArray(entries) || !Array.isArray(counters)) return null;
  const isComplete = entries.length > 0 && entries.length <= limits.maxReportsPerAppend;
  return isComplete && entries.every(isLogEntry) && counters.every(isCounterDelta)
    ? (value as SpoolEntry)
    : null;
}

/** The key of what is spilled at `atMs`: the oldest stand first in a list. */
export function createSpoolKey(project: string, atMs: number, id: string): string {
  return spoolKey(project, `${String(atMs).padStart(TIMESTAMP_CHARS, "0")}.${id}`);
}

/** When it was spilled, by its key, in ms; 0, long ago, for a key that says nothing. */
export function parseSpooledMs(project: string, key: string): number {
  const digits = key.slice(spoolPrefix(project).length).split(".", 1)[0] ?? "";
  return /^\d{13,15}$/.test(digits) ? Number(digits) : 0;
}

/** Milliseconds until the year 2286. */
const TIMESTAMP_CHARS = 13;

function isLogEntry(value: unknown): boolean {
  const entry = value as Partial<LogEntry> | null;
  return (
    typeof entry?.id === "string" &&
    typeof entry.line === "string" &&
    typeof entry.summary === "object" &&
    entry.summary !== null
  );
}

function isCounterDelta(value: unknown): boolean {
  return Array.isArray(value) && Array.isArray(value[0]) && typeof value[1] === "number";
}
