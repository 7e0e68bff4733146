import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createErrata, getErrata, isFailure } from "#src/adapters/server.ts";
import { sha256 } from "#src/adapters/sha256.ts";
import { isSignedBy } from "#src/auth/page-token-hmac.ts";
import { processReport } from "#src/core/processing/process-report.ts";
import { decodePageToken } from "#src/core/trust/page-token-format.ts";
import { parseBody, toIngestBody } from "#src/ingest/parse-body.ts";
import { createProcessingOptions, NOW_MS } from "#support/reports/processing-options.ts";

const KEY = "errata_server_00112233445566778899aabbccddeeff";
const DSN = `https://${KEY}@errata.example/1`;

/** An application whose Errata answers as `respond` says, and everything that it received. */
function createApp(respond: () => Response | Promise<Response> = () => new Response("{}")) {
  const bodies: string[] = [];
  const clock = { ms: NOW_MS };
  const errata = createErrata({
    dsn: DSN,
    release: "shop@3",
    nowMs: () => clock.ms,
    fetch: async (_url, init) => {
      bodies.push(String(init?.body));
      return respond();
    },
  });
  return { errata, bodies, clock };
}

/** The reports that ingest stores of these bodies. */
function store(bodies: readonly string[]) {
  return bodies.flatMap((body) => {
    const parsed = parseBody(toIngestBody(new TextEncoder().encode(body)), { nowMs: NOW_MS });
    if (!parsed.ok) throw new Error(parsed.reason);
    return parsed.value.items.flatMap((item) =>
      "report" in item ? [processReport(item.report, createProcessingOptions())] : [],
    );
  });
}

const ring = new Error("a ring");
ring.cause = ring;
const hostile = new Proxy(new Error("hidden"), {
  get: () => {
    throw new Error("no member for you");
  },
  ownKeys: () => {
    throw new Error("no list for you");
  },
});
class PaymentError extends Error {
  override name = "PaymentError";
  code = "card_declined";
  password = "hunter2-hunter2";
}

const THROWN: readonly [what: string, thrown: unknown][] = [
  ["an error", new TypeError("no price")],
  ["an error with a cause", new Error("no cart", { cause: new RangeError("size 0") })],
  ["an error that is its own cause", ring],
  ["an AggregateError", new AggregateError([new Error("one"), "two"], "both failed")],
  ["an error with own members", new PaymentError("refused")],
  ["an error of a megabyte", new Error("x".repeat(1_000_000))],
  ["an error with a secret", new Error("password=hunter2 for postgres://me:pw@db/shop")],
  ["an error whose stack is a number", Object.assign(new Error("odd"), { stack: 5 })],
  ["an error with a digest of its own", Object.assign(new Error("x"), { digest: "123456" })],
  ["a text", "no tea"],
  ["a number", 42],
  ["undefined", undefined],
  ["null", null],
  ["a symbol", Symbol("odd")],
  ["a BigInt", 10n],
  ["a function", () => 1],
  ["an object", { status: 500, reason: "no reason" }],
  ["a response", new Response("broken", { status: 502 })],
  ["a proxy that throws", hostile],
  ["an object without a prototype", Object.create(null)],
];

