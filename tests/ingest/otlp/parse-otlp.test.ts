import { describe, expect, it } from "vitest";
import { parseJson } from "#src/core/decode/parse-json.ts";
import { limits } from "#src/core/limits.ts";
import type { ParsedReport } from "#src/core/report.ts";
import type { ParsedItem } from "#src/ingest/format/ingest-format.ts";
import { decodeOtlpLogs, decodeOtlpTraces } from "#src/ingest/otlp/otlp-messages.ts";
import { parseOtlpLogs, parseOtlpTraces } from "#src/ingest/otlp/parse-otlp.ts";
import { readCapture } from "#support/reports/captures.ts";
import {
  toAnyValue as any,
  toAttributes as attributes,
  type Value,
} from "#support/reports/otlp-values.ts";
import { getReport, listOutcomes } from "#support/reports/parsed-items.ts";

const TRACE = "1d5719b305039c3b7e4140cc9c1111ce";
const AT = "1795287232762000000";
const STACK = "CartError: no price\n    at priceOf (/srv/shop/src/cart.js:3:62)";

const THROWN = {
  "exception.type": "CartError",
  "exception.message": "no price",
  "exception.stacktrace": STACK,
};

type Resource = Readonly<Record<string, Value>>;
const logs = (records: readonly unknown[], resource: Resource = { "service.name": "shop" }) => ({
  resourceLogs: [
    { resource: { attributes: attributes(resource) }, scopeLogs: [{ logRecords: records }] },
  ],
});
const traces = (spans: readonly unknown[], resource: Resource = { "service.name": "shop" }) => ({
  resourceSpans: [{ resource: { attributes: attributes(resource) }, scopeSpans: [{ spans }] }],
});
const record = (values: Readonly<Record<string, Value>>, more: object = {}) => ({
  timeUnixNano: AT,
  severityNumber: 17,
  attributes: attributes(values),
  ...more,
});
const span = (events: readonly Readonly<Record<string, Value>>[], more: object = {}) => ({
  traceId: TRACE,
  name: "total",
  kind: 1,
  events: events.map((values) => ({
    name: "exception",
    timeUnixNano: AT,
    attributes: attributes(values),
  })),
  ...more,
});

function getParsed(result: ReturnType<typeof parseOtlpLogs>): readonly ParsedItem[] {
  if (!result.ok) throw new Error(result.expected);
  return result.value;
}
const readLogs = (value: unknown) => getParsed(parseOtlpLogs(value));
const readTraces = (value: unknown) => getParsed(parseOtlpTraces(value));
const onlyLog = (values: Readonly<Record<string, Value>>, more?: object, resource?: Resource) =>
  getReport(readLogs(logs([record(values, more)], resource))[0]);
const onlyException = (values: Readonly<Record<string, Value>>, more?: object) =>
  getReport(readTraces(traces([span([values], more)]))[0]);

