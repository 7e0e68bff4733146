import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { readBody, readBodyStart } from "#src/http/read-body.ts";
import { concatBytes, toBytes } from "#support/bytes.ts";

const TEXT = '{"message":"hello"}';

function post(body: BodyInit | null, headers: Record<string, string> = {}): Request {
  return new Request("https://errata.example/monitoring", {
    method: "POST",
    body,
    headers,
    // Node requires this for a stream.
    ...(body instanceof ReadableStream && { duplex: "half" }),
  });
}

/** A body in chunks, without a Content-Length. `pulled` counts the reads. */
function createStream(chunks: Iterable<Uint8Array>, end: "close" | "fail" = "close") {
  const iterator = chunks[Symbol.iterator]();
  const counter = { pulled: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = iterator.next();
      counter.pulled += 1;
      if (!done) controller.enqueue(value);
      else if (end === "close") controller.close();
      else controller.error(new Error("the sender disconnected"));
    },
    cancel() {
      counter.cancelled = true;
    },
  });
  return { stream, counter };
}

async function readText(request: Request) {
  const body = await readBody(request);
  return body.ok ? new TextDecoder().decode(body.value) : body.reason;
}

describe("readBody decodes the Content-Encoding", () => {
  const codings = [
    { name: "none", coding: undefined, body: toBytes(TEXT) },
    { name: "gzip", coding: "gzip", body: gzipSync(TEXT) },
    { name: "x-gzip, in capitals", coding: "X-GZIP", body: gzipSync(TEXT) },
    { name: "deflate, which is zlib's format", coding: "deflate", body: deflateSync(TEXT) },
    { name: "deflate without zlib's header", coding: "deflate", body: deflateRawSync(TEXT) },
    { name: "br", coding: "br", body: brotliCompressSync(TEXT) },
    { name: "zstd", coding: "zstd", body: zstdCompressSync(TEXT) },
    { name: "gzip in gzip", coding: "gzip, gzip", body: gzipSync(gzipSync(TEXT)) },
    { name: "br, then gzip", coding: "br, gzip", body: gzipSync(brotliCompressSync(TEXT)) },
    { name: "identity", coding: "identity", body: toBytes(TEXT) },
    { name: "identity, gzip", coding: "identity, gzip", body: gzipSync(TEXT) },
    { name: "an empty header, which an SDK has sent", coding: "", body: toBytes(TEXT) },
    { name: "UTF-8, which an SDK has sent", coding: "UTF-8", body: toBytes(TEXT) },
  ];
  it.each(codings)("$name", async ({ coding, body }) => {
    const headers: Record<string, string> =
      coding === undefined ? {} : { "content-encoding": coding };
    expect(await readText(post(new Uint8Array(body), headers))).toBe(TEXT);
  });

  // Long br bodies may start with the byte "[".
  it("br whose first byte looks like JSON", async () => {
    const text = JSON.stringify(Array.from({ length: 9_000 }, (_, n) => `line ${n * 7_919}`));
    const body = new Uint8Array(brotliCompressSync(text));
    expect(body[0]).toBe(0x5b);
    expect(await readText(post(body, { "content-encoding": "br" }))).toBe(text);
  });

  it("any bytes, in chunks of any size", async () => {
    const body = fc.uint8Array({ maxLength: 20_000 });
    await fc.assert(
      fc.asyncProperty(body, fc.integer({ min: 1, max: 9_000 }), async (whole, size) => {
        fc.pre(whole.length > 0);
        const compressed = new Uint8Array(gzipSync(whole));
        const chunks = Array.from({ length: Math.ceil(compressed.length / size) }, (_, index) =>
          compressed.subarray(index * size, (index + 1) * size),
        );
        const request = post(createStream(chunks).stream, { "content-encoding": "gzip" });
        expect(await readBody(request)).toEqual({ ok: true, value: whole });
      }),
      { numRuns: 50 },
    );
  });
});

