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
import { limits } from "../../../src/core/limits.ts";
import { readBody } from "../../../src/http/read-body.ts";
import { bytes, joined } from "../../support/bytes.ts";

const TEXT = '{"message":"hello"}';

function post(body: BodyInit | null, headers: Record<string, string> = {}): Request {
  return new Request("https://errata.example/monitoring", {
    method: "POST",
    body,
    headers,
    // Node asks for it where the body is a stream.
    ...(body instanceof ReadableStream && { duplex: "half" }),
  });
}

/** A body in pieces, without a Content-Length. `pulled` counts what was asked for. */
function pieces(chunks: Iterable<Uint8Array>, end: "close" | "fail" = "close") {
  const iterator = chunks[Symbol.iterator]();
  const counter = { pulled: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = iterator.next();
      counter.pulled += 1;
      if (!done) controller.enqueue(value);
      else if (end === "close") controller.close();
      else controller.error(new Error("the sender went away"));
    },
    cancel() {
      counter.cancelled = true;
    },
  });
  return { stream, counter };
}

async function textOf(request: Request) {
  const body = await readBody(request);
  return body.ok ? new TextDecoder().decode(body.value) : body.reason;
}

describe("readBody undoes the Content-Encoding", () => {
  const codings = [
    { name: "none", coding: undefined, body: bytes(TEXT) },
    { name: "gzip", coding: "gzip", body: gzipSync(TEXT) },
    { name: "x-gzip, in capitals", coding: "X-GZIP", body: gzipSync(TEXT) },
    { name: "deflate, which is zlib's format", coding: "deflate", body: deflateSync(TEXT) },
    { name: "deflate without zlib's header", coding: "deflate", body: deflateRawSync(TEXT) },
    { name: "br", coding: "br", body: brotliCompressSync(TEXT) },
    { name: "zstd", coding: "zstd", body: zstdCompressSync(TEXT) },
    { name: "gzip in gzip", coding: "gzip, gzip", body: gzipSync(gzipSync(TEXT)) },
    { name: "br, then gzip", coding: "br, gzip", body: gzipSync(brotliCompressSync(TEXT)) },
    { name: "identity", coding: "identity", body: bytes(TEXT) },
    { name: "identity, gzip", coding: "identity, gzip", body: gzipSync(TEXT) },
    { name: "an empty header, which an SDK has sent", coding: "", body: bytes(TEXT) },
    { name: "UTF-8, which an SDK has sent", coding: "UTF-8", body: bytes(TEXT) },
  ];
  it.each(codings)("$name", async ({ coding, body }) => {
    const headers: Record<string, string> =
      coding === undefined ? {} : { "content-encoding": coding };
    expect(await textOf(post(new Uint8Array(body), headers))).toBe(TEXT);
  });

  // With a "[" of its own at the start, as many a long body in br has.
  it("of br that begins like JSON", async () => {
    const text = JSON.stringify(Array.from({ length: 9_000 }, (_, n) => `line ${n * 7_919}`));
    const body = new Uint8Array(brotliCompressSync(text));
    expect(body[0]).toBe(0x5b);
    expect(await textOf(post(body, { "content-encoding": "br" }))).toBe(text);
  });

  it("byte for byte, whatever the pieces", async () => {
    const body = fc.uint8Array({ maxLength: 20_000 });
    await fc.assert(
      fc.asyncProperty(body, fc.integer({ min: 1, max: 9_000 }), async (whole, size) => {
        fc.pre(whole.length > 0);
        const zipped = new Uint8Array(gzipSync(whole));
        const chunks = Array.from({ length: Math.ceil(zipped.length / size) }, (_, index) =>
          zipped.subarray(index * size, (index + 1) * size),
        );
        const request = post(pieces(chunks).stream, { "content-encoding": "gzip" });
        expect(await readBody(request)).toEqual({ ok: true, value: whole });
      }),
      { numRuns: 50 },
    );
  });
});

