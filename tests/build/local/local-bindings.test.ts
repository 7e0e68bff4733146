// The bindings that workerd does not have by itself, beside those of Miniflare: KV with its limits
// and its order, and the rate limits.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { layOut } from "../../../.tools/workerd/lay-out.ts";
import { startWorkerd, type Workerd } from "../../../.tools/workerd/process.ts";

/** Calls a method of a binding with the arguments of a request, and returns its result. */
const CALLS = `
  async function toJson(value) {
    if (value instanceof ArrayBuffer) return { bytes: value.byteLength };
    if (value instanceof Map) return { entries: await Promise.all([...value].map(toJson)) };
    if (value?.value instanceof Map) return { entries: [...value.value] };
    return value ?? null;
  }
  export default {
    async fetch(request, env) {
      const [binding, method, ...args] = await request.json();
      const given = args.map((one) => (one?.times ? "x".repeat(one.times) : one));
      try {
        return Response.json({ value: await toJson(await env[binding][method](...given)) });
      } catch (error) {
        return Response.json({ status: /\\b4\\d\\d\\b/.exec(String(error))?.[0] ?? String(error) });
      }
    },
  };
`;

const DATE = "2026-10-01";
const folder = mkdtempSync(join(tmpdir(), "errata-bindings-"));
let workerd: Workerd;
let miniflare: Miniflare;
beforeAll(async () => {
  const file = join(folder, "calls.js");
  writeFileSync(file, CALLS);
  layOut(folder, file, {
    bindings: {
      ...{ compatibilityDate: DATE, compatibilityFlags: [], vars: {}, objects: [] },
      namespaces: ["KV", "OTHER"],
      limits: [{ name: "LIMIT", limit: 3, period: 60 }],
    },
    ...{ vars: {}, address: "127.0.0.1:0", objects: join(folder, "objects"), limits: "kept" },
    kv: { folder: join(folder, "kv") },
  });
  workerd = await startWorkerd(folder, 1, () => {});
  miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...{ port: 0, cf: false, telemetry: { enabled: false } },
      ...{ modules: true, script: CALLS, compatibilityDate: DATE, kvNamespaces: ["KV", "OTHER"] },
    }),
  );
  await miniflare.ready;
}, 60_000);
afterAll(async () => {
  workerd?.kill();
  await workerd?.ended;
  await miniflare?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function call(base: string, args: readonly unknown[]) {
  const response = await fetch(base, { method: "POST", body: JSON.stringify(args) });
  return response.json();
}
const callLocal = (...args: unknown[]) =>
  call(`http://127.0.0.1:${workerd.ports.get("http")}`, args);

/** Returns the results of a call from both. */
async function callBoth(...args: unknown[]) {
  return [await callLocal(...args), await call(String(await miniflare.ready), args)];
}

describe("the local KV behaves like that of Miniflare", () => {
  it.each<[string, ...unknown[][]]>([
    ["an unknown key", ["get", "none"], ["getWithMetadata", "none"], ["delete", "none"]],
    ["a text", ["put", "a", "é\n"], ["get", "a"], ["get", "a", "arrayBuffer"]],
    ["another value of a key", ["put", "a", "1"], ["put", "a", "22"], ["get", "a"]],
    ["an empty value", ["put", "empty", ""], ["get", "empty"]],
    ["a deleted key", ["put", "gone", "1"], ["delete", "gone"], ["get", "gone"]],
    ["JSON", ["put", "json", '{"a":1}'], ["get", "json", "json"]],
    ["several keys", ["get", ["json", "none", "a"], "text"], ["get", ["json", "none"], "json"]],
    ["too many keys", ["get", Array.from({ length: 101 }, (_, n) => `k${n}`), "text"]],
    [
      "metadata",
      ["put", "m", "1", { metadata: { n: 1, text: "é" }, expirationTtl: 600 }],
      ["getWithMetadata", "m", "text"],
    ],
    ["a key with signs", ["put", "a/ä b?c#d%2F", "1"], ["get", "a/ä b?c#d%2F"]],
    ["a long value", ["put", "long", { times: 3_500_000 }], ["get", "long", "arrayBuffer"]],
    ["a value that is too long", ["put", "v", { times: 26_214_401 }], ["get", "v"]],
    ["a key that is too long", ["put", { times: 513 }, "1"], ["put", { times: 512 }, "1"]],
    ["metadata that are too long", ["put", "m2", "1", { metadata: "x".repeat(1_023) }]],
    ["too short a life", ["put", "t", "1", { expirationTtl: 59 }], ["get", "t"]],
    ["a life in the past", ["put", "t", "1", { expiration: 1_000 }], ["get", "t"]],
  ])("%s", async (_, ...calls) => {
    for (const args of calls) {
      const [ours, theirs] = await callBoth("KV", ...args);
      expect(ours).toEqual(theirs);
    }
  });

  it("a list is sorted by bytes, and can be filtered by prefix and paged", async () => {
    for (const name of ["p/b", "p/a", "p/ä", "p/", "p/\u{1f600}", "p0", "o", "p/B"]) {
      await callBoth("OTHER", "put", name, "1", { metadata: { name } });
    }
    const [ours, theirs] = await callBoth("OTHER", "list", { prefix: "p/" });
    expect(ours).toEqual(theirs);
    expect(ours.value.keys).toHaveLength(6);
    const names: string[] = [];
    for (let cursor: string | undefined, isLast = false; !isLast; ) {
      const { value } = await callLocal("OTHER", "list", { limit: 2, ...(cursor && { cursor }) });
      names.push(...value.keys.map(({ name }: { name: string }) => name));
      isLast = value.list_complete;
      cursor = value.cursor;
    }
    const [, all] = await callBoth("OTHER", "list");
    expect(names).toEqual(all.value.keys.map(({ name }: { name: string }) => name));
  });

  it("namespaces are separate", async () => {
    await callBoth("KV", "put", "apart", "1");
    expect(await callBoth("OTHER", "get", "apart")).toEqual([{ value: null }, { value: null }]);
  });
});

it("a rate limit counts each key separately", async () => {
  const successes = [];
  for (const key of ["a", "a", "b", "a", "a", "b"]) {
    successes.push((await callLocal("LIMIT", "limit", { key })).value.success);
  }
  expect(successes).toEqual([true, true, true, true, false, true]);
});
