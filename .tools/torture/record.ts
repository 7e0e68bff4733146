// Reads the chunks in KV without Errata's own code.

import { gunzipSync } from "node:zlib";
import { findMarker } from "../reports/names.ts";
import type { FaultyKv } from "./faulty-kv.ts";

export type Line = {
  key: string;
  id: string;
  digest: string;
  format: string;
  marker: string | null;
  isLinked: boolean;
};

/** A line that counts many reports of a storm. */
type Rollup = { digest: string; occurrences: number };

/** The name is JSON. */
type Counter = readonly [name: string, count: number];

type Read = { line?: Line; rollup?: Rollup; counters?: readonly Counter[] };

export type KvRecord = ReturnType<typeof createRecord>;

/** The stored lines of a namespace, empty until `read` is called. */
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
    *listLines() {
      for (const { read } of chunks.values()) for (const { line } of read) if (line) yield line;
    },
    /** Every rollup. */
    *listRollups() {
      for (const { read } of chunks.values()) {
        for (const { rollup } of read) if (rollup) yield rollup;
      }
    },
    /** The number of reports, including those in rollups. */
    countReports() {
      let reports = 0;
      for (const _ of this.listLines()) reports++;
      for (const { occurrences } of this.listRollups()) reports += occurrences;
      return reports;
    },
    /** Counters of items without a report, by name as JSON. */
    sumCounters() {
      const sums: Map<string, number> = new Map();
      for (const { read } of chunks.values()) {
        for (const [name, count] of read.flatMap(({ counters }) => counters ?? [])) {
          sums.set(name, (sums.get(name) ?? 0) + count);
        }
      }
      return sums;
    },
  };
}

function readLine(key: string, text: string): Read {
  const value = JSON.parse(text);
  if (value.daily === 1) {
    const counters: readonly [name: readonly string[], count: number][] = value.counters;
    return { counters: counters.map(([name, count]) => [JSON.stringify(name), count]) };
  }
  if (value.rollup === 1) {
    return { rollup: { digest: value.summary.digest, occurrences: value.occurrences } };
  }
  if (typeof value.id !== "string") return {};
  const { id, digest, format, isLinked } = value;
  return { line: { key, id, digest, format, marker: findMarker(text), isLinked } };
}