describe("the digest of a failure on a server", () => {
  it.each(THROWN)("is that of the issue where its report is stored: %s", async (_, thrown) => {
    const { errata, bodies } = createApp();
    const { digest, id, receiptUrl } = errata.name(thrown, {
      how: "render",
      route: "/cart/:id",
      request: { method: "GET", url: "https://shop.example/cart/7?token=abc", headers: {} },
    });
    expect(receiptUrl).toBe(`https://errata.example/e/${digest}`);
    await errata.flush();
    const [report, ...others] = store(bodies);
    expect(others).toEqual([]);
    expect(report).toMatchObject({ id, digest, isLinked: false, side: "server" });
    expect(report?.grouping).toBeDefined();
  });

  it("is that of the issue for any thrown value", async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.string(), async (thrown, route) => {
        const { errata, bodies } = createApp();
        const { digest } = errata.name(thrown, { route });
        await errata.flush();
        expect(store(bodies).map((report) => report.digest)).toEqual([digest]);
      }),
    );
  });

  it("is the same whoever asks, and is reported once", async () => {
    const { errata, bodies } = createApp();
    const error = new Error("no price");
    const request = {};
    const named = errata.name(error, { how: "loader" });
    expect(errata.name(error, { how: "render" })).toBe(named);
    expect(errata.find(error)).toBe(named);
    const text = errata.name("no tea", {}, { scope: request });
    expect(errata.name("no tea", {}, { scope: request })).toBe(text);
    expect(errata.name("no tea", {}, { scope: {} })).not.toBe(text);
    await errata.flush();
    expect(store(bodies)).toHaveLength(3);
  });

  it("does not depend on facts whose getters throw", async () => {
    const { errata, bodies } = createApp();
    const facts = {
      get route(): string {
        throw new Error("no route");
      },
    };
    const { digest } = errata.name(new Error("no price"), facts);
    await errata.flush();
    expect(store(bodies)[0]?.digest).toBe(digest);
  });

  it("is computed with SHA-256", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300, unit: "binary" }), (text) => {
        expect(Buffer.from(sha256(text))).toEqual(createHash("sha256").update(text).digest());
      }),
    );
  });
});

describe("the report of a failure on a server", () => {
  it("contains causes, own members, route and request, and no secret", async () => {
    const { errata, bodies } = createApp();
    const cause = new Error("password=hunter2 is wrong");
    const error = Object.assign(new PaymentError("refused"), { cause });
    errata.name(error, {
      how: "action",
      route: "/pay",
      status: 500,
      trace: "0af7651916cd43dd8448eb211c80319c",
      aliases: ["2338823894"],
      tags: { router: "app" },
      request: {
        method: "POST",
        url: "https://shop.example/pay?password=hunter2",
        headers: new Headers({ cookie: "session=hunter2", "user-agent": "Firefox" }),
      },
    });
    await errata.flush();
    expect(bodies.join()).not.toContain("hunter2");
    const [report] = store(bodies);
    expect(report).toMatchObject({
      type: "PaymentError",
      message: "refused",
      release: "shop@3",
      traceId: "0af7651916cd43dd8448eb211c80319c",
      aliases: ["2338823894"],
      causes: [{ type: "Error", message: "password=[removed]" }],
      detail: { error: { code: "card_declined", password: "[removed]" } },
      request: { method: "POST", route: "/pay", userAgent: "Firefox" },
      response: { status: 500, isSilent200: false },
      tags: expect.arrayContaining([
        ["how", "action"],
        ["router", "app"],
      ]),
    });
  });

  it("is what beforeSend makes of it, and is not sent if that is null", async () => {
    const bodies: string[] = [];
    const answers = [
      (report: object) => ({ ...report, environment: "test" }),
      () => null,
      () => {
        throw new Error("broken");
      },
    ];
    const errata = createErrata({
      dsn: DSN,
      beforeSend: (report) => answers.shift()?.(report) as typeof report | null,
      fetch: async (_url, init) => {
        bodies.push(String(init?.body));
        return new Response("{}");
      },
    });
    for (const message of ["changed", "dropped", "broken"]) errata.name(new Error(message));
    await errata.flush();
    const [first, second, ...others] = store(bodies);
    expect(first).toMatchObject({ message: "changed", environment: "test" });
    expect(second).toMatchObject({ message: "broken" });
    expect(others).toEqual([]);
  });
});

