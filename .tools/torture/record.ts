// Reads the data in KV with code of its own, so that an error in Errata's code cannot hide a loss.

import { gunzipSync } from "node:zlib";
import { findMarker } from "../reports/names.ts";
import type { FaultyKv } from "./faulty-kv.ts";

/** A line with a report. */
interface Line {
  key: string;
  id: string;
  digest: string;
  format: string;
  marker: string | null;
  isLinked: boolean;
}

/** A line of a chunk: a report, a rollup of many reports of a storm, or counters by name as JSON. */
interface Read {
  line?: Line;
  rollup?: { digest: string; occurrences: number };
  counters?: readonly (readonly [name: string, count: number])[];
}

export type KvRecord = ReturnType<typeof createRecord>;

/** The stored lines of a namespace, empty until `read` is called. */
export function createRecord(kv: FaultyKv) {
  const chunks: Map<string, { bytes: Buffer; read: readonly Read[] }> = new Map();
  const list = <K extends keyof Read>(kind: K) =>
    [...chunks.values()].flatMap(({ read }) =>
      read.flatMap((one) => (one[kind] === undefined ? [] : [one[kind] as NonNullable<Read[K]>])),
    );

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
    listLines: () => list("line"),
    /** The number of reports, including those in rollups. */
    countReports() {
      const rolledUp = list("rollup").reduce((sum, { occurrences }) => sum + occurrences, 0);
      return list("line").length + rolledUp;
    },
    /** The count of each issue. */
    countIssues() {
      const reports = list("line").filter(({ isLinked }) => !isLinked);
      return sumByName([
        ...reports.map(({ digest }) => [digest, 1] as const),
        ...list("rollup").map(({ digest, occurrences }) => [digest, occurrences] as const),
      ]);
    },
    /** The started sessions of each release. */
    countSessions() {
      const started = list("counters")
        .flat()
        .flatMap(([name, count]) => {
          const [first, , release, , end] = JSON.parse(name);
          return first === "session" && end === "started" ? [[release, count] as const] : [];
        });
      return sumByName(started);
    },
    /** The releases of the uploads of source maps. */
    listReleases(): ReadonlySet<string> {
      const uploads = [...kv.values].filter(([key]) => /^source-maps\/\w+\/uploads\//.test(key));
      return new Set(
        uploads.map(([, { bytes }]) => JSON.parse(gunzipSync(bytes).toString()).upload.release),
      );
    },
  };
}

function sumByName(counts: readonly (readonly [name: string, count: number])[]) {
  const sums = new Map<string, number>();
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
  return sums;
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