describe("captures of real exporters", () => {
  const captured = (name: string) => {
    const read = parseJson(readCapture(name).body, limits.maxInflatedBytes);
    if (!read.ok) throw new Error(read.expected);
    return read.value;
  };

  it("logs: exceptions become errors, logged errors become messages, the rest is counted", () => {
    const parsed = readLogs(captured("otlp/node.logs-json"));
    expect(listOutcomes(parsed)).toEqual([
      "log → counted",
      "log → error",
      "log → message",
      "log → message",
      "log → error",
    ]);
    expect(getReport(parsed[1])).toMatchObject({
      kind: "error",
      side: "server",
      format: "otlp",
      type: "CartError",
      message: "no price for a-1",
      level: "error",
      occurredAtMs: 1_795_287_232_762,
      traceId: TRACE,
      rayId: "8f1c2d3e4f5a6b7c-AMS",
      release: "1.4.0",
      environment: "staging",
      request: {
        method: "POST",
        url: "https://shop.example/cart/42/checkout?coupon=SAVE10",
        route: "/cart/:id/checkout",
        userAgent: "Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0",
      },
      response: { status: 500, isSilent200: false },
      tags: expect.arrayContaining([["service.name", "shop"]]),
      detail: { body: "checkout failed", attributes: { "cart.total": 12.5, "cart.gift": false } },
    });
    expect(getReport(parsed[1]).frames[0]).toEqual({
      function: "priceOf",
      file: "/srv/shop/src/cart.js",
      line: 3,
      column: 62,
      inApp: true,
    });
    expect(getReport(parsed[3])).toMatchObject({ message: "out of stock", level: "fatal" });
    expect(getReport(parsed[4])).toMatchObject({ type: "TypeError", level: "warning" });
  });

  it("traces: an exception on an inner span has the request of its server span", () => {
    const parsed = readTraces(captured("otlp/node.traces-json"));
    expect(listOutcomes(parsed)).toEqual([
      "span → counted",
      "exception → error",
      "exception → error",
    ]);
    const [inner, server] = [getReport(parsed[1]), getReport(parsed[2])];
    expect(inner.tags).toContainEqual(["span", "total"]);
    expect(inner.request).toEqual(server.request);
    expect(inner.request?.route).toBe("/cart/:id/checkout");
    // One error that two spans recorded is one report.
    expect(inner.dedupeKey).toBe(server.dedupeKey);
  });

  it("a browser's log has the browser's side, page and user agent", () => {
    const report = getReport(readLogs(captured("otlp/web.logs-json"))[0]);
    expect(report).toMatchObject({
      side: "browser",
      type: "TypeError",
      environment: "production",
      request: {
        url: "http://localhost:4318/cart?id=42",
        route: "/cart",
        userAgent: expect.stringContaining("HeadlessChrome/156"),
      },
    });
    expect(report.frames.map((frame) => frame.function)).toEqual(["priceOf", "checkout"]);
  });

  it.each([
    { signal: "logs", decode: decodeOtlpLogs, read: readLogs },
    { signal: "traces", decode: decodeOtlpTraces, read: readTraces },
  ])("$signal as protobuf parse as in JSON", ({ signal, decode, read }) => {
    const decoded = decode(readCapture(`otlp/node.${signal}-proto`).body);
    if (!decoded.ok) throw new Error(decoded.expected);
    // Sent one after the other, so times and ids differ.
    const timeless = (parsed: readonly ParsedItem[]) =>
      parsed.map((item) => {
        if (!("report" in item)) return item;
        const { dedupeKey: _dedupeKey, occurredAtMs, traceId, ...rest } = item.report;
        return { ...rest, at: typeof occurredAtMs, trace: traceId?.length };
      });
    const json = read(captured(`otlp/node.${signal}-json`));
    expect(timeless(read(decoded.value))).toEqual(timeless(json));
  });
});

