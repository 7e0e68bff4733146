import { describe, expect, it } from "vitest";
import { asRecord } from "#src/core/decode/as-type.ts";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { limits } from "#src/core/limits.ts";
import { parseTail } from "#src/ingest/tail/parse-tail.ts";
import { getReport, listOutcomes } from "#support/reports/parsed-items.ts";
import { createInvocation, readTailEvent, tailEventNames } from "#support/reports/tail-events.ts";

const AT = 1_795_283_000_123;
const OWN = digestFromHash(new Uint8Array(32).fill(7));
const ID = "5aaeee40d56b46ecbfb342d868e140ef";

const read = (over: object) => parseTail([createInvocation(over)]);
const thrown = (message: string, name = "TypeError") => ({ name, message, timestamp: AT });
const log = (level: string, ...message: unknown[]) => ({ level, message, timestamp: AT });
const logged = (error: { name: string; message: string }, ...beside: string[]) => ({
  ...log("error", ...beside, `${error.name}: ${error.message}`),
  errorInfo: [...beside.map(() => null), { ...error, stack: "    at f (worker.js:1:2)" }],
});

describe("captures of workerd", () => {
  const TYPE_ERROR = "TypeError: Cannot read properties of null (reading 'price')";
  const expected: Readonly<Record<string, readonly string[]>> = {
    throw: [`exception → error ${TYPE_ERROR}`],
    logged: [`log → error ${TYPE_ERROR}`],
    "logged-and-thrown": [`exception → error ${TYPE_ERROR}`],
    text: ['log → message Message: stock is -1 {"sku":"a-1"}'],
    later: ["exception → error RangeError: late"],
    string: ["exception → error Error: a plain string"],
    object: ["exception → error Error: #<Object>"],
    own: [],
    cause: ["exception → error Error: outer"],
    two: ["log → error Error: one"],
    named: ["exception → error CartError: no cart"],
    stream: ["exception → error Error: stream broke"],
    fine: [],
    scheduled: ["exception → error Error: nightly job failed"],
    "object-fetch": ["exception → error Error: cart fetch failed"],
    "object-fetch-caller": ["exception → error Error: cart fetch failed"],
    "object-rpc": [],
    "object-rpc-caller": ["exception → error RangeError: no cart a-1"],
    rpc: [],
    queue: ["exception → error Error: batch failed"],
    alarm: ["exception → error Error: alarm failed"],
    "websocket-message": ["exception → error Error: message failed"],
    "websocket-close": ["exception → error Error: close failed"],
    "aborted-object": ["exception → error Error: stop it"],
    diagnostics: ["exception → error Error: stock is negative"],
    flood: ["log → message LogLoop: console.error repeats: retry * failed"],
    hung: [
      "exception → error Error: The Workers runtime canceled this request because it detected that your Worker's code had hung and would never generate a response. Refer to: https://developers.cloudflare.com/workers/observability/errors/",
    ],
    "tail-of-tail": [],
  };

  it("the table names every capture", () => {
    expect(tailEventNames.sort()).toEqual(Object.keys(expected).sort());
  });

  it.each(Object.keys(expected))("%s", (name) => {
    const reports = parseTail([readTailEvent(name)]).filter((end) => "report" in end);
    expect(
      reports.map(
        ({ item, report }) => `${item} → ${report.kind} ${report.type}: ${report.message}`,
      ),
    ).toEqual(expected[name]);
  });

  it.each([
    { name: "throw", tags: { trigger: "fetch" }, worker: undefined },
    {
      name: "scheduled",
      tags: { trigger: "scheduled", cron: "0 3 * * *" },
      worker: { scheduled: "2026-11-21T18:54:00.549Z" },
    },
    {
      name: "object-fetch",
      tags: { trigger: "fetch", model: "durableObject", entrypoint: "Cart" },
    },
    { name: "queue", tags: { trigger: "queue", queue: "orders" }, worker: { "batch size": 2 } },
    {
      name: "alarm",
      tags: { trigger: "alarm", model: "durableObject", entrypoint: "Cart" },
      worker: { scheduled: "2026-11-29T18:22:48.970Z" },
    },
    {
      name: "websocket-message",
      tags: { trigger: "websocket", model: "durableObject", entrypoint: "Socket" },
      worker: { "WebSocket event": "message" },
    },
    {
      name: "websocket-close",
      tags: { trigger: "websocket" },
      worker: { "WebSocket event": "close" },
    },
    { name: "flood", tags: { trigger: "fetch" }, worker: { repeats: 30 } },
  ])("$name: the report has the trigger and its facts", ({ name, tags, worker }) => {
    const items = parseTail([readTailEvent(name)]);
    const report = getReport(items.find((item) => "report" in item));
    expect(Object.fromEntries(report.tags ?? [])).toMatchObject(tags);
    expect(asRecord(asRecord(report.detail)?.contexts)?.worker).toEqual(worker);
  });

  it("a message on a diagnostics channel is a breadcrumb of the errors after it alone", () => {
    const at = (timestamp: number, message: string, level = "error") => ({
      ...{ timestamp, level, message: [message] },
    });
    const event = createInvocation({
      logs: [at(1_000, "first"), at(3_000, "last")],
      diagnosticsChannelEvents: [{ timestamp: 2_000, channel: "shop:stock", message: "low" }],
    });
    const [, first, last] = parseTail([event]);
    expect(getReport(first).breadcrumbs).toBeUndefined();
    expect(getReport(last).breadcrumbs?.map(({ message }) => message)).toEqual(["first", "low"]);
  });

  it("a message on a diagnostics channel is a breadcrumb", () => {
    const { breadcrumbs } = getReport(parseTail([readTailEvent("diagnostics")])[1]);
    expect(breadcrumbs).toEqual([
      { atMs: 1_795_976_568_997, category: "shop:stock", message: '{"sku":"a-1","left":-1}' },
    ]);
  });

  it("an object and its caller have the trace of the request", () => {
    const traces = ["object-fetch", "object-fetch-caller"].map(
      (name) => getReport(parseTail([readTailEvent(name)])[1]).traceId,
    );
    expect(traces).toEqual(Array(2).fill("0af7651916cd43dd8448eb211c80319c"));
  });

  it("an exception has a full stack, its request, and the console output before it", () => {
    const report = getReport(parseTail([readTailEvent("throw")])[1]);
    expect(report).toMatchObject({
      side: "server",
      format: "tail",
      level: "error",
      occurredAtMs: 1_795_287_240_055,
      frames: [{ function: "priceOf", line: 35, column: 38 }, { function: "Object.fetch" }],
      request: { method: "GET", userAgent: "curl/8" },
      rayId: "8f1c2d3e4f5a6b7c-AMS",
      traceId: "0af7651916cd43dd8448eb211c80319c",
      breadcrumbs: [
        { category: "console", level: "log", message: 'looking up the cart {"items":2}' },
      ],
    });
    expect(report.stack?.split("\n", 1)).toEqual([TYPE_ERROR]);
    expect(report.request?.route).toBeUndefined();
    expect(report.tags).toContainEqual(["colo", "DFW"]);
    expect(JSON.stringify(report)).not.toMatch(/cookie|authorization/);
  });

  it("a logged error has its log text, and the other errors as causes", () => {
    expect(getReport(parseTail([readTailEvent("logged")])[2]).detail).toEqual({
      logged: expect.stringMatching(/^Checkout failed: TypeError: /),
    });
    const [cause] = getReport(parseTail([readTailEvent("two")])[2]).causes ?? [];
    expect(cause).toMatchObject({ type: "TypeError", message: "two", frames: [{ line: 23 }] });
  });

  it("a logged text with a stack is an error of its runtime, and has the text", () => {
    const text = `Checkout failed
Traceback (most recent call last):
  File "/session/cart.py", line 8, in load
    return total(cart)
  File "/session/bill.py", line 4, in total
KeyError: 'x'`;
    const [, item] = read({ logs: [log("error", text)] });
    expect(getReport(item)).toMatchObject({
      kind: "error",
      platform: "python",
      type: "KeyError",
      message: "'x'",
      frames: [{ function: "total" }, { function: "load" }],
      stack: text,
      detail: { logged: text },
    });
  });

  it("a logged text with the stack of an error that was thrown is not another report", () => {
    const text = "Checkout: TypeError: no cart\n    at f (a.js:1:2)\n    at g (a.js:3:4)";
    const over = { logs: [log("error", text)], exceptions: [thrown("no cart")] };
    expect(listOutcomes(read(over)).slice(1)).toEqual(["exception → error", "log → counted"]);
    const [, alone] = read({ logs: [log("error", text)] });
    expect(getReport(alone).platform).toBeUndefined();
    expect(getReport(alone).frames.map((frame) => frame.function)).toEqual(["f", "g"]);
  });

  it("an uncaught exception after a success status is silent; a logged one is not", () => {
    expect(getReport(parseTail([readTailEvent("later")])[1]).response).toEqual({
      status: 200,
      isSilent200: true,
    });
    expect(getReport(parseTail([readTailEvent("text")])[2]).response).toEqual({
      status: 200,
      isSilent200: false,
    });
  });

  it("members may be getters of the platform, and may throw", () => {
    const source = readTailEvent("throw") as Readonly<Record<string, unknown>>;
    const live = Object.create(
      Object.defineProperties(
        {},
        Object.fromEntries(Object.keys(source).map((name) => [name, { get: () => source[name] }])),
      ),
    );
    expect(parseTail([live])).toEqual(parseTail([source]));
    Object.defineProperty(live, "logs", {
      get: () => {
        throw new Error("gone");
      },
    });
    expect(listOutcomes(parseTail([live]))).toEqual(["invocation → counted", "exception → error"]);
  });
});