describe("sending", () => {
  const errors = (count: number) => Array.from({ length: count }, (_, n) => new Error(`no ${n}`));

  it("puts the reports of one turn into one request", async () => {
    const { errata, bodies } = createApp();
    for (const error of errors(20)) errata.name(error);
    await errata.flush();
    expect(bodies).toHaveLength(1);
    expect(store(bodies)).toHaveLength(20);
  });

  it("drops the oldest of more than 50 waiting reports, and says how many", async () => {
    const { errata, bodies } = createApp();
    for (const error of errors(70)) errata.name(error);
    await errata.flush();
    expect(errata.lostCount).toBe(20);
    expect(JSON.parse(bodies[0] ?? "").dropped).toBe(20);
    expect(store(bodies).map(({ message }) => message)).toContain("no 69");
  });

  it.each([
    ["does not answer", () => Promise.reject(new TypeError("fetch failed"))],
    ["is overloaded", async () => new Response("", { status: 429 })],
    ["fails", async () => new Response("", { status: 503 })],
  ])("sends a batch again once, after a pause, if Errata %s", async (_, respond) => {
    const { errata, bodies, clock } = createApp(respond);
    errata.name(new Error("first"));
    await errata.flush();
    expect(bodies).toHaveLength(1);
    errata.name(new Error("during the pause"));
    await errata.flush();
    expect(bodies).toHaveLength(1);
    clock.ms += 5_000;
    errata.name(new Error("after the pause"));
    await errata.flush();
    expect(bodies).toHaveLength(2);
    expect(store(bodies.slice(1)).map(({ message }) => message)).toEqual([
      "first",
      "during the pause",
      "after the pause",
    ]);
    expect(errata.lostCount).toBe(1);
  });

  it("sends a failed batch again without a further failure", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"], now: NOW_MS });
    onTestFinished(() => void vi.useRealTimers());
    const answers = [503, 202].map((status) => new Response("", { status }));
    const { errata, bodies, clock } = createApp(() => answers.shift() ?? new Response(""));
    errata.name(new Error("first"));
    await vi.advanceTimersByTimeAsync(1);
    expect(bodies).toHaveLength(1);
    clock.ms += 5_000;
    await vi.advanceTimersByTimeAsync(6_000);
    expect(store(bodies.slice(1)).map(({ message }) => message)).toEqual(["first"]);
    expect(errata.lostCount).toBe(0);
  });

  it("makes no request wait for the report of another one", async () => {
    let answer = (_: Response) => undefined as unknown;
    const first = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    const responses = [first, new Response("{}")];
    const { errata, bodies } = createApp(() => responses.shift() ?? new Response("{}"));
    const kept: Promise<unknown>[] = [];
    const waitUntil = (sending: Promise<unknown>) => kept.push(sending);
    errata.name(new Error("slow"), {}, { waitUntil });
    await Promise.resolve();
    errata.name(new Error("quick"), {}, { waitUntil });
    await kept[1];
    expect(bodies).toHaveLength(2);
    answer(new Response("{}"));
    await errata.flush();
  });

  it("gives up a batch that Errata refuses", async () => {
    const { errata, bodies, clock } = createApp(() => new Response("", { status: 403 }));
    errata.name(new Error("first"));
    await errata.flush();
    clock.ms += 5_000;
    errata.name(new Error("second"));
    await errata.flush();
    expect(bodies.map((body) => JSON.parse(body).reports.length)).toEqual([1, 1]);
    expect(errata.lostCount).toBe(2);
  });

  it("keeps the runtime alive until the report is sent", async () => {
    const { errata, bodies } = createApp();
    const kept: Promise<unknown>[] = [];
    errata.name(new Error("x"), {}, { waitUntil: (sending) => kept.push(sending) });
    await Promise.all(kept);
    expect(bodies).toHaveLength(1);
  });

  it("harms nothing if waitUntil throws", async () => {
    const { errata, bodies } = createApp();
    const waitUntil = () => {
      throw new Error("the request has ended");
    };
    expect(errata.name(new Error("x"), {}, { waitUntil }).digest).toMatch(/^[\w-]{9}$/);
    await errata.flush();
    expect(bodies).toHaveLength(1);
  });

  it("gives what has not arrived to a process that ends, once", async () => {
    let answer = (_: Response) => {};
    const { errata, bodies } = createApp(() => new Promise((resolve) => (answer = resolve)));
    expect(errata.takeRequest()).toBeUndefined();
    errata.name(new Error("in flight"));
    await vi.waitFor(() => expect(bodies).toHaveLength(1));
    errata.name(new Error("waiting"));
    const { url, body = "" } = errata.takeRequest() ?? {};
    expect(url).toBe(`https://errata.example/monitoring?sentry_key=${KEY}`);
    expect(store([body])).toMatchObject([{ message: "in flight" }, { message: "waiting" }]);
    expect(JSON.parse(body).release).toBe("shop@3");
    expect(errata.takeRequest()).toBeUndefined();
    answer(new Response("{}"));
    await errata.flush();
    expect(bodies).toHaveLength(1);
  });

  it("names failures and sends nothing without a DSN, and warns of one that is wrong", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const fetched = vi.fn();
    const options = { fetch: fetched as unknown as typeof fetch };
    expect(createErrata(options).name(new Error("x")).receiptUrl).toBeUndefined();
    expect(warn).not.toHaveBeenCalled();
    const errata = createErrata({ ...options, dsn: `https://errata.example/${KEY}` });
    errata.name(new Error("x"));
    await errata.flush();
    expect(fetched).not.toHaveBeenCalled();
    expect(warn).toHaveBeenCalledOnce();
    expect(String(warn.mock.calls)).not.toContain(KEY);
  });
});

