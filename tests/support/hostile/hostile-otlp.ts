/** OTLP in JSON that no exporter writes. */
import { limits } from "#src/core/limits.ts";
import { type Hostile, KEY, PLANTED_SECRET, UNEXPECTED_VALUES } from "./hostile-row.ts";

const JSON_LOGS = {
  path: "/v1/logs",
  headers: { "content-type": "application/json", authorization: `Bearer ${KEY}` },
} as const;
const JSON_TRACES = { ...JSON_LOGS, path: "/v1/traces" } as const;

const logs = (logRecords: readonly unknown[]) =>
  JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
const spans = (inner: readonly unknown[]) =>
  JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: inner }] }] });
const thrown = (value: unknown) =>
  ["exception.type", "exception.message", "exception.stacktrace"].map((key) => ({ key, value }));
const RECORD = [
  "timeUnixNano",
  "observedTimeUnixNano",
  "severityNumber",
  "severityText",
  "body",
  "attributes",
  "traceId",
  "spanId",
  "eventName",
];
const SPAN = [
  "traceId",
  "spanId",
  "name",
  "kind",
  "attributes",
  "events",
  "status",
  "startTimeUnixNano",
];
const VALUES = [
  "stringValue",
  "intValue",
  "doubleValue",
  "boolValue",
  "bytesValue",
  "arrayValue",
  "kvlistValue",
];

/** Wrong types, sizes and encodings. */
export const hostileOtlp: readonly Hostile[] = [
  ...RECORD.map((member) => ({
    name: `a log record's ${member}`,
    ...JSON_LOGS,
    body: logs(
      UNEXPECTED_VALUES.map((wrong) => ({
        severityNumber: 17,
        body: { stringValue: PLANTED_SECRET },
        [member]: wrong,
      })),
    ),
    status: 200,
  })),
  ...SPAN.map((member) => ({
    name: `a span's ${member}`,
    ...JSON_TRACES,
    body: spans(
      UNEXPECTED_VALUES.map((wrong) => ({
        events: [{ attributes: thrown({ stringValue: PLANTED_SECRET }) }],
        [member]: wrong,
      })),
    ),
    status: 200,
  })),
  ...VALUES.map((member) => ({
    name: `an attribute's ${member}`,
    ...JSON_LOGS,
    body: logs(UNEXPECTED_VALUES.map((wrong) => ({ attributes: thrown({ [member]: wrong }) }))),
    status: 200,
  })),
  ...["resourceLogs", "resourceSpans"].flatMap((member) =>
    UNEXPECTED_VALUES.map((wrong, at) => ({
      name: `${member} itself (${at})`,
      ...JSON_LOGS,
      body: JSON.stringify({ [member]: wrong }),
      status: 200,
    })),
  ),
  {
    name: "10,000 records of nothing",
    ...JSON_LOGS,
    body: () => logs(Array(10_000).fill({})),
    status: 200,
  },
  {
    name: "one record too many",
    ...JSON_LOGS,
    body: () => logs(Array(limits.maxOtlpItems + 1).fill({})),
    status: 413,
  },
  {
    name: "8,000 exceptions",
    ...JSON_TRACES,
    body: () =>
      spans([{ events: Array(8_000).fill({ attributes: thrown({ stringValue: "x" }) }) }]),
    status: 200,
  },
  {
    name: "values in values",
    ...JSON_LOGS,
    body: () => logs([{ severityNumber: 17, body: nestedValue(30) }]),
    status: 200,
  },
  {
    name: "values in values, too deep",
    ...JSON_LOGS,
    body: () => logs([{ body: nestedValue(1_000) }]),
    status: 400,
  },
  { name: "without a key", path: "/v1/logs", body: logs([]), status: 401 },
  { name: "no JSON", ...JSON_LOGS, body: `{"resourceLogs":${PLANTED_SECRET}`, status: 400 },
];

function nestedValue(levels: number): unknown {
  let value: unknown = { stringValue: PLANTED_SECRET };
  for (let level = 0; level < levels; level += 1) value = { arrayValue: { values: [value] } };
  return value;
}
