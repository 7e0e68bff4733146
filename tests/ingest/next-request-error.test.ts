import { describe, expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { limits } from "#src/core/limits.ts";
import { HEADER_ALLOWLIST } from "#src/core/request/header-allowlist.ts";
import { parseNextRequestError } from "#src/ingest/next-request-error.ts";
import { getReport, listOutcomes } from "#support/reports/parsed-items.ts";

const OWN = digestFromHash(new Uint8Array(32).fill(7));
const STACK = "TypeError: no\n    at b (/srv/shop/.next/server/chunks/ssr/page.js:1:1554)";
const REQUEST = {
  path: "/boom?who=jane",
  method: "GET",
  headers: {
    host: "shop.example",
    "user-agent": "curl/7.88.1",
    cookie: "a=b",
    "x-forwarded-for": "192.0.2.1",
  },
};
const CONTEXT = {
  routerKind: "App Router",
  routePath: "/boom",
  routeType: "render",
  renderSource: "react-server-components",
};

const read = (body: object) => getReport(parseNextRequestError(body)[0]);

describe("parseNextRequestError", () => {
  const shapes = [
    {
      name: "in the documentation's shape",
      body: {
        message: "no",
        digest: "1260811685",
        stack: STACK,
        request: REQUEST,
        context: CONTEXT,
      },
    },
    {
      name: "with its three arguments apart",
      body: {
        error: { name: "TypeError", message: "no", digest: "1260811685", stack: STACK },
        request: REQUEST,
        context: CONTEXT,
      },
    },
  ];
  it.each(shapes)("$name", ({ body }) => {
    expect(read(body)).toEqual({
      kind: "error",
      side: "server",
      format: "next",
      type: "TypeError",
      message: "no",
      level: "error",
      stack: STACK,
      frames: [
        {
          function: "b",
          file: "/srv/shop/.next/server/chunks/ssr/page.js",
          line: 1,
          column: 1554,
          inApp: true,
        },
      ],
      aliases: ["1260811685"],
      request: {
        method: "GET",
        url: "/boom?who=jane",
        route: "/boom",
        headers: [
          ["host", "shop.example"],
          ["user-agent", "curl/7.88.1"],
        ],
        userAgent: "curl/7.88.1",
      },
      tags: [
        ["routerKind", "App Router"],
        ["routeType", "render"],
        ["renderSource", "react-server-components"],
      ],
    });
  });

  it("keeps the debug ids of the scripts in the stack", () => {
    const file = "/srv/shop/.next/server/chunks/ssr/page.js";
    const debugIds = {
      [`Error\n    at ${file}:1:90\n    at /srv/other.js:1:2`]:
        "0FB48A08-9c27-5b2a-a1cd-2311c133f114",
      [`Error\n    at /srv/other.js:1:90\n    at ${file}:1:2`]:
        "7bb80e52-52ec-51c7-8a58-795ebb85ca64",
      "Error\n    at /srv/odd.js:1:90": "no id",
    };
    const error = { name: "TypeError", message: "no", stack: STACK };
    expect(read({ error, request: REQUEST, context: CONTEXT, debugIds }).detail).toEqual({
      debug_meta: {
        images: [
          { type: "sourcemap", code_file: file, debug_id: "0fb48a089c275b2aa1cd2311c133f114" },
        ],
      },
    });
    expect(read({ error, request: REQUEST, context: CONTEXT, debugIds: 7 }).detail).toBeUndefined();
  });

  it("accepts a thrown string", () => {
    expect(read({ error: "no", request: {}, context: {} })).toMatchObject({
      type: "Error",
      message: "no",
    });
  });

  it("uses the path as the route if Next.js names none", () => {
    expect(read({ message: "no", request: REQUEST, context: {} }).request?.route).toBe("/boom");
  });

  it("keeps the Ray ID of the failed request", () => {
    const request = { headers: { "cf-ray": "8f1c2d3e4f5a6b7c-FRA" } };
    expect(read({ message: "no", request, context: {} }).rayId).toBe("8f1c2d3e4f5a6b7c-FRA");
  });

  it("keeps only allowed headers: no cookie, credential or address", () => {
    const names = [
      "cookie",
      "set-cookie",
      "authorization",
      "proxy-authorization",
      "x-api-key",
      "x-forwarded-for",
      "x-real-ip",
      "cf-connecting-ip",
      "true-client-ip",
      "forwarded",
    ];
    const headers = Object.fromEntries(names.map((name) => [name, "secret"]));
    const request = { headers: { ...headers, accept: "*/*" } };
    expect(read({ message: "no", request, context: {} }).request?.headers).toEqual([
      ["accept", "*/*"],
    ]);
    expect(names.filter((name) => HEADER_ALLOWLIST.has(name))).toEqual([]);
  });

  const digests = [
    { digest: "1260811685", codes: { aliases: ["1260811685"] } },
    { digest: "1260811685@E394", codes: { aliases: ["1260811685"] } },
    { digest: "MY-DIGEST-1", codes: { aliases: ["MY-DIGEST-1"] } },
    { digest: OWN, codes: { linkedDigest: OWN } },
    { digest: undefined, codes: {} },
    { digest: { nested: true }, codes: {} },
  ];
  it.each(digests)("reads the digest $digest", ({ digest, codes }) => {
    const { aliases, linkedDigest } = read({ message: "no", digest, request: {}, context: {} });
    expect({ aliases, linkedDigest }).toEqual({
      aliases: undefined,
      linkedDigest: undefined,
      ...codes,
    });
  });

  it.each([
    { body: {}, outcome: "request-error → invalid missing-field" },
    {
      body: { error: {}, request: {}, context: {} },
      outcome: "request-error → invalid missing-field",
    },
    { body: null, outcome: "request-error → invalid not-an-object" },
  ])("$body: $outcome", ({ body, outcome }) => {
    expect(listOutcomes(parseNextRequestError(body))).toEqual([outcome]);
  });

  it("truncates long values and names them", () => {
    const error = { name: "E".repeat(300), message: "m".repeat(9_000), stack: "s".repeat(40_000) };
    const report = read({ error, request: { path: `/${"p".repeat(3_000)}` }, context: {} });
    expect(report.type).toHaveLength(limits.maxTypeChars);
    expect(report.message).toHaveLength(limits.maxMessageChars);
    expect(report.stack).toHaveLength(limits.maxStackChars);
    expect([...(report.truncated ?? [])].sort()).toEqual(["message", "request", "stack", "type"]);
  });
});
