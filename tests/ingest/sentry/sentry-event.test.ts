import { describe, expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { limits } from "#src/core/limits.ts";
import type { ParsedReport } from "#src/core/report.ts";
import { parseSentryEvent } from "#src/ingest/sentry/sentry-event.ts";
import { getReport, listOutcomes } from "#support/reports/parsed-items.ts";

const OWN = digestFromHash(new Uint8Array(32).fill(7));

type Expected = { readonly [K in keyof ParsedReport]?: ParsedReport[K] | undefined };

/** The named members of the report that an event becomes. */
function read<K extends keyof ParsedReport>(event: object, ...members: readonly K[]) {
  const report = getReport(parseSentryEvent(event));
  return Object.fromEntries(members.map((member) => [member, report[member]]));
}

describe("exceptions", () => {
  const thrown = { type: "TypeError", value: "thrown" };
  const cause = { type: "RangeError", value: "cause" };
  const root = { value: "root" };

  it.each([
    { name: "in values", exception: { values: [root, cause, thrown] } },
    { name: "as a bare list", exception: [root, cause, thrown] },
  ])("$name: the last was thrown, the others are its causes, outermost first", ({ exception }) => {
    expect(read({ exception }, "kind", "type", "message", "causes")).toEqual({
      kind: "error",
      type: "TypeError",
      message: "thrown",
      causes: [
        { type: "RangeError", message: "cause", frames: [] },
        { type: "Error", message: "root", frames: [] },
      ],
    });
  });

  it("may be a single object", () => {
    expect(read({ exception: thrown }, "type", "message", "causes")).toEqual({
      type: "TypeError",
      message: "thrown",
      causes: undefined,
    });
  });

  it("have at most limits.maxCauses causes, the outermost", () => {
    const values = Array.from({ length: 20 }, (_, index) => ({ type: "E", value: String(index) }));
    const { causes, truncated } = getReport(parseSentryEvent({ exception: { values } }));
    expect(causes).toHaveLength(limits.maxCauses);
    expect(causes?.[0]?.message).toBe("18");
    expect(truncated).toContain("causes");
  });

  it("list frames oldest first; a report lists them newest first", () => {
    const frames = [{ function: "main" }, { function: "?" }, { function: "thrower" }];
    const exception = [{ type: "E", value: "v", stacktrace: { frames } }];
    expect(getReport(parseSentryEvent({ exception })).frames).toEqual([
      { function: "thrower", inApp: false },
      { inApp: false },
      { function: "main", inApp: false },
    ]);
  });

  it("have frames with a position and source lines", () => {
    const frame = {
      filename: "/srv/shop/cart.js",
      abs_path: "/elsewhere.js",
      function: "priceOf",
      lineno: 3,
      colno: "23",
      in_app: true,
      pre_context: ["0", "1", "2", "3", "4", "5"],
      context_line: "throw",
      post_context: ["a"],
    };
    const exception = [{ type: "E", stacktrace: { frames: [frame] } }];
    expect(getReport(parseSentryEvent({ exception, platform: "node" })).frames).toEqual([
      {
        function: "priceOf",
        file: "/srv/shop/cart.js",
        absPath: "/elsewhere.js",
        line: 3,
        column: 23,
        inApp: true,
        source: "throw",
        sourceBefore: ["1", "2", "3", "4", "5"],
        sourceAfter: ["a"],
      },
    ]);
  });

  const apps = [
    { name: "a server SDK's word", platform: "node", file: "/srv/app.js", sent: true, inApp: true },
    {
      name: "a server SDK's word for a library",
      platform: "node",
      file: "/srv/app.js",
      sent: false,
      inApp: false,
    },
    {
      name: "the file, since browser SDKs say true of all",
      platform: "javascript",
      file: "chrome-extension://abc/x.js",
      sent: true,
      inApp: false,
    },
    {
      name: "the file of an app's own script",
      platform: "javascript",
      file: "https://shop.example/app.js",
      sent: true,
      inApp: true,
    },
  ];
  it.each(apps)("inApp comes from $name", ({ platform, file, sent, inApp }) => {
    const frames = [{ filename: file, in_app: sent }];
    const exception = [{ type: "E", stacktrace: { frames } }];
    expect(getReport(parseSentryEvent({ exception, platform })).frames[0]?.inApp).toBe(inApp);
  });

  it("lose the middle of a stack above limits.maxFrames, and the report says so", () => {
    const frames = Array.from({ length: 300 }, (_, index) => ({ function: `f${index}` }));
    const report = getReport(
      parseSentryEvent({ exception: [{ type: "E", stacktrace: { frames } }] }),
    );
    expect(report.frames).toHaveLength(limits.maxFrames);
    expect(report.frames[0]?.function).toBe("f299");
    expect(report.frames.at(-1)?.function).toBe("f0");
    expect(report.truncated).toEqual(["frames"]);
  });
});

describe("messages", () => {
  const synthetic = { value: "slow", mechanism: { synthetic: true, handled: true } };
  const kinds = [
    {
      name: "a message",
      event: { message: "slow" },
      kind: "message",
      type: "Message",
      message: "slow",
    },
    {
      name: "a message object",
      event: { message: { formatted: "slow 3", message: "slow %d" } },
      kind: "message",
      type: "Message",
      message: "slow 3",
    },
    {
      name: "a logentry",
      event: { logentry: { message: "slow %d" } },
      kind: "message",
      type: "Message",
      message: "slow %d",
    },
    {
      name: "captureMessage of SDKs 11: a synthetic exception without a type",
      event: { message: "slow", exception: { values: [synthetic] } },
      kind: "message",
      type: "Message",
      message: "slow",
    },
    {
      name: "a thrown string: synthetic, but with a type",
      event: { message: "slow", exception: [{ ...synthetic, type: "Error" }] },
      kind: "error",
      type: "Error",
      message: "slow",
    },
    {
      name: "an exception without a type that was not a message",
      event: { message: "slow", exception: [{ value: "thrown" }] },
      kind: "error",
      type: "Error",
      message: "thrown",
    },
    {
      name: "an exception without a type",
      event: { exception: [{ value: "slow" }] },
      kind: "error",
      type: "Error",
      message: "slow",
    },
    {
      name: "an exception without a value takes the message",
      event: { message: "slow", exception: [{ type: "E" }] },
      kind: "error",
      type: "E",
      message: "slow",
    },
    {
      name: "an exception of nothing",
      event: { exception: [{}] },
      kind: "error",
      type: "Error",
      message: "",
    },
  ];
  it.each(kinds)("$name", ({ event, kind, type, message }) => {
    expect(read(event, "kind", "type", "message")).toEqual({ kind, type, message });
  });

  it("may have the stack of the current thread", () => {
    const stacktrace = { frames: [{ function: "here" }] };
    const threads = { values: [{ id: 1 }, { id: 2, current: true, stacktrace }] };
    expect(getReport(parseSentryEvent({ message: "m", threads })).frames[0]?.function).toBe("here");
  });
});

describe("side", () => {
  const sides = [
    { side: "browser", name: "platform javascript", event: { platform: "javascript" } },
    {
      side: "browser",
      name: "a React SDK",
      event: { platform: "javascript", sdk: { name: "sentry.javascript.react" } },
    },
    {
      side: "browser",
      name: "Next.js in the browser",
      event: { platform: "javascript", sdk: { name: "sentry.javascript.nextjs" } },
    },
    {
      side: "server",
      name: "Next.js on Node",
      event: { platform: "node", sdk: { name: "sentry.javascript.nextjs" } },
    },
    {
      side: "server",
      name: "Next.js on the edge",
      event: {
        platform: "javascript",
        sdk: { name: "sentry.javascript.nextjs" },
        contexts: { runtime: { name: "vercel-edge" } },
      },
    },
    {
      side: "server",
      name: "a Cloudflare Worker",
      event: { platform: "javascript", sdk: { name: "sentry.javascript.cloudflare" } },
    },
    { side: "server", name: "Python", event: { platform: "python" } },
    { side: "server", name: "no platform", event: {} },
  ];
  it.each(sides)("$name: $side", ({ side, event }) => {
    expect(read({ message: "m", ...event }, "side")).toEqual({ side });
  });
});

describe("codes", () => {
  const digests = [
    {
      name: "extraErrorDataIntegration's context",
      event: { contexts: { Error: { digest: "2338823894" } } },
    },
    {
      name: "a rejected plain object",
      event: { extra: { __serialized__: { digest: "2338823894@E394" } } },
    },
    { name: "a tag", event: { tags: { digest: "2338823894" } } },
    { name: "a tag as a pair", event: { tags: [["digest", "2338823894"]] } },
  ];
  it.each(digests)("a foreign digest in $name becomes an alias", ({ event }) => {
    expect(read({ message: "m", ...event }, "aliases", "linkedDigest")).toEqual({
      aliases: ["2338823894"],
      linkedDigest: undefined,
    });
  });

  it("an Errata digest becomes the linked digest", () => {
    const contexts = { Error: { digest: OWN.toLowerCase().replace("-", "") } };
    expect(read({ message: "m", contexts }, "aliases", "linkedDigest")).toEqual({
      aliases: undefined,
      linkedDigest: OWN,
    });
  });

  it.each([
    { platform: "javascript", linkedDigest: OWN, aliases: ["2338823894"] },
    { platform: "node", linkedDigest: undefined, aliases: undefined },
  ])("digests in a message count only in a browser: $platform", ({ platform, ...codes }) => {
    const value = `No such order: "x digest: ${OWN}, digest: 2338823894"`;
    const inException = { platform, exception: { values: [{ type: "Error", value }] } };
    for (const event of [inException, { platform, message: value }]) {
      expect(read(event, "linkedDigest", "aliases")).toEqual(codes);
    }
  });

  it("a digest of control flow is not a code", () => {
    const contexts = { Error: { digest: "NEXT_REDIRECT;replace;/login;307;" } };
    expect(read({ message: "m", contexts }, "aliases")).toEqual({ aliases: undefined });
  });

  it("the trace id is normalized", () => {
    const contexts = { trace: { trace_id: "907B860C8F4A4E538510CD6974D88CBC" } };
    expect(read({ message: "m", contexts }, "traceId")).toEqual({
      traceId: "907b860c8f4a4e538510cd6974d88cbc",
    });
  });
});

describe("other members", () => {
  const cases: readonly { name: string; event: object; expected: Expected }[] = [
    {
      name: "tags as an object, behind how it was caught",
      event: {
        tags: { tenant: "acme", n: 1 },
        exception: [{ type: "E", mechanism: { handled: false, type: "onerror" } }],
      },
      expected: {
        tags: [
          ["handled", "false"],
          ["mechanism", "onerror"],
          ["tenant", "acme"],
          ["n", "1"],
        ],
      },
    },
    {
      name: "tags as pairs",
      event: { tags: [["tenant", "acme"], "x"] },
      expected: { tags: [["tenant", "acme"]] },
    },
    {
      name: "the request, headers by the allow list",
      event: {
        request: {
          url: "https://shop.example/cart?x=1",
          method: "GET",
          headers: {
            "User-Agent": "UA",
            Cookie: "secret",
            Authorization: "Bearer x",
            Accept: "*/*",
          },
        },
      },
      expected: {
        request: {
          method: "GET",
          url: "https://shop.example/cart?x=1",
          route: "/cart",
          headers: [
            ["user-agent", "UA"],
            ["accept", "*/*"],
          ],
          userAgent: "UA",
        },
      },
    },
    {
      name: "headers as pairs",
      event: { request: { headers: [["Referer", "https://a.example/"]] } },
      expected: { request: { headers: [["referer", "https://a.example/"]] } },
    },
    {
      name: "the route from the transaction, without its method",
      event: {
        transaction: "POST /checkout/:id",
        request: { url: "https://a.example/checkout/7" },
      },
      expected: { request: { url: "https://a.example/checkout/7", route: "/checkout/:id" } },
    },
    {
      name: "the route from Next.js' context",
      event: { contexts: { nextjs: { router_path: "/cart/[id]" } } },
      expected: { request: { route: "/cart/[id]" } },
    },
    {
      name: "release, environment, level",
      event: { release: "web@2", environment: "production", level: "fatal" },
      expected: { release: "web@2", environment: "production", level: "fatal" },
    },
    {
      name: "the time in seconds",
      event: { timestamp: 1795277313.733 },
      expected: { occurredAtMs: 1795277313733 },
    },
    {
      name: "the time as ISO 8601",
      event: { timestamp: "2026-11-21T16:08:33.733" },
      expected: { occurredAtMs: 1795277313733 },
    },
    {
      name: "no time when it is none",
      event: { timestamp: "soon" },
      expected: { occurredAtMs: undefined },
    },
    {
      name: "the component stack of @sentry/react",
      event: { contexts: { react: { componentStack: "\n    at Cart" } } },
      expected: { componentStack: "\n    at Cart" },
    },
    {
      name: "breadcrumbs as a list",
      event: {
        breadcrumbs: [{ timestamp: 1795277313, category: "auth", message: "in", level: "info" }],
      },
      expected: {
        breadcrumbs: [{ atMs: 1795277313000, category: "auth", level: "info", message: "in" }],
      },
    },
    {
      name: "breadcrumbs in values, told from their data",
      event: {
        breadcrumbs: {
          values: [
            { category: "fetch", data: { method: "GET", url: "/a", status_code: 404 } },
            { category: "navigation", data: { from: "/", to: "/b" } },
            { type: "x", data: { k: 1 } },
            { category: "ui" },
            null,
          ],
        },
      },
      expected: {
        breadcrumbs: [
          { category: "fetch", message: "GET /a 404" },
          { category: "navigation", message: "/ → /b" },
          { category: "x", message: "k: 1" },
          { category: "ui", message: "ui" },
        ],
      },
    },
    {
      name: "a fingerprint",
      event: { fingerprint: ["checkout", 1] },
      expected: { fingerprint: ["checkout", "1"] },
    },
    {
      name: "a fingerprint around the default",
      event: { fingerprint: ["{{ default }}", "checkout"] },
      expected: { fingerprint: ["{{ default }}", "checkout"] },
    },
    {
      name: "no fingerprint for the default alone",
      event: { fingerprint: ["{{default}}"] },
      expected: { fingerprint: undefined },
    },
    {
      name: "contexts, extra and the user without an address",
      event: {
        contexts: { a: { b: 1 } },
        extra: { c: [2] },
        user: { id: "u", ip_address: "192.0.2.1", geo: {} },
      },
      expected: { detail: { contexts: { a: { b: 1 } }, extra: { c: [2] }, user: { id: "u" } } },
    },
    {
      name: "the SDK by name, without its list of integrations",
      event: { sdk: { name: "s", version: "1", integrations: ["X"] } },
      expected: { detail: { sdk: { name: "s", version: "1" } } },
    },
  ];
  it.each(cases)("$name", ({ event, expected }) => {
    const report = getReport(parseSentryEvent({ message: "m", ...event }));
    for (const [member, value] of Object.entries(expected)) {
      expect(report[member as keyof ParsedReport]).toEqual(value);
    }
  });

  it("the newest breadcrumbs are kept, up to limits.maxBreadcrumbs", () => {
    const breadcrumbs = Array.from({ length: 150 }, (_, index) => ({ message: String(index) }));
    const report = getReport(parseSentryEvent({ message: "m", breadcrumbs }));
    expect(report.breadcrumbs).toHaveLength(limits.maxBreadcrumbs);
    expect(report.breadcrumbs?.at(-1)?.message).toBe("149");
    expect(report.truncated).toEqual(["breadcrumbs"]);
  });
});

describe("events without a report", () => {
  it.each([
    { event: { type: "transaction" }, outcome: "transaction → counted" },
    { event: { type: "feedback", message: "m" }, outcome: "feedback → feedback" },
    { event: {}, outcome: "event → invalid missing-field" },
    { event: [], outcome: "event → invalid not-an-object" },
    { event: "text", outcome: "event → invalid not-an-object" },
  ])("$event: $outcome", ({ event, outcome }) => {
    expect(listOutcomes([parseSentryEvent(event)])).toEqual([outcome]);
  });
});