/** All of workerd's src/workerd/io/outcome.capnp that are failures without an exception. */
const FAILED_OUTCOMES = [
  ...["exceededCpu", "exceededMemory", "exceededWallTime", "killSwitch", "daemonDown"],
  ...["internalError", "loadShed", "scriptNotFound", "unknown"],
];

describe("outcomes of invocations", () => {
  const limit = thrown("Worker exceeded CPU time limit.", "Error");
  const cases = [
    { name: "ok", over: {}, outcomes: ["invocation → counted"] },
    { name: "canceled", over: { outcome: "canceled" }, outcomes: ["canceled → counted"] },
    {
      name: "responseStreamDisconnected",
      over: { outcome: "responseStreamDisconnected" },
      outcomes: ["responseStreamDisconnected → counted"],
    },
    { name: "aborted", over: { outcome: "aborted" }, outcomes: ["aborted → counted"] },
    ...FAILED_OUTCOMES.map((outcome) => ({
      ...{ name: outcome, over: { outcome }, outcomes: [`${outcome} → error`] },
    })),
    {
      name: "exception, and the exception is there",
      over: { outcome: "exception", exceptions: [thrown("a")] },
      outcomes: ["invocation → counted", "exception → error"],
    },
    {
      name: "exception, and none is there",
      over: { outcome: "exception" },
      outcomes: ["exception → error"],
    },
    {
      name: "exceededCpu, value by an exception of the platform's as well",
      over: { outcome: "exceededCpu", exceptions: [limit, limit] },
      outcomes: ["invocation → counted", "exception → error", "exception → counted"],
    },
    {
      name: "exceededCpu after another exception",
      over: { outcome: "exceededCpu", exceptions: [thrown("a")] },
      outcomes: ["exceededCpu → error", "exception → error"],
    },
  ];
  it.each(cases)("$name: $outcomes", ({ over, outcomes }) => {
    expect(listOutcomes(read(over))).toEqual(outcomes);
  });

  it("there is one issue per outcome and entry point, whatever the message of the platform", () => {
    const over = { outcome: "exceededCpu", scriptName: "shop", entrypoint: "Cart" };
    const [unexplained] = read(over);
    const [, value] = read({ ...over, exceptions: [limit] });
    expect(getReport(unexplained)).toMatchObject({
      type: "exceededCpu",
      message: "the Worker exceeded its CPU time limit",
      fingerprint: ["worker-outcome", "exceededCpu", "shop", "Cart"],
    });
    expect(getReport(value)).toEqual(getReport(unexplained));
  });

  it("an alarm that ran too long is one report with its exception", () => {
    const late = thrown("Alarm exceeded its allowed execution time", "Error");
    expect(listOutcomes(read({ outcome: "exceededWallTime", exceptions: [late] }))).toEqual([
      "invocation → counted",
      "exception → error",
    ]);
    const [, item] = read({ outcome: "exceededWallTime", exceptions: [late] });
    expect(getReport(item).message).toBe("the Worker exceeded its wall time limit");
  });

  it("the message says that the exception is missing", () => {
    expect(getReport(read({ outcome: "exception" })[0]).message).toContain("does not say which");
  });
});