describe("outcomes of items", () => {
  const records = [
    {
      name: "an exception by its type alone",
      record: record({ "exception.type": "E" }),
      outcome: "log → error",
    },
    {
      name: "an exception by its message alone",
      record: record({ "exception.message": "m" }),
      outcome: "log → error",
    },
    {
      name: "an exception by its stack alone",
      record: record({ "exception.stacktrace": STACK }),
      outcome: "log → error",
    },
    {
      name: "an exception under any event name, at any severity",
      record: record(THROWN, { severityNumber: 9, eventName: "http.client.request.exception" }),
      outcome: "log → error",
    },
    {
      name: "the name of an exception without one",
      record: record({ a: "b" }, { severityNumber: 9, eventName: "exception" }),
      outcome: "log → counted",
    },
    {
      name: "exception.escaped alone",
      record: record({ "exception.escaped": true }, { severityNumber: 9 }),
      outcome: "log → counted",
    },
    {
      name: "severity WARN4",
      record: record({}, { severityNumber: 16, body: any("m") }),
      outcome: "log → counted",
    },
    {
      name: "severity ERROR",
      record: record({}, { severityNumber: 17, body: any("m") }),
      outcome: "log → message",
    },
    {
      name: "severity FATAL4",
      record: record({}, { severityNumber: 24, body: any("m") }),
      outcome: "log → message",
    },
    {
      name: "no number, a word for an error",
      record: record({}, { severityNumber: 0, severityText: "CRITICAL", body: any("m") }),
      outcome: "log → message",
    },
    {
      name: "no number, another word",
      record: record(
        {},
        { severityNumber: undefined, severityText: "Information", body: any("m") },
      ),
      outcome: "log → counted",
    },
    { name: "no severity at all", record: { body: any("m") }, outcome: "log → counted" },
    {
      name: "an error that is named only",
      record: record({}, { eventName: "device.lost" }),
      outcome: "log → message",
    },
    {
      name: "an error that says nothing",
      record: record({}),
      outcome: "log → invalid missing-field",
    },
    { name: "no object", record: 1, outcome: "log → invalid not-an-object" },
  ];
  it.each(records)("$name: $outcome", ({ record, outcome }) => {
    expect(listOutcomes(readLogs(logs([record])))).toEqual([outcome]);
  });

  const spans = [
    { name: "no events", span: span([]), outcomes: ["span → counted"] },
    {
      name: "an event that is not an exception",
      span: span([{ rows: 1 }]),
      outcomes: ["span → counted"],
    },
    {
      name: "two exceptions and another event",
      span: span([{ rows: 1 }, THROWN, { "exception.type": "E" }]),
      outcomes: ["exception → error", "exception → error"],
    },
    {
      name: "a failed status without an exception",
      span: span([], { status: { code: 2 } }),
      outcomes: ["span → counted"],
    },
    { name: "no object", span: null, outcomes: ["span → invalid not-an-object"] },
    {
      name: "events that are not a list",
      span: span([], { events: "e" }),
      outcomes: ["span → counted"],
    },
  ];
  it.each(spans)("a span with $name", ({ span, outcomes }) => {
    expect(listOutcomes(readTraces(traces([span])))).toEqual(outcomes);
  });

  it.each([
    { value: {} },
    { value: null },
    { value: [] },
    { value: { resourceLogs: null, resourceSpans: "s" } },
    { value: { resourceLogs: [1, { scopeLogs: [{ logRecords: 3 }, null] }] } },
  ])("a request without records has no items: $value", ({ value }) => {
    expect(readLogs(value)).toEqual([]);
    expect(readTraces(value)).toEqual([]);
  });
});