describe("readBody believes a clear body more than its header", () => {
  const base64 = (zipped: Uint8Array) => bytes(Buffer.from(zipped).toString("base64"));
  const taken = [
    { name: "JSON that says gzip", coding: "gzip", body: bytes(TEXT) },
    { name: "JSON that says br", coding: "br", body: bytes(TEXT) },
    { name: "JSON that says zstd", coding: "zstd", body: bytes(TEXT) },
    { name: "JSON that says deflate", coding: "deflate", body: bytes(TEXT) },
    { name: "JSON in a coding that nobody knows", coding: "exi", body: bytes(TEXT) },
    { name: "JSON in too many codings", coding: "br, gzip, gzip", body: bytes(TEXT) },
    { name: "gzip that says it is gzip in gzip", coding: "gzip, gzip", body: gzipSync(TEXT) },
    { name: "gzip in a coding that nobody knows", coding: "exi, gzip", body: gzipSync(TEXT) },
    { name: "gzip that says nothing", coding: "", body: gzipSync(TEXT) },
    { name: "zstd that says nothing", coding: "", body: zstdCompressSync(TEXT) },
    { name: "base64 of zlib", coding: "", body: base64(deflateSync(TEXT)) },
    { name: "base64 of fast zlib", coding: "", body: base64(deflateSync(TEXT, { level: 1 })) },
    { name: "base64 of small zlib", coding: "", body: base64(deflateSync(TEXT, { level: 9 })) },
    {
      name: "base64 of zlib in lines",
      coding: "",
      body: bytes(
        `${Buffer.from(deflateSync(TEXT)).toString("base64").replace(/.{10}/g, "$&\r\n")}\n`,
      ),
    },
  ];
  it.each(taken)("$name", async ({ coding, body }) => {
    const request = post(new Uint8Array(body), { "content-encoding": coding });
    expect(await textOf(request)).toBe(TEXT);
  });

  const asTheyAre = [
    { name: "JSON behind white space that says gzip", coding: "gzip", body: bytes(" \r\n\t[]") },
    { name: "JSON behind a byte order mark that says br", coding: "br", body: bytes("\ufeff {}") },
    { name: "text that says identity", coding: "identity", body: bytes("message=hello") },
    { name: "text that says UTF-8", coding: "utf8, UTF-8", body: bytes("message=hello") },
    { name: "what only begins like base64", coding: "", body: bytes("eJust a message") },
    { name: "base64 that is no zlib", coding: "", body: bytes("eJxxxxxxxxxx") },
    { name: "base64 of zlib of no JSON", coding: "", body: base64(deflateSync("hello")) },
    { name: "a request of OTLP in protobuf", coding: "", body: new Uint8Array([0x0a, 2, 0x12, 0]) },
    { name: "bytes that begin a little like gzip", coding: "", body: new Uint8Array([0x1f, 0x8b]) },
  ];
  it.each(asTheyAre)("$name stays as it is", async ({ coding, body }) => {
    const request = post(new Uint8Array(body), { "content-encoding": coding });
    expect(await readBody(request)).toEqual({ ok: true, value: new Uint8Array(body) });
  });
});

describe("readBody refuses", () => {
  const refused = [
    {
      name: "plain text that says gzip",
      coding: "gzip",
      body: bytes("message=hello"),
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
      body: damaged(gzipSync(TEXT)),
      reason: "bad-encoding",
    },
    {
      name: "something behind the gzip",
      coding: "gzip",
      body: joined(gzipSync(TEXT), "trailing"),
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
      body: damaged(deflateSync(TEXT), 1),
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
      name: "zstd that says br",
      coding: "br",
      body: zstdCompressSync(TEXT),
      reason: "bad-encoding",
    },
    {
      name: "gzip that says it is gzip in gzip",
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
      name: "a coding that nobody knows",
      coding: "exi",
      body: bytes("message=hello"),
      reason: "bad-encoding",
    },
    {
      name: "half a gzip that says nothing",
      coding: "",
      body: gzipSync(TEXT).subarray(0, 20),
      reason: "bad-encoding",
    },
    { name: "br of nothing", coding: "br", body: brotliCompressSync(""), reason: "empty" },
    { name: "an empty body", coding: "", body: bytes(""), reason: "empty" },
    { name: "gzip of nothing", coding: "gzip", body: gzipSync(""), reason: "empty" },
  ];
  it.each(refused)("$name as $reason", async ({ coding, body, reason }) => {
    const request = post(new Uint8Array(body), { "content-encoding": coding });
    expect(await textOf(request)).toBe(reason);
  });

  it("no body at all as empty", async () => {
    expect(await textOf(post(null))).toBe("empty");
  });

  it("an unknown encoding by saying which are understood", async () => {
    const body = await readBody(post(bytes("message=hello"), { "content-encoding": "exi" }));
    expect(body).toMatchObject({ expected: expect.stringMatching(/gzip.*deflate.*br.*zstd/) });
  });

  it("a body that ends too early as body-cut", async () => {
    const { stream } = pieces([bytes('{"mess')], "fail");
    expect(await textOf(post(stream))).toBe("truncated-body");
  });
});

