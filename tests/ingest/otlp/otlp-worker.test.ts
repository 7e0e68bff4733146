import { describe, expect, it } from "vitest";
import { parseOtlpLogs, parseOtlpTraces } from "#src/ingest/otlp/parse-otlp.ts";
import { toAttributes, type Value } from "#support/reports/otlp-values.ts";
import { getReport, listOutcomes } from "#support/reports/parsed-items.ts";

// The attributes are those that Cloudflare documents for the spans and logs of Workers.

type Values = Readonly<Record<string, Value>>;

const TRACE = "1d5719b305039c3b7e4140cc9c1111ce";
const AT = "1795287232762000000";
const RESOURCE = {
  "service.name": "shop",
  "cloud.platform": "cloudflare.workers",
  "cloudflare.script_name": "shop",
  "cloudflare.script_version.id": "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d",
  "cloudflare.colo": "FRA",
};
const ROOT = {
  "faas.trigger": "http",
  "cloudflare.handler_type": "fetch",
  "cloudflare.execution_model": "stateless",
  "cloudflare.ray_id": "8f1c2d3e4f5a6b7c",
  "cloudflare.outcome": "ok",
  "url.full": "https://shop.example/cart",
  cpu_time_ms: 12,
  wall_time_ms: 340,
};

const toResource = (values: Values) => ({ attributes: toAttributes(values) });
function parseLog(values: Values, resource: Values = RESOURCE) {
  const record = { timeUnixNano: AT, severityNumber: 17, body: { stringValue: "no price" } };
  const logRecords = [{ ...record, traceId: TRACE, attributes: toAttributes(values) }];
  const scopeLogs = [{ logRecords }];
  const parsed = parseOtlpLogs({ resourceLogs: [{ resource: toResource(resource), scopeLogs }] });
  return parsed.ok ? parsed.value : [];
}
function parseSpan(values: Values, events: readonly object[] = []) {
  const span = { traceId: TRACE, name: "fetch", kind: 2, endTimeUnixNano: AT, events };
  const scopeSpans = [{ spans: [{ ...span, attributes: toAttributes(values) }] }];
  const resourceSpans = [{ resource: toResource(RESOURCE), scopeSpans }];
  const parsed = parseOtlpTraces({ resourceSpans });
  return parsed.ok ? parsed.value : [];
}

describe("the export of Cloudflare", () => {
  it("gives a report the facts that a tail event gives it", () => {
    const report = getReport(parseLog(ROOT)[0]);
    expect(report).toMatchObject({
      message: "no price",
      rayId: "8f1c2d3e4f5a6b7c",
      traceId: TRACE,
      release: "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d",
      request: { url: "https://shop.example/cart" },
      detail: { contexts: { worker: { "CPU time": "12 ms", "wall time": "340 ms" } } },
    });
    expect(Object.fromEntries(report.tags ?? [])).toMatchObject({
      script: "shop",
      trigger: "fetch",
      colo: "FRA",
    });
  });

  it.each([
    [{ "cloudflare.handler_type": "scheduled", "faas.cron": "0 3 * * *" }, { cron: "0 3 * * *" }],
    [
      { "cloudflare.handler_type": "queue", "cloudflare.queue.name": "orders" },
      { queue: "orders" },
    ],
    [{ "cloudflare.jsrpc.method": "total" }, { method: "total" }],
    [
      {
        "cloudflare.handler_type": "alarm",
        "cloudflare.execution_model": "durableObject",
        "cloudflare.entrypoint": "Cart",
        "cloudflare.durable_object.id": "c0ffee",
      },
      { model: "durableObject", entrypoint: "Cart", "durable object": "c0ffee" },
    ],
  ] as const)("names the trigger of the invocation: %j", (values, tags) => {
    const found = Object.fromEntries(getReport(parseLog(values)[0]).tags ?? []);
    expect(found).toMatchObject(tags);
    const trigger: unknown = Reflect.get(values, "cloudflare.handler_type");
    expect(found.trigger).toBe(trigger);
  });

  it("does not give these facts to the reports of other senders", () => {
    const report = getReport(parseLog({ "cloudflare.ray_id": "8f1c2d3e4f5a6b7c" }, {})[0]);
    expect(report.tags).toBeUndefined();
    expect(report.detail).toEqual({
      attributes: { "cloudflare.ray_id": "8f1c2d3e4f5a6b7c" },
    });
  });

  it("stores nothing of the test of a new destination", () => {
    const resource = { ...RESOURCE, "service.name": "cloudflare-workers-observability" };
    expect(listOutcomes(parseLog({}, resource))).toEqual(["log → counted"]);
  });
});

describe("a span of a Worker that the platform ended", () => {
  it("is the report that the tail event about it would be", () => {
    const values = { ...ROOT, "cloudflare.outcome": "exceededCpu" };
    expect(getReport(parseSpan(values)[0])).toMatchObject({
      type: "exceededCpu",
      message: "the Worker exceeded its CPU time limit",
      fingerprint: ["worker-outcome", "exceededCpu", "shop", ""],
      occurredAtMs: 1_795_287_232_762,
      request: { url: "https://shop.example/cart" },
    });
  });

  it.each(["ok", "canceled", "responseStreamDisconnected", "exception"])(
    "is counted with the outcome %s",
    (outcome) => {
      const values = { ...ROOT, "cloudflare.outcome": outcome };
      expect(listOutcomes(parseSpan(values))).toEqual(["span → counted"]);
    },
  );

  it("is the exception that it has", () => {
    const attributes = toAttributes({ "exception.type": "E", "exception.message": "m" });
    const events = [{ name: "exception", timeUnixNano: AT, attributes }];
    const items = parseSpan({ ...ROOT, "cloudflare.outcome": "exceededCpu" }, events);
    expect(items.map((item) => getReport(item).type)).toEqual(["E"]);
  });
});
