// Pages and other responses through the Worker in front of a site, on workerd: byte for byte what
// the site has sent, but for the tag.

import { createHash } from "node:crypto";
import { once } from "node:events";
import { get, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FrontInTest, openFront } from "#support/front/front.ts";
import { CORPUS_PAGES, findMark, toBytes } from "#support/front/pages.ts";
import {
  type ExactResponse,
  type ExactSite,
  getExactly,
  NAVIGATION,
  openExactSite,
  type SiteAnswer,
} from "#support/front/site.ts";

const HTML = "text/html; charset=utf-8";
const PAGE = `<!doctype html><html lang="en"><head><title>x</title></head><body><p>x</p></body></html>`;
const TAG =
  /<script data-cfasync="false" src="\/monitoring\/errata-\w{12}\.js" data-token="[\w-]{35,40}" data-errata><\/script>/;

const answers = new Map<string, SiteAnswer>();
let site: ExactSite;
let front: FrontInTest;
let count = 0;

/** Serves an answer at a path of its own. */
function publish(answer: SiteAnswer): string {
  const path = `/${++count}`;
  answers.set(path, answer);
  return path;
}

/** What a browser receives of an answer, by default for a navigation. */
function visit(answer: SiteAnswer, options: Parameters<typeof getExactly>[1] = {}) {
  return getExactly(front.url + publish(answer), options);
}

/** The body without its tag, and where that was; -1 if there is none. */
function removeTag(body: Buffer): { rest: Buffer; at: number } {
  const text = body.toString("latin1");
  const found = TAG.exec(text);
  if (found === null) return { rest: body, at: -1 };
  const { 0: tag, index } = found;
  expect(text.slice(index + tag.length)).not.toMatch(TAG);
  return {
    rest: Buffer.concat([body.subarray(0, index), body.subarray(index + tag.length)]),
    at: index,
  };
}

/** Headers that belong to a connection, and not to the response. */
const OF_CONNECTION = /^(?:connection|keep-alive|transfer-encoding|date)$/i;

function listHeaders({ rawHeaders }: Pick<ExactResponse, "rawHeaders">): string[] {
  const lines: string[] = [];
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n] ?? "";
    if (!OF_CONNECTION.test(name)) lines.push(`${name.toLowerCase()}: ${rawHeaders[n + 1]}`);
  }
  return lines.sort();
}

/** Asserts that a response is that of the site, with all of its headers. */
async function expectUntouched(answer: SiteAnswer, options: Parameters<typeof getExactly>[1] = {}) {
  const path = publish(answer);
  const [direct, through] = await Promise.all([
    getExactly(`http://127.0.0.1:${site.port}${path}`, options),
    getExactly(front.url + path, options),
  ]);
  expect(through.status).toBe(direct.status);
  expect(through.body.equals(direct.body)).toBe(true);
  expect(listHeaders(through)).toEqual(listHeaders(direct));
  expect(through.isComplete).toBe(true);
}

const page = (headers: SiteAnswer["headers"] = {}, text = PAGE): SiteAnswer => ({
  headers: { "content-type": HTML, ...headers },
  chunks: [Buffer.from(text, "latin1")],
});
const asked = (headers: Record<string, string>) => ({ headers: { ...NAVIGATION, ...headers } });
const ask = (headers: Record<string, string>) => ({ headers });

beforeAll(async () => {
  site = await openExactSite(
    (path) => answers.get(path),
    ({ headers }, socket) => {
      const key = `${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
      const accept = createHash("sha1").update(key).digest("base64");
      socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n");
      socket.write(`Connection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
      // A text of two letters.
      socket.write(Buffer.from([0x81, 0x02, 0x6f, 0x6b]));
      socket.on("error", () => undefined);
    },
  );
  front = await openFront(site);
}, 120_000);
afterAll(async () => {
  await front?.stop();
  await site?.close();
});

