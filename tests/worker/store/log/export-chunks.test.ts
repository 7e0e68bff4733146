import { describe, expect, it } from "vitest";
import { encodeChunk } from "#src/store/kv/chunk.ts";
import { formatExtraIdsLine } from "#src/store/kv/stored-json.ts";
import { exportChunks, toExportLines } from "#src/store/log/export-chunks.ts";
import { createReport } from "#support/reports/reports.ts";

const HOUR = "2026112117";
const CHUNKS = 100;
/** A chunk that is sent, those that wait, and one that the stream asks for in advance. */
const MAX_READ_BEFOREHAND = 6;

/** A log with uploaded chunks of one report each, and the number of chunks that were read. */
async function createLog() {
  let reads = 0;
  const value = await encodeChunk([JSON.stringify(createReport(1))]);
  const deps = {
    ...{ project: "2", shard: "0", nowMs: () => 0 },
    table: {
      catalog: {
        listRange: ({ after }: { after: number }, count: number) =>
          Array.from({ length: Math.min(count, CHUNKS - after) }, (_, n) => {
            return { chunk: after + n + 1, hour: HOUR };
          }),
      },
      localChunks: { list: () => [], readLines: () => [], readExtraIds: () => [] },
    },
    kv: () => {
      reads += 1;
      return { get: async () => value.slice().buffer } as unknown as KVNamespace;
    },
  };
  return { deps, countReads: () => reads };
}

describe("a part of an export", () => {
  it("reads a chunk when its reader comes to it, so few are in memory", async () => {
    const { deps, countReads } = await createLog();
    const { bytes, lastChunk, nextHour } = exportChunks(deps, { after: 0, maxChunks: 50 });
    expect([lastChunk, nextHour]).toEqual([50, HOUR]);
    const reader = bytes.getReader();
    for (let read = 1; read <= 10; read++) {
      await reader.read();
      expect(countReads()).toBeLessThanOrEqual(read + MAX_READ_BEFOREHAND);
    }
    await reader.cancel();
    expect(countReads()).toBeLessThanOrEqual(10 + MAX_READ_BEFOREHAND);
  });

  it("fails while KV does not return a chunk", async () => {
    const { deps } = await createLog();
    const kv = () => ({ get: async () => null }) as unknown as KVNamespace;
    const { bytes } = exportChunks({ ...deps, kv }, { after: 0, maxChunks: 50 });
    await expect(new Response(bytes).text()).rejects.toThrow("KV does not return");
  });
});

describe("the lines of an export", () => {
  const report = JSON.stringify(createReport(1, { message: "naïve — \u2028 text" }));
  const { v, ...others } = createReport(2);
  const reordered = JSON.stringify({ ...others, v });
  const rollup = JSON.stringify({ rollup: 1, summary: {}, occurrences: 2, lastAtMs: 3 });
  const removed = '{"removed":1}';
  const ids = ["a".repeat(32), "b".repeat(32)];
  const extraIds = formatExtraIdsLine(ids.map((id) => ({ id, line: 1 })));
  const exportedRollup = JSON.stringify({ ...JSON.parse(rollup), ids });
  const cases = [
    { name: "no line", stored: [], exported: [] },
    { name: "reports", stored: [report, report], exported: [report, report] },
    { name: "a report whose version comes last", stored: [reordered], exported: [reordered] },
    { name: "a removed line", stored: [removed, report], exported: [report] },
    { name: "a removed line at the end", stored: [report, removed], exported: [report] },
    {
      name: "a rollup with extra ids",
      stored: [report, rollup, report, extraIds],
      exported: [report, exportedRollup, report],
    },
  ];
  it.each(cases)("of $name are those that an import accepts", ({ stored, exported }) => {
    const bytes = new TextEncoder().encode(stored.join("\n"));
    const text = new TextDecoder().decode(toExportLines("chunk/2/1", bytes));
    expect(text).toBe(exported.map((line) => `${line}\n`).join(""));
  });
});