describe("readBody caps", () => {
  const megabyte = new Uint8Array(1024 * 1024).fill(0x20);

  it("takes a body of limits.maxBodyBytes", async () => {
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
    const { stream, counter } = pieces({
      *[Symbol.iterator]() {
        for (;;) yield megabyte;
      },
    });
    expect(await textOf(post(stream))).toBe("too-large");
    expect(counter.pulled).toBeLessThan(6);
    expect(counter.cancelled).toBe(true);
  });

  it("does not read what says by itself that it is too long", async () => {
    const { stream, counter } = pieces([bytes(TEXT)]);
    const request = post(stream, { "content-length": String(limits.maxBodyBytes + 1) });
    expect(await textOf(request)).toBe("too-large");
    expect(counter.pulled).toBeLessThanOrEqual(1);
  });

  it("does not believe a Content-Length that is too short", async () => {
    const { stream } = pieces([megabyte, megabyte, megabyte]);
    expect(await textOf(post(stream, { "content-length": "10" }))).toBe("too-large");
  });

  const large = new Uint8Array(32 * megabyte.length);
  const bombs = [
    {
      // A gzip file may have many members; in one piece the bomb would not fit into the isolate
      // that makes it.
      name: "gzip",
      coding: "gzip",
      bomb: () => joined(...Array.from({ length: 12 }, () => gzipSync(large, { level: 1 }))),
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
    { name: "gzip that says nothing", coding: "", bomb: () => gzipSync(large) },
    { name: "zstd that says nothing", coding: "", bomb: () => zstdCompressSync(large) },
    {
      name: "base64 of zlib",
      coding: "",
      bomb: () => bytes(Buffer.from(deflateSync(large)).toString("base64")),
    },
  ];
  it.each(bombs)("stops a bomb while it inflates: $name", async ({ coding, bomb }) => {
    const body = new Uint8Array(bomb());
    expect(body.length).toBeLessThan(limits.maxBodyBytes);
    expect(await readBody(post(body, { "content-encoding": coding }))).toEqual({
      ok: false,
      reason: "too-large",
      limit: "maxInflatedBytes",
      max: limits.maxInflatedBytes,
    });
  });

  it("takes what inflates to limits.maxInflatedBytes, and not one byte more", async () => {
    const zipped = (length: number) => new Uint8Array(gzipSync(new Uint8Array(length)));
    const read = (length: number) =>
      readBody(post(zipped(length), { "content-encoding": "gzip" })).then((body) => body.ok);
    expect(await read(limits.maxInflatedBytes)).toBe(true);
    expect(await read(limits.maxInflatedBytes + 1)).toBe(false);
  });

  it("gives a value for any bytes and any encoding, and never rejects", async () => {
    const one = fc.constantFrom("gzip", "deflate", "br", "zstd", "", "identity", "x");
    const coding = fc.array(one, { maxLength: 3 }).map((codings) => codings.join(", "));
    const zip = fc.constantFrom(gzipSync, deflateSync, deflateRawSync, zstdCompressSync);
    const body = fc.oneof(
      fc.uint8Array(),
      fc.tuple(fc.uint8Array(), zip).map(([raw, zipped]) => new Uint8Array(zipped(raw))),
      fc.base64String().map((text) => bytes(`eJ${text}`)),
    );
    await fc.assert(
      fc.asyncProperty(body, coding, async (sent, name) => {
        expect(await readBody(post(sent, { "content-encoding": name }))).toHaveProperty("ok");
      }),
      { numRuns: 200 },
    );
  });
});

function damaged(zipped: Uint8Array, fromEnd = 8): Uint8Array {
  const copy = new Uint8Array(zipped);
  copy[copy.length - fromEnd] = (copy[copy.length - fromEnd] ?? 0) ^ 0xff;
  return copy;
}
