import { describe, expect, it } from "vitest";
import { openErrata } from "../errata.ts";
import { openApp, readHeaderDigest, SECRET } from "./app.ts";
import { WITHOUT_ADAPTER } from "./bare.ts";
import {
  ask,
  type Control,
  expectReportCount,
  type Failure,
  leave,
  testControls,
  testFailures,
  testUnreachable,
} from "./failing-app.ts";

const errata = openErrata();
const commands = {
  folder: "fastify",
  build: ["npm", "run", "build"],
  start: ["node", "dist/server.js"],
};
const app = openApp(commands, errata);
const bare = openApp({ ...commands, of: app, env: WITHOUT_ADAPTER });
const away = openApp({ ...commands, of: app });

const secret = (text: string) => `secret-of-the-kitchen: ${text}`;
const program = { accept: "application/json" };
const json = { "content-type": "application/json" };

const FAILURES: readonly Failure[] = [
  {
    fails: "a handler throws",
    path: "/price/7?from=mail",
    status: 500,
    shown: "notice",
    type: "TypeError",
    message: secret("cart 7 has no price"),
    route: "/price/:id",
  },
  {
    fails: "an async handler throws",
    path: "/total/8",
    status: 500,
    shown: "notice",
    type: "RangeError",
    message: secret("cart 8 has no total"),
    route: "/total/:id",
  },
  {
    fails: "a hook throws before the handler",
    path: "/hook/9",
    status: 500,
    shown: "notice",
    type: "TypeError",
    message: secret("cart h has no price"),
    route: "/hook/:id",
  },
  {
    fails: "a handler sends an error",
    path: "/sent",
    status: 500,
    shown: "notice",
    type: "Error",
    message: secret("sent"),
    route: "/sent",
  },
  {
    fails: "a handler throws a text, which Fastify would send",
    path: "/text",
    status: 500,
    shown: "notice",
    type: "String",
    message: secret("no tea"),
    route: "/text",
  },
  {
    fails: "a handler throws an object, which Fastify would send",
    path: "/object",
    status: 500,
    shown: "notice",
    type: "Object",
    message: '{"reason":"secret-of-the-kitchen: no reason"}',
    route: "/object",
  },
  {
    fails: "a handler rejects with nothing",
    path: "/nothing",
    status: 500,
    shown: "notice",
    type: "Undefined",
    message: "",
    route: "/nothing",
  },
  {
    fails: "an error has a status of its own",
    path: "/unavailable",
    status: 503,
    shown: "notice",
    type: "Error",
    message: secret("no stock"),
    route: "/unavailable",
  },
  {
    fails: "a program gets no page",
    path: "/api/orders/9",
    method: "POST",
    headers: { ...program, ...json },
    body: "{}",
    status: 500,
    shown: "problem",
    type: "RangeError",
    message: secret("cart 9 has no total"),
    route: "/api/orders/:id",
  },
  {
    fails: "a reply cannot be serialized",
    path: "/serialized",
    status: 500,
    shown: "notice",
    type: "TypeError",
    message: secret("cart z has no price"),
    route: "/serialized",
  },
  {
    fails: "a handler of a context with a prefix",
    path: "/admin/red/orders/7",
    status: 500,
    shown: "notice",
    type: "TypeError",
    message: secret("cart a has no price"),
    route: "/admin/:team/orders/:id",
  },
  {
    fails: "a page of the application's own shows the digest",
    path: "/own/page",
    status: 500,
    shown: "text",
    type: "TypeError",
    message: secret("cart own has no price"),
    route: "/own/:page",
  },
  {
    fails: "the application's own error handler answers",
    path: "/own/hidden",
    status: 500,
    shown: "header",
    type: "TypeError",
    message: secret("cart own has no price"),
    route: "/own/:page",
  },
  {
    fails: "the application's own error handler answers like Fastify",
    path: "/own/alike",
    status: 500,
    shown: "header",
    type: "TypeError",
    message: secret("cart own has no price"),
    route: "/own/:page",
  },
  {
    fails: "the application's own error handler answers with a text like Fastify's",
    path: "/own/text",
    status: 500,
    shown: "header",
    type: "TypeError",
    message: secret("cart own has no price"),
    route: "/own/:page",
  },
  {
    fails: "the application's own error handler answers with a good status",
    path: "/own/silent",
    status: 200,
    shown: "header",
    type: "TypeError",
    message: secret("cart own has no price"),
    route: "/own/:page",
  },
  {
    fails: "the application's own error handler throws the error again",
    path: "/own/passed",
    status: 500,
    shown: "notice",
    type: "TypeError",
    message: secret("cart own has no price"),
    route: "/own/:page",
  },
  {
    fails: "the application's own error handler fails",
    path: "/own/failing",
    status: 500,
    shown: "notice",
    type: "TypeError",
    message: secret("cart own has no price"),
    route: "/own/:page",
  },
  {
    fails: "a stream breaks after the headers",
    path: "/stream",
    status: 200,
    shown: "nowhere",
    type: "Error",
    message: secret("cart s has no second line"),
    route: "/stream",
    how: "stream",
  },
  {
    fails: "the body of a Response breaks after the headers",
    path: "/web-stream",
    status: 200,
    shown: "nowhere",
    type: "Error",
    message: secret("cart w has no second line"),
    route: "/web-stream",
    how: "stream",
  },
  {
    fails: "a handler throws behind its reply",
    path: "/behind-reply",
    status: 200,
    shown: "nowhere",
    type: "TypeError",
    message: secret("cart b has no price"),
    route: "/behind-reply",
  },
  {
    fails: "a stream breaks before the headers",
    path: "/no-stream",
    status: 500,
    shown: "notice",
    type: "Error",
    message: secret("no line"),
    route: "/no-stream",
  },
];

const CONTROLS: readonly Control[] = [
  { does: "a page", path: "/", status: 200 },
  { does: "a redirect", path: "/redirect", status: 302 },
  { does: "not found", path: "/missing", status: 404 },
  { does: "an error with a status below 500", path: "/forbidden", status: 403 },
  { does: "its own error handler with a status below 500", path: "/own/refused", status: 404 },
  {
    does: "a body that is invalid",
    path: "/validated",
    method: "POST",
    headers: { ...program, ...json },
    body: "{}",
    status: 400,
  },
];

describe("a failure in Fastify", () => {
  testFailures(FAILURES, { app, bare, errata });
  testUnreachable({ path: "/price/7" }, { away, bare });

  it("that replaces a page tells each fact once", async () => {
    const { headers } = await ask(app, { path: "/no-stream" });
    const names = headers.get("server-timing")?.match(/errata-\w+/g);
    expect(names?.sort()).toEqual(["errata-digest", "errata-token", "errata-trace"]);
  });

  it("of another onSend hook is answered by Fastify, with the digest in the header", async () => {
    const { body, headers, status } = await ask(app, { path: "/on-send" });
    const expected = await ask(bare, { path: "/on-send" });
    expect({ status, body }).toEqual({ status: expected.status, body: expected.body });
    expect(body).toContain(SECRET);
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(readHeaderDigest(new Response(null, { headers }))).toMatch(/^\w{4}-\w{4}$/);
  });
});

describe("what is no failure in Fastify", () => {
  testControls(CONTROLS, { app, bare, errata });

  it("is not reported, nor what fails because the visitor left", async () => {
    await leave(app, "/slow", "A slow visitor waits.");
    await ask(app, { path: "/price/7" });
    await expectReportCount(errata, FAILURES.length + 3);
  });
});