describe("a page", () => {
  it.each(CORPUS_PAGES)("is the same but for the tag: $name", async ({ page, type = HTML }) => {
    const bytes = toBytes(page);
    const { body, isComplete } = await visit({
      headers: { "content-type": type },
      chunks: [bytes],
    });
    const { rest, at } = removeTag(body);
    expect(isComplete).toBe(true);
    expect(rest.equals(bytes)).toBe(true);
    expect(at).toBe(findMark(page) ?? -1);
  });

  it("is the same wherever the site splits it", async () => {
    const text =
      "<!-- x --><!doctype html>\n<html lang='de'><head>¦<title>x</title></head><p>x</p>";
    const bytes = toBytes(text);
    for (let end = 1; end < bytes.length; end++) {
      const chunks = [bytes.subarray(0, end), bytes.subarray(end)];
      const { body } = await visit({ headers: { "content-type": HTML }, chunks });
      const { rest, at } = removeTag(body);
      expect([rest.equals(bytes), at], `split at ${end}`).toEqual([true, findMark(text)]);
    }
  });

  it("is the same in chunks of one byte", async () => {
    const chunks = Array.from(Buffer.from(PAGE), (byte) => Buffer.from([byte]));
    const { body } = await visit({ headers: { "content-type": HTML }, chunks });
    expect(removeTag(body)).toEqual({ rest: Buffer.from(PAGE), at: 37 });
  });

  it("is the same in chunks of 4 KB", async () => {
    const bytes = Buffer.from(`${PAGE}${"<p>a row</p>".repeat(20_000)}`);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 4_096) }, (_, n) =>
      bytes.subarray(n * 4_096, (n + 1) * 4_096),
    );
    const { body } = await visit({ headers: { "content-type": HTML }, chunks });
    expect(removeTag(body).rest.equals(bytes)).toBe(true);
  });

  it("of 30 MB is the same", async () => {
    const bytes = Buffer.concat([Buffer.from(PAGE), Buffer.alloc(30_000_000, "<p>x</p>")]);
    const { body, isComplete } = await visit({
      headers: { "content-type": HTML },
      chunks: [bytes],
    });
    expect([isComplete, removeTag(body).rest.equals(bytes)]).toEqual([true, true]);
  }, 30_000);

  it.each([
    ["gzip", gzipSync, gunzipSync],
    ["br", brotliCompressSync, brotliDecompressSync],
  ])("is compressed as the site compressed it: %s", async (coding, compress, decompress) => {
    const bytes = Buffer.from(PAGE + "<p>a row</p>".repeat(5_000));
    const headers = { "content-type": HTML, "content-encoding": coding };
    const { body, headers: got } = await visit({ headers, chunks: [compress(bytes)] });
    expect(got["content-encoding"]).toBe(coding);
    expect(removeTag(decompress(body)).rest.equals(bytes)).toBe(true);
  });

  it("keeps its status, its text and its cookies, and loses what its bytes no longer fulfill", async () => {
    const { status, headers, rawHeaders } = await visit({
      status: 404,
      headers: {
        ...{ "content-type": HTML, etag: '"abc"', "content-length": `${PAGE.length}` },
        ...{ "accept-ranges": "bytes", vary: "Accept", "x-own": "1" },
        "set-cookie": ["a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT", "b=2; Path=/"],
      },
      chunks: [Buffer.from(PAGE)],
    });
    expect([status, headers.etag, headers.vary, headers["x-own"]]).toEqual([
      ...[404, 'W/"abc"', "Accept", "1"],
    ]);
    expect(headers).not.toHaveProperty("accept-ranges");
    expect(headers["content-length"]).not.toBe(`${PAGE.length}`);
    expect(rawHeaders.filter((_, n) => /^set-cookie$/i.test(rawHeaders[n - 1] ?? ""))).toEqual([
      ...["a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT", "b=2; Path=/"],
    ]);
  });

  it("keeps a weak validator, and what the site says about its own times and reports", async () => {
    const { headers } = await visit(
      page({
        etag: 'W/"abc"',
        "server-timing": "db;dur=3",
        "reporting-endpoints": 'default="/own"',
      }),
    );
    expect(headers.etag).toBe('W/"abc"');
    expect(headers["server-timing"]).toMatch(
      /^db;dur=3, errata-trace;desc="[\da-f]{32}", errata-token;desc="[\w-]{35,40}"$/,
    );
    expect(headers["reporting-endpoints"]).toBe('default="/own"');
  });

  it.each([
    ["a form was sent", { method: "POST", ...asked({}), body: "a=1" }],
    ["a frame shows it", asked({ "sec-fetch-dest": "iframe" })],
  ])("gets the tag if %s", async (_, options) => {
    expect(removeTag((await visit(page(), options)).body).at).toBe(37);
  });
});