describe("reports", () => {
  it("a report has the level of its severity", () => {
    const levels = [1, 5, 9, 13, 17, 21].map(
      (severityNumber) => onlyLog(THROWN, { severityNumber }).level,
    );
    expect(levels).toEqual(["trace", "debug", "info", "warning", "error", "fatal"]);
    expect(onlyLog(THROWN, { severityNumber: 25 }).level).toBe("error");
  });

  const bodies: readonly { name: string; body: Value; message: string }[] = [
    { name: "text", body: "m", message: "m" },
    { name: "a number", body: 7, message: "7" },
    { name: "an object with a message", body: { message: "m", sku: "a" }, message: "m" },
    { name: "an object with a msg, as pino writes it", body: { msg: "m" }, message: "m" },
    { name: "another object", body: { sku: "a", left: 0 }, message: '{"sku":"a","left":0}' },
    { name: "a list", body: ["a", 1, true], message: '["a",1,true]' },
  ];
  it.each(bodies)("the message of a logged error is its body: $name", ({ body, message }) => {
    expect(onlyLog({}, { body: any(body) })).toMatchObject({ type: "Message", message });
  });

  const resources: readonly { name: string; resource: Resource; report: Partial<ParsedReport> }[] =
    [
      {
        name: "Node",
        resource: { "telemetry.sdk.language": "nodejs" },
        report: { side: "server" },
      },
      {
        name: "the web SDK",
        resource: { "telemetry.sdk.language": "webjs" },
        report: { side: "browser" },
      },
      {
        name: "a browser's attributes",
        resource: { "browser.mobile": true },
        report: { side: "browser" },
      },
      {
        name: "the environment's name",
        resource: { "deployment.environment.name": "qa" },
        report: { environment: "qa" },
      },
      {
        name: "the environment's older name",
        resource: { "deployment.environment": "qa" },
        report: { environment: "qa" },
      },
      {
        name: "the version",
        resource: { "service.version": "1.4.0" },
        report: { release: "1.4.0" },
      },
      { name: "nothing", resource: {}, report: { side: "server" } },
    ];
  it.each(resources)("a report takes values from the resource: $name", ({ resource, report }) => {
    expect(onlyLog(THROWN, {}, resource)).toMatchObject(report);
  });

  const requests: readonly { name: string; values: Resource; request: object | undefined }[] = [
    {
      name: "the stable names",
      values: {
        "http.request.method": "GET",
        "url.scheme": "https",
        "server.address": "a.example",
        "server.port": 8443,
        "url.path": "/b",
        "url.query": "c=d",
      },
      request: { method: "GET", url: "https://a.example:8443/b?c=d", route: "/b" },
    },
    {
      name: "the port that goes without saying",
      values: {
        "url.scheme": "https",
        "server.address": "a.example",
        "server.port": 443,
        "url.path": "/b",
      },
      request: { url: "https://a.example/b", route: "/b" },
    },
    {
      name: "the names before them",
      values: {
        "http.method": "GET",
        "http.scheme": "http",
        "http.host": "a.example:3000",
        "http.target": "/b?c=d",
        "http.user_agent": "UA",
      },
      request: { method: "GET", url: "http://a.example:3000/b?c=d", route: "/b", userAgent: "UA" },
    },
    {
      name: "a whole URL",
      values: { "http.url": "https://a.example/b?c" },
      request: { url: "https://a.example/b?c", route: "/b" },
    },
    { name: "a path alone", values: { "url.path": "/b" }, request: { url: "/b", route: "/b" } },
    { name: "a route alone", values: { "http.route": "/b/:id" }, request: { route: "/b/:id" } },
    {
      name: "captured headers of the allow list",
      values: {
        "http.request.header.referer": ["https://a.example/"],
        "http.request.header.user_agent": ["UA"],
        "http.request.header.cookie": ["a=b"],
      },
      request: {
        headers: [
          ["referer", "https://a.example/"],
          ["user-agent", "UA"],
        ],
        userAgent: "UA",
      },
    },
    { name: "nothing", values: {}, request: undefined },
  ];
  it.each(requests)("a report takes the request from $name", ({ values, request }) => {
    expect(onlyLog({ ...THROWN, ...values }).request).toEqual(request);
  });

  it("a client span does not describe the request that was served", () => {
    const around = attributes({
      "url.full": "https://bank.example/pay",
      "http.request.method": "POST",
    });
    expect(onlyException(THROWN, { kind: 3, attributes: around }).request).toBeUndefined();
    expect(onlyException(THROWN, { kind: 2, attributes: around }).request?.method).toBe("POST");
  });

  it("a report has no client address, no cookie, and the exception only once", () => {
    const values = {
      "client.address": "192.0.2.7",
      "net.peer.ip": "192.0.2.7",
      "http.request.header.cookie": ["sid=abc"],
      "http.response.header.set-cookie": ["sid=abc"],
    };
    const reports = [
      onlyLog({ ...THROWN, ...values }),
      onlyLog(THROWN, {}, values),
      onlyException(THROWN, { kind: 2, attributes: attributes(values) }),
    ];
    for (const { dedupeKey: _hashed, ...report } of reports) {
      expect(JSON.stringify(report)).not.toMatch(/192\.0\.2|sid=abc/);
      expect(JSON.stringify(report.detail ?? {})).not.toContain("exception.");
    }
  });

  it("a report has the time of its event, else that of its observation, else none", () => {
    expect(onlyLog(THROWN, { timeUnixNano: AT }).occurredAtMs).toBe(1_795_287_232_762);
    const observed = { timeUnixNano: "0", observedTimeUnixNano: 1_795_287_232_762_000_000 };
    expect(onlyLog(THROWN, observed).occurredAtMs).toBe(1_795_287_232_762);
    expect(onlyLog(THROWN, { timeUnixNano: "soon" }).occurredAtMs).toBeUndefined();
  });

  it("only a valid trace id is kept", () => {
    expect(onlyLog(THROWN, { traceId: TRACE.toUpperCase() }).traceId).toBe(TRACE);
    for (const traceId of ["0".repeat(32), "", "HVcZswUDnDt+QUDMnBERzg==", 7]) {
      expect(onlyLog(THROWN, { traceId }).traceId).toBeUndefined();
    }
  });

  it("an exception that escaped its span is tagged as unhandled", () => {
    const tags = onlyException({ ...THROWN, "exception.escaped": true }).tags;
    expect(tags).toContainEqual(["handled", "false"]);
  });

  it("attribute keys stay unchanged, and none changes Object.prototype", () => {
    const read = parseJson(
      new TextEncoder().encode(
        JSON.stringify(logs([record({ ...THROWN, constructor: "c" })])).replace(
          '"key":"constructor"',
          '"key":"__proto__"',
        ),
      ),
      10_000,
    );
    expect(getReport(readLogs(read.ok && read.value)[0]).type).toBe("CartError");
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("a report names its truncated fields", () => {
    const long = "x".repeat(limits.maxStackChars + 1);
    const report = onlyLog({
      "exception.type": long,
      "exception.message": long,
      "exception.stacktrace": long,
    });
    expect(report.truncated).toEqual(expect.arrayContaining(["type", "message", "stack"]));
  });
});

describe("duplicate reports", () => {
  const sameAs = (values: Resource, more: object) => onlyLog(values, more).dedupeKey;

  it("in one trace: one error in one second is one report, whatever else differs", () => {
    const one = sameAs(THROWN, { traceId: TRACE });
    const later = { traceId: TRACE, timeUnixNano: "1795287232999000000" };
    expect(sameAs({ ...THROWN, "http.route": "/" }, later)).toBe(one);
    expect(onlyException(THROWN).dedupeKey).toBe(one);
    expect(sameAs(THROWN, { traceId: TRACE, timeUnixNano: "1795287233000000000" })).not.toBe(one);
    expect(sameAs(THROWN, { traceId: TRACE.replace("1", "2") })).not.toBe(one);
    expect(sameAs({ ...THROWN, "exception.message": "other" }, { traceId: TRACE })).not.toBe(one);
  });

  it("without a trace: the same record at the same place of the same body is one report", () => {
    const one = sameAs(THROWN, {});
    expect(sameAs(THROWN, {})).toBe(one);
    expect(sameAs({ ...THROWN, "session.id": "s" }, {})).not.toBe(one);
    const [first, second] = readLogs(logs([record(THROWN), record(THROWN)])).map(getReport);
    expect(second?.dedupeKey).not.toBe(first?.dedupeKey);
  });

  it("without a time: no report is a duplicate", () => {
    expect(sameAs(THROWN, { timeUnixNano: 0 })).toBeUndefined();
  });
});

describe("large requests", () => {
  it("a request with more items than limits.maxOtlpItems is rejected", () => {
    const items = Array(limits.maxOtlpItems + 1).fill({});
    const expected = expect.stringContaining(`at most ${limits.maxOtlpItems} `);
    const refusal = { ok: false, reason: "too-many-items", expected };
    expect(parseOtlpLogs(logs(items))).toMatchObject(refusal);
    expect(parseOtlpTraces(traces(items))).toMatchObject(refusal);
    expect(readTraces(traces(items.slice(1)))).toHaveLength(limits.maxOtlpItems);
  });

  it("reports above limits.maxReportsPerBatch are dropped as over-count", () => {
    const over = 3;
    const outcomes = listOutcomes(
      readLogs(logs(Array(limits.maxReportsPerBatch + over).fill(record(THROWN)))),
    );
    expect(outcomes.filter((item) => item === "log → error")).toHaveLength(
      limits.maxReportsPerBatch,
    );
    expect(outcomes.slice(-over)).toEqual(Array(over).fill("log → dropped over-count"));
    const events = span(Array(limits.maxReportsPerBatch + over).fill(THROWN));
    expect(listOutcomes(readTraces(traces([events]))).slice(-over)).toEqual(
      Array(over).fill("exception → dropped over-count"),
    );
  });

  it("many reports with one large resource each contain little of it", () => {
    const large = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`host.name.${index}`, "x".repeat(5000)]),
    );
    const report = onlyException(THROWN, { attributes: attributes(large), kind: 2 });
    expect(JSON.stringify(report.detail).length).toBeLessThan(20_000);
    const shared = onlyLog(THROWN, {}, large);
    expect(JSON.stringify(shared.detail).length).toBeLessThan(20_000);
  });
});
