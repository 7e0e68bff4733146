/**
 * A spool entry: the reports of one append that a shard did not accept, as one KV value. Its key
 * has the time when it was stored.
 */
import { asRecord } from "../../core/decode/as-type.ts";
import { parseJsonText } from "../../core/decode/parse-json.ts";
import { limits } from "../../core/limits.ts";
import type { CounterDelta } from "../../core/stats/counters.ts";
import { toSpoolKey, toSpoolPrefix } from "../kv/keys.ts";
import type { LogEntry } from "../log/log-entries.ts";

/** `{"v":1,"shard":"0","entries":[…],"counters":[…]}` */
export interface SpoolEntry {
  readonly v: 1;
  /** The shard of the append. It may have stored the reports and lost the response. */
  readonly shard: string;
  /** At least one. */
  readonly entries: readonly LogEntry[];
  /** The counters of the append. Without ids, they count if the first entry is new. */
  readonly counters: readonly CounterDelta[];
}

/** A character of a line is at most three bytes: the value stays below KV's 25 MiB. */
const MAX_VALUE_CHARS = 6 * 1024 * 1024;

/** The entries of an append: one, unless its reports are very large. The first has the counters. */
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

/** A spool entry from KV; null if it is invalid or of an unknown version. */
export function parseSpoolEntry(text: string): SpoolEntry | null {
  const value = asRecord(parseJsonText(text));
  if (value?.v !== 1 || typeof value.shard !== "string") return null;
  const { entries, counters } = value;
  if (!Array.isArray(entries) || !Array.isArray(counters)) return null;
  const isComplete = entries.length > 0 && entries.length <= limits.maxReportsPerAppend;
  return isComplete && entries.every(isLogEntry) && counters.every(isCounterDelta)
    ? (value as unknown as SpoolEntry)
    : null;
}

/** The key of an entry stored at `atMs`. A list returns the oldest first. */
export function createSpoolKey(project: string, atMs: number, id: string): string {
  return toSpoolKey(project, `${String(atMs).padStart(TIMESTAMP_CHARS, "0")}.${id}`);
}

/** When an entry was stored, by its key, in ms; 0 for an invalid key. */
export function parseSpooledMs(project: string, key: string): number {
  const digits = key.slice(toSpoolPrefix(project).length).split(".", 1)[0] ?? "";
  return /^\d{13,15}$/.test(digits) ? Number(digits) : 0;
}

/** Enough milliseconds until the year 2286. */
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