describe("one error counts once per invocation", () => {
  const error = { name: "TypeError", message: "no cart" };
  const cases = [
    {
      name: "logged, then thrown",
      over: { logs: [logged(error)], exceptions: [thrown("no cart")] },
      outcomes: ["exception → error", "log → counted"],
    },
    {
      name: "logged twice",
      over: { logs: [logged(error), logged(error, "again:")] },
      outcomes: ["log → error", "log → counted"],
    },
    {
      name: "logged as an error and as text",
      over: { logs: [logged(error), log("error", "TypeError: no cart\n    at f (a.js:1:2)")] },
      outcomes: ["log → error", "log → counted"],
    },
    {
      name: "the same text twice, then another",
      over: { logs: [log("error", "a"), log("error", "a"), log("error", "b")] },
      outcomes: ["log → message", "log → counted", "log → message"],
    },
    {
      name: "thrown twice",
      over: { exceptions: [thrown("no cart"), thrown("no cart"), thrown("no cart", "Error")] },
      outcomes: ["exception → error", "exception → counted", "exception → error"],
    },
  ];
  it.each(cases)("$name", ({ over, outcomes }) => {
    expect(listOutcomes(read(over)).slice(1)).toEqual(outcomes);
  });

  it("an error in two invocations counts twice", () => {
    const events = [1, 2].map(() => createInvocation({ logs: [logged(error)] }));
    const reports = parseTail(events).filter((end) => "report" in end);
    expect(reports).toHaveLength(2);
  });
});

