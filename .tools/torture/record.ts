// The record: the contents of KV's chunks, read without Errata.

import { gunzipSync } from "node:zlib";
import { markIn } from "./bodies.ts";
import type { FaultyKv } from "./faulty-kv.ts";

export type Line = {
  key: string;
  id: string;
  digest: string;
  format: string;
  mark: string | null;
  linked: boolean;
};

/** A line for many reports of a storm. */
type Sum = { digest: string; times: number };

/** The name is JSON. */
type Tally = readonly [name: string, count: number];

type Read = { line?: Line; sum?: Sum; tallies?: readonly Tally[] };

export type KvRecord = ReturnType<typeof createRecord>;

/** The record of a namespace, empty until it is read. */
export function createRecord(kv: FaultyKv) {
  const chunks: Map<string, { bytes: Buffer; read: readonly Read[] }> = new Map();

  return {
    /** Reads new chunks and drops deleted ones. */
    read() {
      for (const key of chunks.keys()) if (!kv.values.has(key)) chunks.delete(key);
      for (const [key, { bytes }] of kv.values) {
        if (!key.startsWith("chunk/") || chunks.get(key)?.bytes === bytes) continue;
        const texts = gunzipSync(bytes).toString("utf8").split("\n");
        chunks.set(key, { bytes, read: texts.map((text) => readLine(key, text)) });
      }
    },
    get chunks() {
      return chunks.size;
    },
    /** Every line with a report. */
    *lines() {
      for (const { read } of chunks.values()) for (const { line } of read) if (line) yield line;
    },
    *sums() {
      for (const { read } of chunks.values()) for (const { sum } of read) if (sum) yield sum;
    },
    /** The number of reports, with those in sums. */
    reports() {
      let reports = 0;
      for (const _ of this.lines()) reports++;
      for (const { times } of this.sums()) reports += times;
      return reports;
    },
    /** Counters of items without a report, by name as JSON. */
    tallies() {
      const sums: Map<string, number> = new Map();
      for (const { read } of chunks.values()) {
        for (const [name, count] of read.flatMap(({ tallies }) => tallies ?? [])) {
          sums.set(name, (sums.get(name) ?? 0) + count);
        }
      }
      return sums;
    },
  };
}

function readLine(key: string, text: string): Read {
  const value = JSON.parse(text);
  if (Array.isArray(value.counters)) {
    const tallies: readonly [name: readonly string[], count: number][] = value.counters;
    return { tallies: tallies.map(([name, count]) => [JSON.stringify(name), count]) };
  }
  if (value.rollup === 1) {
    return { sum: { digest: value.summary.digest, times: value.occurrences } };
  }
  if (typeof value.id !== "string") return {};
  const { id, digest, format, isLinked: linked } = value;
  return { line: { key, id, digest, format, mark: markIn(text), linked } };
}