describe("readBody detects a wrong or missing Content-Encoding by the first bytes", () => {
  const base64 = (compressed: Uint8Array) => toBytes(Buffer.from(compressed).toString("base64"));
  const decodedCases = [
    { name: "JSON labelled gzip", coding: "gzip", body: toBytes(TEXT) },
    { name: "JSON labelled br", coding: "br", body: toBytes(TEXT) },
    { name: "JSON labelled zstd", coding: "zstd", body: toBytes(TEXT) },
    { name: "JSON labelled deflate", coding: "deflate", body: toBytes(TEXT) },
    { name: "JSON in an unknown coding", coding: "exi", body: toBytes(TEXT) },
    { name: "JSON in too many codings", coding: "br, gzip, gzip", body: toBytes(TEXT) },
    { name: "gzip labelled gzip in gzip", coding: "gzip, gzip", body: gzipSync(TEXT) },
    { name: "gzip in an unknown coding", coding: "exi, gzip", body: gzipSync(TEXT) },
    { name: "gzip without a label", coding: "", body: gzipSync(TEXT) },
    { name: "zstd without a label", coding: "", body: zstdCompressSync(TEXT) },
    { name: "base64 of zlib", coding: "", body: base64(deflateSync(TEXT)) },
    { name: "base64 of fast zlib", coding: "", body: base64(deflateSync(TEXT, { level: 1 })) },
    { name: "base64 of small zlib", coding: "", body: base64(deflateSync(TEXT, { level: 9 })) },
    {
      name: "base64 of zlib in lines",
      coding: "",
      body: toBytes(
        `${Buffer.from(deflateSync(TEXT)).toString("base64").replace(/.{10}/g, "$&\r\n")}\n`,
      ),
    },
  ];
  it.each(decodedCases)("$name is decoded", async ({ coding, body }) => {
    const request = post(new Uint8Array(body), { "content-encoding": coding });
    expect(await readText(request)).toBe(TEXT);
  });

  const unchangedCases = [
    { name: "JSON after white space labelled gzip", coding: "gzip", body: toBytes(" \r\n\t[]") },
    { name: "JSON after a byte order mark labelled br", coding: "br", body: toBytes("\ufeff {}") },
    { name: "text labelled identity", coding: "identity", body: toBytes("message=hello") },
    { name: "text labelled UTF-8", coding: "utf8, UTF-8", body: toBytes("message=hello") },
    { name: "text that only starts like base64", coding: "", body: toBytes("eJust a message") },
    { name: "base64 of other bytes than zlib", coding: "", body: toBytes("eJxxxxxxxxxx") },
    {
      name: "base64 of zlib of other text than JSON",
      coding: "",
      body: base64(deflateSync("hello")),
    },
    { name: "a request of OTLP in protobuf", coding: "", body: new Uint8Array([0x0a, 2, 0x12, 0]) },
    { name: "bytes that begin a little like gzip", coding: "", body: new Uint8Array([0x1f, 0x8b]) },
  ];
  it.each(unchangedCases)("$name is returned unchanged", async ({ coding, body }) => {
    const request = post(new Uint8Array(body), { "content-encoding": coding });
    expect(await readBody(request)).toEqual({ ok: true, value: new Uint8Array(body) });
  });
});

describe("readBody refuses", () => {
  const refusedCases = [
    {
      name: "plain text labelled gzip",
      coding: "gzip",
      body: toBytes("message=hello"),
      reason: "bad-encoding",
    },
    {
      name: "half a gzip",
      coding: "gzip",
      body: gzipSync(TEXT).subarray(0, 20),
      reason: "bad-encoding",
    },
    {
      name: "gzip with a wrong checksum",
      coding: "gzip",
      body: damageByte(gzipSync(TEXT)),
      reason: "bad-encoding",
    },
    {
      name: "bytes after the gzip",
      coding: "gzip",
      body: concatBytes(gzipSync(TEXT), "trailing"),
      reason: "bad-encoding",
    },
    {
      name: "half a deflate",
      coding: "deflate",
      body: deflateSync(TEXT).subarray(0, 12),
      reason: "bad-encoding",
    },
    {
      name: "deflate with a wrong checksum",
      coding: "deflate",
      body: damageByte(deflateSync(TEXT), 1),
      reason: "bad-encoding",
    },
    {
      name: "half a br",
      coding: "br",
      body: brotliCompressSync(TEXT).subarray(0, 12),
      reason: "bad-encoding",
    },
    {
      name: "half a zstd",
      coding: "zstd",
      body: zstdCompressSync(TEXT).subarray(0, 20),
      reason: "bad-encoding",
    },
    {
      name: "zstd labelled br",
      coding: "br",
      body: zstdCompressSync(TEXT),
      reason: "bad-encoding",
    },
    {
      name: "gzip labelled gzip in gzip",
      coding: "gzip, gzip",
      body: gzipSync("message=hello"),
      reason: "bad-encoding",
    },
    {
      name: "three codings",
      coding: "gzip, gzip, gzip",
      body: gzipSync(gzipSync(gzipSync(TEXT))),
      reason: "bad-encoding",
    },
    {
      name: "an unknown coding",
      coding: "exi",
      body: toBytes("message=hello"),
      reason: "bad-encoding",
    },
    {
      name: "half a gzip without a label",
      coding: "",
      body: gzipSync(TEXT).subarray(0, 20),
      reason: "bad-encoding",
    },
    { name: "br of nothing", coding: "br", body: brotliCompressSync(""), reason: "empty" },
    { name: "an empty body", coding: "", body: toBytes(""), reason: "empty" },
    { name: "gzip of nothing", coding: "gzip", body: gzipSync(""), reason: "empty" },
  ];
  it.each(refusedCases)("$name as $reason", async ({ coding, body, reason }) => {
    const request = post(new Uint8Array(body), { "content-encoding": coding });
    expect(await readText(request)).toBe(reason);
  });

  it("an empty body as empty", async () => {
    expect(await readText(post(null))).toBe("empty");
  });

  it("an unknown encoding, with a list of the supported ones", async () => {
    const body = await readBody(post(toBytes("message=hello"), { "content-encoding": "exi" }));
    expect(body).toMatchObject({ expected: expect.stringMatching(/gzip.*deflate.*br.*zstd/) });
  });

  it("a truncated body as truncated-body", async () => {
    const { stream } = createStream([toBytes('{"mess')], "fail");
    expect(await readText(post(stream))).toBe("truncated-body");
  });
});

