import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/core/limits.ts";
import { readBody } from "../../src/http/body.ts";
import { bytes, joined } from "../support/bytes.ts";

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

describe("readBody refuses", () => {
  const refused = [
    { name: "brotli", coding: "br", body: bytes(TEXT), reason: "bad-encoding" },
    { name: "zstd", coding: "zstd", body: bytes(TEXT), reason: "bad-encoding" },
    {
      name: "gzip in gzip",
      coding: "gzip, gzip",
      body: gzipSync(gzipSync(TEXT)),
      reason: "bad-encoding",
    },
    {
      name: "plain text that says gzip",
      coding: "gzip",
      body: bytes(TEXT),
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
      name: "raw deflate, which HTTP does not mean",
      coding: "deflate",
      body: deflateRawSync(TEXT),
      reason: "bad-encoding",
    },
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
    const body = await readBody(post(bytes(TEXT), { "content-encoding": "br" }));
    expect(body).toMatchObject({ expected: expect.stringMatching(/gzip.*deflate/) });
  });

  it("a body that ends too early as body-cut", async () => {
    const { stream } = pieces([bytes('{"mess')], "fail");
    expect(await textOf(post(stream))).toBe("body-cut");
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

  it("stops a decompression bomb while it inflates", async () => {
    // A gzip file may have many members; in one piece the bomb would not fit into the isolate that makes it.
    const member = gzipSync(new Uint8Array(32 * 1024 * 1024), { level: 1 });
    const bomb = joined(...Array.from({ length: 12 }, () => member));
    const body = await readBody(post(bomb, { "content-encoding": "gzip" }));
    expect(body).toEqual({
      ok: false,
      reason: "too-large",
      limit: "maxInflatedBytes",
      max: limits.maxInflatedBytes,
    });
  }, 20_000);

  it("takes what inflates to limits.maxInflatedBytes, and not one byte more", async () => {
    const zipped = (length: number) => new Uint8Array(gzipSync(new Uint8Array(length)));
    const read = (length: number) =>
      readBody(post(zipped(length), { "content-encoding": "gzip" })).then((body) => body.ok);
    expect(await read(limits.maxInflatedBytes)).toBe(true);
    expect(await read(limits.maxInflatedBytes + 1)).toBe(false);
  });

  it("gives a value for any bytes and any encoding, and never rejects", async () => {
    const coding = fc.constantFrom("gzip", "deflate", "br", "", "identity", "x");
    const body = fc.oneof(
      fc.uint8Array(),
      fc.uint8Array().map((raw) => new Uint8Array(gzipSync(raw))),
    );
    await fc.assert(
      fc.asyncProperty(body, coding, async (sent, name) => {
        expect(await readBody(post(sent, { "content-encoding": name }))).toHaveProperty("ok");
      }),
      { numRuns: 200 },
    );
  });
});

function damaged(zipped: Uint8Array): Uint8Array {
  const copy = new Uint8Array(zipped);
  copy[copy.length - 8] = (copy[copy.length - 8] ?? 0) ^ 0xff;
  return copy;
}
