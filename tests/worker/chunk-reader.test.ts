import { afterEach, describe, expect, it } from "vitest";
import { encodeChunk } from "../../src/store/chunk.ts";
import { chunkReader } from "../../src/store/record.ts";
import { kvWith } from "../support/faulty-kv.ts";
import { fresh } from "../support/fresh.ts";
import { bindings } from "../support/store.ts";

afterEach(() => fresh());

const KEY = "c/1/2026112117/0.00000001";

/** A reader, and how often it has asked KV; the first so many reads fail. */
function countedReader({ failing = 0 } = {}) {
  const asked: string[] = [];
  const get = (key: string, options: KVNamespaceGetOptions<"arrayBuffer">) => {
    asked.push(key);
    if (asked.length <= failing) return Promise.reject(new Error("KV GET failed: 500"));
    return bindings.KV.get(key, options);
  };
  return { asked, read: chunkReader(() => kvWith(bindings.KV, { get })) };
}

describe("a chunk of which several reports are asked for", () => {
  it("is read once for all who ask while it is being read, and anew for who asks later", async () => {
    await bindings.KV.put(KEY, await encodeChunk(["first", "second"]));
    const { asked, read } = countedReader();
    const all = await Promise.all([read(KEY), read(KEY), read(KEY)]);
    expect(all).toEqual([1, 2, 3].map(() => ["first", "second"]));
    expect(asked).toEqual([KEY]);
    await bindings.KV.put(KEY, await encodeChunk(["first", ""]));
    expect(await read(KEY)).toEqual(["first", ""]);
    expect(asked).toEqual([KEY, KEY]);
  });

  it("is asked for anew when it could not be read", async () => {
    await bindings.KV.put(KEY, await encodeChunk(["first"]));
    const { asked, read } = countedReader({ failing: 1 });
    const both = await Promise.allSettled([read(KEY), read(KEY)]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await read(KEY)).toEqual(["first"]);
    expect(asked).toHaveLength(2);
  });
});
