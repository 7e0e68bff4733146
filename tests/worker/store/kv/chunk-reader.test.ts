import { afterEach, describe, expect, it } from "vitest";
import { encodeChunk } from "#src/store/kv/chunk.ts";
import { SingleFlightChunkReader } from "#src/store/kv/chunk-reader.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { withKvMethods } from "#support/store/faulty-kv.ts";
import {
  bindings,
  getIndex,
  getShard,
  log,
  projectStore,
  replaceKv,
  uploadChunk,
} from "#support/store/store.ts";

afterEach(() => emptyStore());

const KEY = "chunk/1/2026112117/0.00000001";

/** A reader and its reads of KV, of which the first `failing` fail. */
function createCountingReader({ failing = 0 } = {}) {
  const readKeys: string[] = [];
  const get = (key: string, options: KVNamespaceGetOptions<"arrayBuffer">) => {
    readKeys.push(key);
    if (readKeys.length <= failing) return Promise.reject(new Error("KV GET failed: 500"));
    return bindings.KV.get(key, options);
  };
  const reads = new SingleFlightChunkReader(() => withKvMethods(bindings.KV, { get }));
  return { readKeys, read: (key: string) => reads.readLines(key) };
}

it("a read after an erasure does not share a read that started before it", async () => {
  await log.append([createReport(1, { message: "her name is Ada Lovelace" }), createReport(2)]);
  const position = (await projectStore.locateReport(toReportId(1)))?.position ?? "";
  await uploadChunk();
  await getIndex().waitUntilIdle();
  const gate = Promise.withResolvers<void>();
  let isFirst = true;
  const get = async (key: string, options: KVNamespaceGetOptions<"arrayBuffer">) => {
    const held = isFirst && key.startsWith("chunk/");
    if (held) isFirst = false;
    const read = await bindings.KV.get(key, options);
    if (held) await gate.promise;
    return read;
  };
  await replaceKv(withKvMethods(bindings.KV, { get }));
  const before = getShard().readLine(position);
  await expect.poll(() => isFirst).toBe(false);
  expect(await getIndex().eraseReport(toReportId(1))).toBe(true);
  expect((await getShard().readLine(position)) ?? "").not.toContain("Ada");
  gate.resolve();
  expect(await before).toContain("Ada");
});

describe("concurrent reads of a chunk", () => {
  it("share one read of KV; a later read is a new one", async () => {
    await bindings.KV.put(KEY, await encodeChunk(["first", "second"]));
    const { readKeys, read } = createCountingReader();
    const all = await Promise.all([read(KEY), read(KEY), read(KEY)]);
    expect(all).toEqual([1, 2, 3].map(() => ["first", "second"]));
    expect(readKeys).toEqual([KEY]);
    await bindings.KV.put(KEY, await encodeChunk(["first", ""]));
    expect(await read(KEY)).toEqual(["first", ""]);
    expect(readKeys).toEqual([KEY, KEY]);
  });

  it("fail together, and a later read tries again", async () => {
    await bindings.KV.put(KEY, await encodeChunk(["first"]));
    const { readKeys, read } = createCountingReader({ failing: 1 });
    const both = await Promise.allSettled([read(KEY), read(KEY)]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await read(KEY)).toEqual(["first"]);
    expect(readKeys).toHaveLength(2);
  });
});
