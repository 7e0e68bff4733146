import { describe, expect, it } from "vitest";
import {
  ClientDisconnected,
  findControlFlowName,
  isControlFlow,
} from "#src/core/control-flow/control-flow.ts";

const throws = () => {
  throw new Error("trap");
};
const hostile = new Proxy({}, { get: throws, has: throws, getPrototypeOf: throws });
const withDigest = (digest: unknown) => Object.assign(new Error("x"), { digest });

describe("isControlFlow", () => {
  const cases: { name: string; thrown: unknown; expected: boolean }[] = [
    {
      name: "a redirect of Next.js",
      thrown: withDigest("NEXT_REDIRECT;replace;/login;307;"),
      expected: true,
    },
    {
      name: "not found of Next.js",
      thrown: withDigest("NEXT_HTTP_ERROR_FALLBACK;404"),
      expected: true,
    },
    { name: "not found of older Next.js", thrown: withDigest("NEXT_NOT_FOUND"), expected: true },
    {
      name: "a client-side bail-out",
      thrown: withDigest("BAILOUT_TO_CLIENT_SIDE_RENDERING"),
      expected: true,
    },
    { name: "dynamic usage", thrown: withDigest("DYNAMIC_SERVER_USAGE"), expected: true },
    {
      name: "an interrupted prerender",
      thrown: withDigest("NEXT_PRERENDER_INTERRUPTED"),
      expected: true,
    },
    {
      name: "a redirect of React Router",
      thrown: withDigest('REACT_ROUTER_ERROR:REDIRECT:{"a":1}'),
      expected: true,
    },
    {
      name: "a signal of Waku",
      thrown: { digest: '__WAKU_CUSTOM_ERROR__;{"status":404}' },
      expected: true,
    },
    {
      name: "a failure of a server that React Router passes on",
      thrown: withDigest('REACT_ROUTER_ERROR:ROUTE_ERROR_RESPONSE:{"status":503,"statusText":""}'),
      expected: false,
    },
    {
      name: "a failure of Waku",
      thrown: { digest: '__WAKU_CUSTOM_ERROR__;{"status":500}' },
      expected: false,
    },
    { name: "a sentence as a digest", thrown: withDigest("NEXT_REDIRECT failed"), expected: false },
    { name: "a thrown redirect", thrown: new Response(null, { status: 302 }), expected: true },
    { name: "a thrown 404", thrown: { status: 404, headers: new Headers() }, expected: true },
    { name: "a disconnected client", thrown: ClientDisconnected, expected: true },
    {
      name: "an abort because of a disconnected client",
      thrown: Object.assign(new DOMException("aborted", "AbortError"), {
        cause: ClientDisconnected,
      }),
      expected: true,
    },
    { name: "an ordinary error", thrown: new TypeError("x"), expected: false },
    {
      name: "an ordinary abort",
      thrown: new DOMException("aborted", "AbortError"),
      expected: false,
    },
    { name: "an error with an ordinary digest", thrown: withDigest("2338823894"), expected: false },
    {
      name: "a digest that only begins like a signal",
      thrown: withDigest("NEXT_NOT_FOUNDATION"),
      expected: false,
    },
    { name: "a digest that is not a string", thrown: withDigest(404), expected: false },
    {
      name: "a thrown response of a failed server",
      thrown: new Response(null, { status: 500 }),
      expected: false,
    },
    {
      name: "an HTTP client's error that carries status and headers",
      thrown: Object.assign(new Error("upstream"), { status: 404, headers: {} }),
      expected: false,
    },
    { name: "a status without headers", thrown: { status: 404 }, expected: false },
    { name: "an object whose traps throw", thrown: hostile, expected: false },
    { name: "null", thrown: null, expected: false },
    { name: "a string", thrown: "NEXT_NOT_FOUND", expected: false },
  ];
  for (const { name, thrown, expected } of cases) {
    it(`is ${expected} for ${name}`, () => expect(isControlFlow(thrown)).toBe(expected));
  }
});

describe("findControlFlowName", () => {
  it("returns the signal of a control-flow digest and undefined for other digests", () => {
    expect(findControlFlowName("NEXT_REDIRECT;replace;/login;307;")).toBe("NEXT_REDIRECT");
    expect(findControlFlowName("2338823894")).toBeUndefined();
  });
});
