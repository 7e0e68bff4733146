import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { otlpLogs, otlpTraces } from "#src/ingest/otlp/otlp-formats.ts";
import { decodeOtlpLogs, decodeOtlpTraces } from "#src/ingest/otlp/otlp-messages.ts";
import { toBytes } from "#support/bytes.ts";
import { readCapture } from "#support/reports/captures.ts";
import { ingestBytes, ingestTail } from "#support/reports/ingest-bytes.ts";
import { createMemoryLog } from "#support/reports/memory-log.ts";
import { createProcessingOptions } from "#support/reports/processing-options.ts";
import { readTailEvent } from "#support/reports/tail-events.ts";

const LOGS_IN_PROTOBUF = { format: otlpLogs, decode: decodeOtlpLogs };
const TRACES_IN_PROTOBUF = { format: otlpTraces, decode: decodeOtlpTraces };

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
  const ingested = await ingestBytes(body, { ...createProcessingOptions(), writer: log, ...more });
  if (!ingested.ok) throw new Error(JSON.stringify(ingested));
  return { ...ingested.value, log, reports: [...log.reports.values()] };
}

describe("OTLP", () => {
  it.each([
    { name: "otlp/node.logs-json", format: "otlp-logs", more: {}, accepted: 4 },
    {
      name: "otlp/node.logs-proto",
      format: "otlp-logs",
      more: { encoding: LOGS_IN_PROTOBUF },
      accepted: 4,
    },
    { name: "otlp/node.traces-json", format: "otlp-traces", more: {}, accepted: 2 },
    {
      name: "otlp/node.traces-proto",
      format: "otlp-traces",
      more: { encoding: TRACES_IN_PROTOBUF },
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
      encoding: LOGS_IN_PROTOBUF,
    };
    const ingested = await ingestBytes(body, context);
    expect(ingested).toMatchObject({
      ok: false,
      reason,
      expected: expect.stringContaining("Logs"),
    });
  });

  it("an empty request has no items", async () => {
    expect((await take(new Uint8Array(0), { encoding: TRACES_IN_PROTOBUF })).outcomes).toEqual([]);
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
    await ingestBytes(body, { ...createProcessingOptions(), writer: log, findDigest }),
  ).toMatchObject({
    ok: true,
  });
  expect(lookedUpIds).toHaveLength(limits.maxAboutEventsPerBody);
  const linked = [...log.reports.values()].filter((report) => report.isLinked);
  expect([log.reports.size, linked.length]).toEqual([100, limits.maxAboutEventsPerBody]);
});

describe("tail events", () => {
  const take = async (events: readonly unknown[], log = createMemoryLog()) => {
    const result = await ingestTail(events, { ...createProcessingOptions(), writer: log });
    return { result, reports: [...log.reports.values()] };
  };

  it("become durable reports, without the secrets in their URLs", async () => {
    const { result, reports } = await take([readTailEvent("throw"), readTailEvent("fine")]);
    expect(result.ok && result.value.outcomes.map(({ outcome }) => outcome)).toEqual([
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
});
