import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { ingest, ingestTail } from "#src/ingest/ingest.ts";
import { toBytes } from "#support/bytes.ts";
import { readCapture } from "#support/reports/captures.ts";
import { createMemoryLog } from "#support/reports/memory-log.ts";
import { createProcessingOptions } from "#support/reports/processing-options.ts";
import { createInvocation, readTailEvent } from "#support/reports/tail-events.ts";

const exception = (message: string) => ({
  timeUnixNano: "1795283000000000000",
  attributes: [{ key: "exception.message", value: { stringValue: message } }],
});
const logs = (count: number) =>
  toBytes({
    resourceLogs: [
      { scopeLogs: [{ logRecords: Array.from({ length: count }, (_, n) => exception(`m ${n}`)) }] },
    ],
  });

async function take(body: Uint8Array, more: object = {}, log = createMemoryLog()) {
  const ingested = await ingest(body, { ...createProcessingOptions(), writer: log, ...more });
  if (!ingested.ok) throw new Error(JSON.stringify(ingested));
  return { ...ingested.value, log, reports: [...log.reports.values()] };
}

describe("OTLP", () => {
  it.each([
    { name: "otlp/node.logs-json", format: "otlp-logs", more: {}, accepted: 4 },
    {
      name: "otlp/node.logs-proto",
      format: "otlp-logs",
      more: { protobufSignal: "logs" },
      accepted: 4,
    },
    { name: "otlp/node.traces-json", format: "otlp-traces", more: {}, accepted: 2 },
    {
      name: "otlp/node.traces-proto",
      format: "otlp-traces",
      more: { protobufSignal: "traces" },
      accepted: 2,
    },
    { name: "otlp/web.logs-json", format: "otlp-logs", more: {}, accepted: 1 },
  ])(
    "$name is accepted, and counts once when sent again",
    async ({ name, format, more, accepted }) => {
      const { body } = readCapture(name);
      const { format: detected, outcomes, log } = await take(body, more);
      expect(detected).toBe(format);
      expect(outcomes.filter(({ outcome }) => outcome === "accepted")).toHaveLength(accepted);
      const again = await take(body, more, log);
      for (const item of again.outcomes) {
        if (item.outcome === "accepted") expect(item.isDuplicate).toBe(true);
      }
    },
  );

  it("an error recorded on two spans and in a log of one trace is one report", async () => {
    const traces = await take(readCapture("otlp/node.traces-json").body);
    expect(traces.outcomes).toMatchObject([
      { outcome: "counted", item: "span" },
      { outcome: "accepted", isDuplicate: false },
      { outcome: "accepted", isDuplicate: true },
    ]);
    expect(traces.reports).toHaveLength(1);
    const again = await take(readCapture("otlp/node.logs-json").body, {}, traces.log);
    expect(again.outcomes[1]).toMatchObject({ outcome: "accepted", isDuplicate: true });
  });

  it.each([
    { name: "protobuf that is none", body: toBytes("{}"), reason: "framing" },
    { name: "JSON under the name of protobuf", body: logs(1), reason: "framing" },
  ])("$name: fails with $reason and says what was expected", async ({ body, reason }) => {
    const context = {
      ...createProcessingOptions(),
      writer: createMemoryLog(),
      protobufSignal: "logs" as const,
    };
    const ingested = await ingest(body, context);
    expect(ingested).toMatchObject({
      ok: false,
      reason,
      expected: expect.stringContaining("Logs"),
    });
  });

  it("an empty request has no items", async () => {
    expect((await take(new Uint8Array(0), { protobufSignal: "traces" })).outcomes).toEqual([]);
    expect((await take(toBytes('{"resourceLogs":[]}'))).outcomes).toEqual([]);
  });
});

describe("large batches", () => {
  it("one OTLP request takes less than two seconds of CPU and stores at most limits.maxReportsPerBatch reports", async () => {
    const startedUs = process.cpuUsage().user;
    const { reports, outcomes } = await take(logs(limits.maxOtlpItems));
    expect(reports).toHaveLength(limits.maxReportsPerBatch);
    expect(outcomes).toHaveLength(limits.maxOtlpItems);
    expect(process.cpuUsage().user - startedUs).toBeLessThan(2_000_000);
  });
});

it("only limits.maxAboutEventsPerBody events per body are looked up for feedback", async () => {
  const items = Array.from({ length: 100 }, (_, n) => {
    const payload = { event_id: (n + 1).toString(16).padStart(32, "0"), comments: "blank" };
    return `{"type":"user_report"}\n${JSON.stringify(payload)}\n`;
  });
  const lookedUpIds: string[] = [];
  const findDigest = async (id: string) => {
    lookedUpIds.push(id);
    return "7F3K-Q2M9";
  };
  const log = createMemoryLog();
  const body = toBytes(`{}\n${items.join("")}`);
  expect(
    await ingest(body, { ...createProcessingOptions(), writer: log, findDigest }),
  ).toMatchObject({
    ok: true,
  });
  expect(lookedUpIds).toHaveLength(limits.maxAboutEventsPerBody);
  const linked = [...log.reports.values()].filter((report) => report.isLinked);
  expect([log.reports.size, linked.length]).toEqual([100, limits.maxAboutEventsPerBody]);
});

describe("tail events", () => {
  const take = async (events: readonly unknown[], log = createMemoryLog(), options = {}) => {
    const context = { ...createProcessingOptions(), writer: log, ...options };
    const result = await ingestTail(events, context);
    return { result, reports: [...log.reports.values()] };
  };

  it("read the settings of the project once, and only if an invocation failed", async () => {
    let reads = 0;
    const [one = { digest: "" }] = (await take([readTailEvent("throw")])).reports;
    const findSettings = async () => {
      reads++;
      return { splitDigests: [one.digest] };
    };
    const failing = [readTailEvent("throw"), readTailEvent("throw")];
    const { reports } = await take(failing, createMemoryLog(), { findSettings });
    expect(reads).toBe(1);
    expect(reports.map(({ digest }) => digest)).not.toContain(one.digest);
    await take([readTailEvent("fine")], createMemoryLog(), { findSettings });
    expect(reads).toBe(1);
  });

  it("become durable reports, without the secrets in their URLs", async () => {
    const { result, reports } = await take([readTailEvent("throw"), readTailEvent("fine")]);
    expect(result.ok && result.value.map(({ outcome }) => outcome)).toEqual([
      "counted",
      "accepted",
      "counted",
      "counted",
      "counted",
    ]);
    expect(reports).toMatchObject([{ format: "tail", type: "TypeError", side: "server" }]);
    expect(reports[0]?.request?.url).toContain("id=42");
    expect(JSON.stringify(reports)).not.toContain("secret-token-value");
  });

  it("group into one issue for one error, thrown or logged", async () => {
    const { reports } = await take(["throw", "logged", "logged-and-thrown"].map(readTailEvent));
    expect(new Set(reports.map(({ digest }) => digest)).size).toBe(1);
    expect(reports).toHaveLength(3);
  });

  it("that the log refuses are reported as lost", async () => {
    const log = createMemoryLog();
    log.refuse = new Error("overloaded");
    const { result } = await take([readTailEvent("throw")], log);
    expect(result).toMatchObject({ ok: false, reason: "log-unavailable", cause: log.refuse });
  });

  it("without an error are not sent to the log", async () => {
    const log = createMemoryLog();
    log.refuse = new Error("overloaded");
    expect((await take([createInvocation(), createInvocation()], log)).result).toMatchObject({
      ok: true,
    });
  });
});