describe("errors that Errata has reported and logged itself", () => {
  const own = log("error", {
    digest: OWN,
    report: ID,
    type: "TypeError",
    message: "no cart",
    stack: "TypeError: no cart\n    at f (a.js:1:2)",
    route: "/",
  });
  it("are counted and not reported twice", () => {
    expect(listOutcomes(read({ logs: [own] }))).toEqual([
      "invocation → counted",
      "self-report → counted",
    ]);
  });

  it("are not reported when the same error is thrown or logged as well", () => {
    const over = {
      logs: [own, logged({ name: "TypeError", message: "no cart" })],
      exceptions: [thrown("no cart")],
    };
    expect(listOutcomes(read(over)).slice(1)).toEqual([
      "exception → counted",
      "self-report → counted",
      "log → counted",
    ]);
  });

  it.each([
    { name: "no report id", logged: { digest: OWN, type: "E", message: "m" } },
    { name: "another digest", logged: { digest: "1234", report: ID, type: "E", message: "m" } },
    { name: "a report id that is none", logged: { digest: OWN, report: "7", message: "m" } },
  ])("a log with $name is not Errata's own", ({ logged }) => {
    expect(listOutcomes(read({ logs: [log("error", logged)] }))).toContain("log → message");
  });
});

describe("reports", () => {
  const fields = (over: object) => getReport(read({ exceptions: [thrown("a")], ...over })[1]);
  const tags = (over: object) => Object.fromEntries(fields(over).tags ?? []);

  it("a report has the version's tag as its release, else the version's id", () => {
    const id = "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d";
    expect(fields({ scriptVersion: { id, tag: "v1.4.0" } }).release).toBe("v1.4.0");
    expect(fields({ scriptVersion: { id, tag: "" } }).release).toBe(id);
    expect(tags({ scriptVersion: { id, tag: "v1.4.0" } }).version).toBe(id);
  });

  it("a report has Wrangler's environment, or that of a preview", () => {
    const scriptTags = ["cf:service=shop", "cf:environment=staging"];
    expect(fields({ scriptTags }).environment).toBe("staging");
    expect(fields({ preview: { id: "p", slug: "p", name: "p" } }).environment).toBe("preview");
    expect(fields({}).environment).toBeUndefined();
  });

  it("tags name script, entry point, namespace and object, and truncation by the platform", () => {
    const over = {
      entrypoint: "Cart",
      dispatchNamespace: "tenants",
      durableObjectId: "c0ffee",
      truncated: true,
    };
    expect(tags(over)).toEqual({
      script: "shop",
      entrypoint: "Cart",
      namespace: "tenants",
      "durable object": "c0ffee",
      truncated: "true",
    });
  });

  it.each([
    {
      trigger: "fetch",
      event: { request: { url: "https://a.example/", method: "GET", headers: {} } },
    },
    { trigger: "scheduled", event: { cron: "* * * * *", scheduledTime: AT } },
    { trigger: "alarm", event: { scheduledTime: new Date(AT) } },
    { trigger: "queue", event: { queue: "orders", batchSize: 3 } },
    { trigger: "email", event: { mailFrom: "a@a.example", rcptTo: "b@b.example", rawSize: 3 } },
    { trigger: "rpc", event: { rpcMethod: "charge" } },
    { trigger: "object-rpc", event: { rpcMethod: "charge" }, executionModel: "durableObject" },
    { trigger: "workflow", event: {}, executionModel: "workflow" },
    { trigger: "websocket", event: { getWebSocketEvent: {} } },
    { trigger: "tail", event: { consumedEvents: [] } },
    { trigger: undefined, event: {} },
    { trigger: undefined, event: null },
  ])("a tag names the trigger of the invocation: $trigger", ({ trigger, ...over }) => {
    const report = fields(over);
    expect(Object.fromEntries(report.tags ?? []).trigger).toBe(trigger);
    expect(JSON.stringify(report)).not.toContain("@");
  });

  it("a report has the times of the invocation and the attributes of its span", () => {
    const over = {
      cpuTime: 12,
      wallTime: 340,
      tailAttributes: { "user.id": "u-7", "cart.items": 3, "cart.gift": false },
    };
    const report = fields(over);
    expect(report.detail).toEqual({
      contexts: {
        worker: { "CPU time": "12 ms", "wall time": "340 ms" },
        span: over.tailAttributes,
      },
    });
    expect(report.userKey).toBe("u-7");
  });

  it("a report has the time of the error, else that of the invocation", () => {
    expect(fields({}).occurredAtMs).toBe(AT);
    const untimed = { name: "E", message: "m" };
    expect(fields({ exceptions: [untimed] }).occurredAtMs).toBe(1_795_283_000_000);
  });
});