describe("a response that is not touched", () => {
  const large = Buffer.alloc(30_000_000, "0123456789");
  it.each<[string, SiteAnswer, Parameters<typeof getExactly>[1]?]>([
    ["JSON", page({ "content-type": "application/json" })],
    ["a script", page({ "content-type": "text/javascript" })],
    ["an image", page({ "content-type": "image/png" }, "\x89PNG\r\n\x1a\n\0\0")],
    ["XHTML", page({ "content-type": "application/xhtml+xml" })],
    ["no type", { chunks: [Buffer.from(PAGE)] }],
    ["UTF-16 by its header", page({ "content-type": "text/html; charset=utf-16" })],
    ["an unknown charset", page({ "content-type": "text/html; charset=utf-7" })],
    ["a download", page({ "content-disposition": "attachment" })],
    ["a download of 30 MB", { headers: { "content-type": "text/plain" }, chunks: [large] }],
    ["no-transform", page({ "cache-control": "public, no-transform" })],
    ["a digest of the content", page({ "content-digest": "sha-256=:abc=:" })],
    ["deflate", page({ "content-encoding": "deflate" }, "\x78\x9c\x01")],
    ["zstd", page({ "content-encoding": "zstd" }, "\x28\xb5\x2f\xfd")],
    [
      "a part",
      { ...page({ "content-range": "bytes 0-9/50" }), status: 206 },
      asked({ range: "bytes=0-9" }),
    ],
    ["no content", { status: 204 }],
    ["a redirect", { status: 302, headers: { location: "/x", "content-type": HTML } }],
    ["an unchanged page", { status: 304, headers: { etag: '"a"', "content-type": HTML } }],
    [
      "the answer to HEAD",
      page({ "content-length": "3" }, "abc"),
      { method: "HEAD", ...asked({}) },
    ],
    ["what a script reads", page(), asked({ "sec-fetch-dest": "empty" })],
    ["what a program reads", page(), ask({ accept: "*/*" })],
    ["a part of a page for a script", page(), asked({ "hx-request": "true" })],
    ["an empty page", page({ "content-length": "0" }, "")],
    ["a page of an adapter", page({ "server-timing": 'errata-token;desc="x"' })],
    ["a page that wants no scripts", page({ "content-security-policy": "script-src 'none'" })],
    [
      "a page whose own policy blocks the reports",
      page(
        {},
        `<head><meta http-equiv="Content-Security-Policy" content="default-src 'none'"></head>`,
      ),
    ],
    ["AMP with a length", page({ "content-length": "26" }, "<html amp><head></head><p>")],
    ["JSON as a page", page({ etag: '"a"' }, `{"a":1}`)],
    ["a failed script", { ...page({ "content-type": "application/json" }), status: 500 }],
  ])("is the site's, with all headers: %s", async (_, answer, options) => {
    await expectUntouched(answer, options);
  });

  it("is an upgrade to a WebSocket", async () => {
    const { port } = new URL(front.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.write("GET /socket HTTP/1.1\r\nHost: shop.example\r\nUpgrade: websocket\r\n");
    socket.write("Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n");
    socket.write("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    let received = Buffer.alloc(0);
    while (!received.includes("\x02ok")) {
      const [chunk]: Buffer[] = await once(socket, "data");
      received = Buffer.concat([received, chunk ?? Buffer.alloc(0)]);
    }
    socket.destroy();
    expect(received.toString("latin1")).toMatch(/^HTTP\/1\.1 101 /);
  });
});

describe("a response that is being sent", () => {
  /** Reads a response chunk by chunk. */
  async function open(
    path: string,
  ): Promise<{ response: IncomingMessage; next: () => Promise<string> }> {
    const sent = get(front.url + path, { headers: NAVIGATION });
    const [response]: IncomingMessage[] = await once(sent, "response");
    if (response === undefined) throw new Error("There is no response.");
    response.setEncoding("latin1");
    const next = async () => String((await once(response, "data"))[0]);
    return { response, next };
  }

  /** An answer whose chunks the test sends one by one. */
  function control(type: string) {
    let opened: (response: ServerResponse) => void;
    const response = new Promise<ServerResponse>((resolve) => {
      opened = resolve;
    });
    const path = publish({ headers: { "content-type": type }, send: (it) => opened(it) });
    return { path, response };
  }

  it.each([
    ["events", "text/event-stream", "data: 1\n\n", "data: 2\n\n"],
    ["a page", HTML, "<!doctype html><html><head><title>", "x</title>"],
  ])("arrives as the site sends it: %s", async (_, type, first, second) => {
    const { path, response } = control(type);
    const opening = open(path);
    const sending = await response;
    sending.write(first);
    const { next } = await opening;
    // The second chunk is sent when the first one has arrived.
    expect(removeTag(Buffer.from(await next(), "latin1")).rest.toString()).toBe(first);
    sending.write(second);
    expect(await next()).toBe(second);
    sending.end();
  });

  it("ends unfinished if the site fails in the middle, and what it sent has arrived", async () => {
    const start = `<html><head><title>x</title>${"<p>x</p>".repeat(10_000)}`;
    const { path, response } = control(HTML);
    const visiting = getExactly(front.url + path);
    const sending = await response;
    sending.write(start, () => sending.destroy());
    const { body, isComplete, status } = await visiting;
    expect([status, isComplete]).toEqual([200, false]);
    const { rest } = removeTag(body);
    expect(rest.equals(Buffer.from(start).subarray(0, rest.length))).toBe(true);
  });

  it("ends the site's work if the visitor leaves", async () => {
    const { path, response } = control(HTML);
    const opening = open(path);
    const sending = await response;
    const closed = once(sending, "close");
    sending.write("<html><head><title>x</title>");
    const { response: received } = await opening;
    received.destroy();
    const timer = setInterval(() => sending.write("<p>x</p>"), 5);
    await closed;
    clearInterval(timer);
  });
});

it("the Worker has printed no error", () => {
  expect(front.log.filter(({ level }) => level === "error")).toEqual([]);
});
