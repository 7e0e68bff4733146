import { describe, expect, it } from "vitest";
import {
  ClientDisconnected,
  findControlFlowName,
  isControlFlow,
} from "../../../src/core/report/control-flow.ts";

const throws = () => {
  throw new Error("trap");
};
const hostile = new Proxy({}, { get: throws, has: throws, getPrototypeOf: throws });
const withDigest = (digest: unknown) => Object.assign(new Error("x"), { digest });

describe("isControlFlow", () => {
  const cases: { name: string; thrown: unknown; is: boolean }[] = [
    {
      name: "a redirect of Next.js",
      thrown: withDigest("NEXT_REDIRECT;replace;/login;307;"),
      is: true,
    },
    { name: "not found of Next.js", thrown: withDigest("NEXT_HTTP_ERROR_FALLBACK;404"), is: true },
    { name: "not found of older Next.js", thrown: withDigest("NEXT_NOT_FOUND"), is: true },
    {
      name: "a client-side bail-out",
      thrown: withDigest("BAILOUT_TO_CLIENT_SIDE_RENDERING"),
      is: true,
    },
    { name: "dynamic usage", thrown: withDigest("DYNAMIC_SERVER_USAGE"), is: true },
    {
      name: "an interrupted prerender",
      thrown: withDigest("NEXT_PRERENDER_INTERRUPTED"),
      is: true,
    },
    {
      name: "a redirect of React Router",
      thrown: withDigest('REACT_ROUTER_ERROR:REDIRECT:{"a":1}'),
      is: true,
    },
    {
      name: "a signal of Waku",
      thrown: { digest: '__WAKU_CUSTOM_ERROR__;{"status":404}' },
      is: true,
    },
    { name: "a thrown redirect", thrown: new Response(null, { status: 302 }), is: true },
    { name: "a thrown 404", thrown: { status: 404, headers: new Headers() }, is: true },
    { name: "a disconnected client", thrown: ClientDisconnected, is: true },
    {
      name: "an abort because of a disconnected client",
      thrown: Object.assign(new DOMException("aborted", "AbortError"), {
        cause: ClientDisconnected,
      }),
      is: true,
    },
    { name: "an ordinary error", thrown: new TypeError("x"), is: false },
    { name: "an ordinary abort", thrown: new DOMException("aborted", "AbortError"), is: false },
    { name: "an error with an ordinary digest", thrown: withDigest("2338823894"), is: false },
    {
      name: "a digest that only begins like a signal",
      thrown: withDigest("NEXT_NOT_FOUNDATION"),
      is: false,
    },
    { name: "a digest that is no string", thrown: withDigest(404), is: false },
    {
      name: "a thrown response of a failed server",
      thrown: new Response(null, { status: 500 }),
      is: false,
    },
    {
      name: "an HTTP client's error that carries status and headers",
      thrown: Object.assign(new Error("upstream"), { status: 404, headers: {} }),
      is: false,
    },
    { name: "a status without headers", thrown: { status: 404 }, is: false },
    { name: "an object whose traps throw", thrown: hostile, is: false },
    { name: "null", thrown: null, is: false },
    { name: "a string", thrown: "NEXT_NOT_FOUND", is: false },
  ];
  for (const { name, thrown, is } of cases) {
    it(`is ${is} for ${name}`, () => expect(isControlFlow(thrown)).toBe(is));
  }
});

describe("controlFlowName", () => {
  it("names the signal of a digest, and nothing else", () => {
    expect(findControlFlowName("NEXT_REDIRECT;replace;/login;307;")).toBe("NEXT_REDIRECT");
    expect(findControlFlowName("2338823894")).toBeUndefined();
  });
});