describe("the instance of the application", () => {
  it("is configured by the variables of the first request, where a runtime has no others", () => {
    const errata = getErrata({ ERRATA_DSN: DSN, ERRATA_RELEASE: 3, KV: {} });
    expect(errata.toReceiptUrl("7F3K-Q2M9")).toBe("https://errata.example/e/7F3K-Q2M9");
    expect(getErrata({ ERRATA_DSN: DSN.replace("errata.example", "b.example") })).toBe(errata);
  });
});

describe("a page token of an adapter", () => {
  it("is signed with the key of the DSN, for its project and origin", async () => {
    const { errata } = createApp();
    const origin = "https://shop.example";
    const text = await errata.sign({ trace: "0af7651916cd43dd8448eb211c80319c", origin });
    const token = decodePageToken(text ?? "");
    if (token === null) throw new Error("no token");
    expect(token).toMatchObject({ pageId: "0af7651916cd43dd", isShared: false, isOwn: false });
    const keyHash = createHash("sha256").update(KEY).digest("hex");
    expect(await isSignedBy([keyHash], token, { project: "1", origin })).toBe(true);
    expect(await isSignedBy([keyHash], token, { project: "2", origin })).toBe(false);
    expect(await isSignedBy([keyHash], token, { project: "1", origin: "https://b.example" })).toBe(
      false,
    );
  });

  it("is the same if it is signed at once", async () => {
    const { errata } = createApp();
    const property = fc.asyncProperty(
      fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 32, maxLength: 32 }),
      fc.webUrl(),
      fc.boolean(),
      fc.option(fc.string(), { nil: undefined }),
      async (trace, origin, isShared, policy) => {
        const page = { trace, origin, isShared, policy };
        expect(errata.signNow(page)).toBe(await errata.sign(page));
      },
    );
    await fc.assert(property, { numRuns: 50 });
    expect(createErrata({ dsn: "" }).signNow({ trace: "", origin: "" })).toBeUndefined();
  });
});

describe("a thrown value that is no failure", () => {
  it.each([
    ["a redirect of Next.js", Object.assign(new Error("x"), { digest: "NEXT_REDIRECT;replace;/" })],
    ["a thrown redirect", Response.redirect("https://shop.example/", 302)],
    ["a thrown 404", new Response("", { status: 404 })],
  ])("is recognized: %s", (_, thrown) => {
    expect(isFailure(thrown)).toBe(false);
  });

  it.each([
    ["an error", new Error("x")],
    ["a thrown 500", new Response("", { status: 500 })],
    ["a text", "x"],
    ["undefined", undefined],
  ])("is not %s", (_, thrown) => {
    expect(isFailure(thrown)).toBe(true);
  });
});
