// The record: what stands in KV's chunks, read as anybody could who has nothing but KV.

import { gunzipSync } from "node:zlib";
import { markIn } from "./bodies.mjs";

/** @typedef {{ key: string, id: string, digest: string, format: string, mark: string | null, linked: boolean }} Line */
/** @typedef {ReturnType<typeof createRecord>} Record */

/**
 * The record of a namespace, empty until it is read.
 *
 * @param {import("./faulty-kv.mjs").FaultyKv} kv
 */
export function createRecord(kv) {
  /** @type {Map<string, { bytes: Buffer, lines: readonly Line[], tallies: readonly [string, number][] }>} */
  const chunks = new Map();

  return {
    /** Reads what is new; forgets what is gone. */
    read() {
      for (const key of chunks.keys()) if (!kv.values.has(key)) chunks.delete(key);
      for (const [key, { bytes }] of kv.values) {
        if (!key.startsWith("c/") || chunks.get(key)?.bytes === bytes) continue;
        const texts = gunzipSync(bytes).toString("utf8").split("\n");
        const read = texts.map((text) => lineOf(key, text));
        chunks.set(key, {
          bytes,
          lines: read.flatMap(({ line }) => line ?? []),
          tallies: read.flatMap(({ tallies }) => tallies ?? []),
        });
      }
    },
    get chunks() {
      return chunks.size;
    },
    /** Every line that holds a report. */
    *lines() {
      for (const { lines } of chunks.values()) yield* lines;
    },
    /** What is counted of items without a report: by name, as JSON. */
    tallies() {
      /** @type {Map<string, number>} */
      const sums = new Map();
      for (const { tallies } of chunks.values()) {
        for (const [name, count] of tallies) sums.set(name, (sums.get(name) ?? 0) + count);
      }
      return sums;
    },
  };
}

/** @param {string} key @param {string} text
 * @returns {{ line?: Line, tallies?: readonly [string, number][] }} */
function lineOf(key, text) {
  const value = JSON.parse(text);
  if (Array.isArray(value.tallies)) {
    /** @type {readonly [name: readonly string[], count: number][]} */
    const tallies = value.tallies;
    return { tallies: tallies.map(([name, count]) => [JSON.stringify(name), count]) };
  }
  if (typeof value.id !== "string") return {};
  const { id, digest, format, linked } = value;
  return { line: { key, id, digest, format, mark: markIn(text), linked } };
}
