import { describe, expect, it } from "vitest";
import { isCharsetUnnamed, judgeResponse } from "#src/front/may-touch.ts";
import { NAVIGATION } from "#support/front/site.ts";

const HTML = "text/html; charset=utf-8";

/** What a response to a navigation is, with these differences. */
function judge({
  method = "GET",
  asked = {},
  without = [],
  status = 200,
  headers = {},
  body = "<p>x",
  inFrames = true,
}: {
  method?: string;
  asked?: Record<string, string>;
  without?: readonly string[];
  status?: number;
  headers?: Record<string, string>;
  body?: string | null;
  inFrames?: boolean;
}) {
  const sent = new Headers({ ...NAVIGATION, ...asked });
  for (const name of without) sent.delete(name);
  const answered = new Headers({ "content-type": HTML, ...headers });
  return judgeResponse({ method, headers: sent }, { status, headers: answered, body }, inFrames);
}

describe("a response that may be changed", () => {
  it.each([
    ["a page", {}],
    ["the answer to a form", { method: "POST" }],
    ["a page that was not found", { status: 404 }],
    ["a failed page", { status: 500 }],
    ["a page of a frame", { asked: { "sec-fetch-dest": "iframe" } }],
    ["a page for an old browser", { without: ["sec-fetch-dest"] }],
    ["a compressed page", { headers: { "content-encoding": "GZIP" } }],
    ["a page compressed by brotli", { headers: { "content-encoding": "br" } }],
    ["a page without a charset", { headers: { "content-type": "text/html" } }],
    ["a page in capital letters", { headers: { "content-type": "TEXT/HTML;CHARSET=UTF-8" } }],
    ["a page in Latin-1", { headers: { "content-type": "text/html; charset=ISO-8859-1" } }],
    ["a page in Shift_JIS", { headers: { "content-type": 'text/html; charset="Shift_JIS"' } }],
    ["a page in GB18030", { headers: { "content-type": "text/html; charset=gb18030" } }],
    ["a page for a tab", { headers: { "content-disposition": "inline" } }],
    ["a page that caches keep", { headers: { "cache-control": "public, max-age=60" } }],
  ])("is %s", (_, differences) => {
    expect(judge(differences)).toBe("page");
  });

  it.each([
    ["the answer to HEAD", { method: "HEAD" }],
    ["the answer to PUT", { method: "PUT" }],
    ["an upgrade to a WebSocket", { status: 101 }],
    ["no content", { status: 204 }],
    ["a part of a page", { status: 206 }],
    ["a redirect", { status: 302 }],
    ["a page that did not change", { status: 304 }],
    ["an answer without a body", { body: null }],
    ["JSON", { headers: { "content-type": "application/json" } }],
    ["XHTML", { headers: { "content-type": "application/xhtml+xml" } }],
    ["events", { headers: { "content-type": "text/event-stream" } }],
    ["an unknown type of HTML", { headers: { "content-type": "text/htmlx" } }],
    ["a page in UTF-16", { headers: { "content-type": "text/html; charset=utf-16le" } }],
    ["a page in ISO-2022-JP", { headers: { "content-type": "text/html;charset=iso-2022-jp" } }],
    ["a page in an unknown charset", { headers: { "content-type": "text/html; charset=x" } }],
    ["a download", { headers: { "content-disposition": 'Attachment; filename="a.html"' } }],
    ["a page that asks for no change", { headers: { "cache-control": "no-cache,no-transform" } }],
    ["a request that asks for no change", { asked: { "cache-control": "no-transform" } }],
    ["a page with a digest of its content", { headers: { "content-digest": "sha-256=:abc=:" } }],
    ["a page with a digest of its bytes", { headers: { "repr-digest": "sha-256=:abc=:" } }],
    ["a page with a checksum", { headers: { "content-md5": "abc=" } }],
    ["a signed page", { headers: { signature: "sig=:abc=:" } }],
    ["a page in an unknown coding", { headers: { "content-encoding": "zstd" } }],
    ["a page in two codings", { headers: { "content-encoding": "gzip, br" } }],
  ])("is not %s", (_, differences) => {
    expect(judge(differences)).toBe("other");
  });

  it.each([
    ["what a script reads", { asked: { "sec-fetch-dest": "empty" } }],
    ["a page of a frame, by choice", { asked: { "sec-fetch-dest": "iframe" }, inFrames: false }],
    ["what is no page for the client", { asked: { accept: "*/*" } }],
    ["data for the client", { asked: { accept: "application/json" } }],
    ["what a client without a wish reads", { without: ["accept"] }],
    ...["HX-Request", "Turbo-Frame", "X-Turbo-Request-Id", "X-Inertia", "X-PJAX"].map(
      (name) => [`a part for ${name}`, { asked: { [name]: "true" } }] as const,
    ),
    ...["RSC", "Next-Router-State-Tree", "X-Requested-With", "X-Up-Version"].map(
      (name) => [`a part for ${name}`, { asked: { [name]: "1" } }] as const,
    ),
  ] as const)("is not %s, whose failure is reported", (_, differences) => {
    expect(judge(differences)).toBe("part");
  });
});

it.each([
  ["text/html", true],
  ["text/html; charset=utf-8", false],
  ['text/html; boundary=x; charset="utf-8"', false],
])("the charset of %s is unnamed: %s", (type, isUnnamed) => {
  expect(isCharsetUnnamed({ headers: new Headers({ "content-type": type }) })).toBe(isUnnamed);
});