describe("invalid events", () => {
  const cases = [
    {
      name: "no object",
      events: [1, null],
      outcomes: ["invocation → invalid not-an-object", "invocation → invalid not-an-object"],
    },
    { name: "an empty object", events: [{}], outcomes: ["invocation → counted"] },
    {
      name: "lists that are none",
      events: [{ logs: 1, exceptions: "e" }],
      outcomes: ["invocation → counted"],
    },
    {
      name: "an exception that says nothing",
      events: [{ outcome: "exception", exceptions: [{ stack: "    at f" }, null] }],
      outcomes: [
        "invocation → counted",
        "exception → invalid missing-field",
        "exception → invalid missing-field",
      ],
    },
    {
      name: "logs that say nothing",
      events: [{ logs: [null, log("error"), { level: "error" }, log("error", "")] }],
      outcomes: ["invocation → counted", ...Array(4).fill("log → counted")],
    },
  ];
  it.each(cases)("$name", ({ events, outcomes }) => {
    expect(listOutcomes(parseTail(events))).toEqual(outcomes);
  });

  it("reports above limits.maxReportsPerBatch are dropped as over-count", () => {
    const exceptions = Array.from({ length: limits.maxReportsPerBatch + 2 }, (_, n) =>
      thrown(`a${n}`),
    );
    expect(listOutcomes(read({ exceptions })).slice(-3)).toEqual([
      "exception → error",
      "exception → dropped over-count",
      "exception → dropped over-count",
    ]);
  });
});