describe("readBody with a large or hostile body", () => {
  const megabyte = new Uint8Array(1024 * 1024).fill(0x20);

  it("accepts limits.maxBodyBytes", async () => {
    const body = await readBody(post(new Uint8Array(limits.maxBodyBytes)));
    expect(body.ok && body.value.length).toBe(limits.maxBodyBytes);
  });

  it("refuses one byte more", async () => {
    expect(await readBody(post(new Uint8Array(limits.maxBodyBytes + 1)))).toEqual({
      ok: false,
      reason: "too-large",
      limit: "maxBodyBytes",
      max: limits.maxBodyBytes,
    });
  });

  it("stops reading an endless body", async () => {
    const { stream, counter } = createStream({
      *[Symbol.iterator]() {
        for (;;) yield megabyte;
      },
    });
    expect(await readText(post(stream))).toBe("too-large");
    expect(counter.pulled).toBeLessThan(6);
    expect(counter.cancelled).toBe(true);
  });

  it("does not start to read if the Content-Length is above the limit", async () => {
    const { stream, counter } = createStream([toBytes(TEXT)]);
    const request = post(stream, { "content-length": String(limits.maxBodyBytes + 1) });
    expect(await readText(request)).toBe("too-large");
    expect(counter.pulled).toBeLessThanOrEqual(1);
  });

  it("does not rely on a Content-Length below the limit", async () => {
    const { stream } = createStream([megabyte, megabyte, megabyte]);
    expect(await readText(post(stream, { "content-length": "10" }))).toBe("too-large");
  });

  const large = new Uint8Array(32 * megabyte.length);
  const bombs = [
    {
      // A gzip file may have many members; a single member would not fit into the isolate
      // that makes it.
      name: "gzip",
      coding: "gzip",
      bomb: () => concatBytes(...Array.from({ length: 12 }, () => gzipSync(large, { level: 1 }))),
    },
    { name: "deflate", coding: "deflate", bomb: () => deflateSync(large) },
    { name: "deflate without a header", coding: "deflate", bomb: () => deflateRawSync(large) },
    {
      name: "br",
      coding: "br",
      bomb: () => brotliCompressSync(large, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
    },
    { name: "zstd", coding: "zstd", bomb: () => zstdCompressSync(large) },
    { name: "gzip in gzip", coding: "gzip, gzip", bomb: () => gzipSync(gzipSync(large)) },
    {
      name: "br in br",
      coding: "br, br",
      bomb: () =>
        brotliCompressSync(
          brotliCompressSync(large, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
        ),
    },
    { name: "gzip without a label", coding: "", bomb: () => gzipSync(large) },
    { name: "zstd without a label", coding: "", bomb: () => zstdCompressSync(large) },
    {
      name: "base64 of zlib",
      coding: "",
      bomb: () => toBytes(Buffer.from(deflateSync(large)).toString("base64")),
    },
  ];
  it.each(bombs)(
    "stops a decompression bomb while it inflates: $name",
    async ({ coding, bomb }) => {
      const body = new Uint8Array(bomb());
      expect(body.length).toBeLessThan(limits.maxBodyBytes);
      expect(await readBody(post(body, { "content-encoding": coding }))).toEqual({
        ok: false,
        reason: "too-large",
        limit: "maxInflatedBytes",
        max: limits.maxInflatedBytes,
      });
    },
  );

  it("accepts limits.maxInflatedBytes after decompression, and not one byte more", async () => {
    const compressed = (length: number) => new Uint8Array(gzipSync(new Uint8Array(length)));
    const read = (length: number) =>
      readBody(post(compressed(length), { "content-encoding": "gzip" })).then((body) => body.ok);
    expect(await read(limits.maxInflatedBytes)).toBe(true);
    expect(await read(limits.maxInflatedBytes + 1)).toBe(false);
  });

  it("returns a result for any bytes and any encoding, and never rejects", async () => {
    const one = fc.constantFrom("gzip", "deflate", "br", "zstd", "", "identity", "x");
    const coding = fc.array(one, { maxLength: 3 }).map((codings) => codings.join(", "));
    const zip = fc.constantFrom(gzipSync, deflateSync, deflateRawSync, zstdCompressSync);
    const body = fc.oneof(
      fc.uint8Array(),
      fc.tuple(fc.uint8Array(), zip).map(([raw, compressed]) => new Uint8Array(compressed(raw))),
      fc.base64String().map((text) => toBytes(`eJ${text}`)),
    );
    await fc.assert(
      fc.asyncProperty(body, coding, async (sent, name) => {
        expect(await readBody(post(sent, { "content-encoding": name }))).toHaveProperty("ok");
      }),
      { numRuns: 200 },
    );
  });
});

function damageByte(compressed: Uint8Array, fromEnd = 8): Uint8Array {
  const copy = new Uint8Array(compressed);
  copy[copy.length - fromEnd] = (copy[copy.length - fromEnd] ?? 0) ^ 0xff;
  return copy;
}

describe("readBodyStart of a body over a limit returns its beginning", () => {
  const head = toBytes(`${TEXT}\n`.repeat(1_000));

  /** Bytes that do not compress, the same in each run. */
  function createNoise(length: number): Uint8Array {
    let state = 1;
    return Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    });
  }

  const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
  const codings = [
    { name: "gzip", coding: "gzip", compress: gzipSync },
    { name: "deflate", coding: "deflate", compress: deflateSync },
    { name: "deflate without a header", coding: "deflate", compress: deflateRawSync },
    { name: "br", coding: "br", compress: (data: Uint8Array) => brotliCompressSync(data, quick) },
    { name: "no coding", coding: "", compress: (data: Uint8Array) => data },
  ];
  it.each(codings)("as sent: $name", async ({ coding, compress }) => {
    const body = new Uint8Array(compress(concatBytes(head, createNoise(3_000_000))));
    expect(body.length).toBeGreaterThan(limits.maxBodyBytes);
    const start = await readBodyStart(post(body, { "content-encoding": coding }));
    if (!start.ok) throw new Error(start.reason);
    expect(start.value.cutBy).toMatchObject({ limit: "maxBodyBytes" });
    expect(start.value.bytes.subarray(0, head.length)).toEqual(head);
  });

  it.each(codings.slice(0, -1))("after decompression: $name", async ({ coding, compress }) => {
    const noise = createNoise(300_000);
    const zeros = new Uint8Array(limits.maxInflatedBytes);
    const body = new Uint8Array(compress(concatBytes(head, noise, zeros)));
    expect(body.length).toBeLessThan(limits.maxBodyBytes);
    const start = await readBodyStart(post(body, { "content-encoding": coding }));
    if (!start.ok) throw new Error(start.reason);
    expect(start.value.cutBy).toMatchObject({ limit: "maxInflatedBytes" });
    expect(start.value.bytes.length).toBeLessThanOrEqual(limits.maxInflatedBytes);
    expect(start.value.bytes.subarray(0, head.length)).toEqual(head);
  });

  it("of data that compresses as much as possible too", async () => {
    const body = new Uint8Array(gzipSync(new Uint8Array(limits.maxInflatedBytes * 2)));
    const start = await readBodyStart(post(body, { "content-encoding": "gzip" }));
    if (!start.ok) throw new Error(start.reason);
    expect(start.value.cutBy).toMatchObject({ limit: "maxInflatedBytes" });
    expect(start.value.bytes.length).toBeGreaterThan(limits.maxInflatedBytes / 4);
  });

  it("but not of zstd, whose decoder needs the end", async () => {
    const body = new Uint8Array(zstdCompressSync(new Uint8Array(limits.maxInflatedBytes + 1)));
    expect(await readBodyStart(post(body, { "content-encoding": "zstd" }))).toMatchObject({
      ok: false,
      reason: "too-large",
    });
  });

  it("and stops reading", async () => {
    const megabyte = new Uint8Array(1024 * 1024);
    const { stream, counter } = createStream({
      *[Symbol.iterator]() {
        for (;;) yield megabyte;
      },
    });
    const start = await readBodyStart(post(stream, { "content-length": "900000000" }));
    expect(start.ok && start.value.bytes.length).toBe(limits.maxBodyBytes);
    expect(counter.cancelled).toBe(true);
  });
});
