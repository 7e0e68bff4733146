import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "#src/core/decode/parse-json.ts";
import type { ParsedItem } from "#src/ingest/format/ingest-format.ts";
import { parseOtlpLogs, parseOtlpTraces } from "#src/ingest/otlp/parse-otlp.ts";
import { parseTail } from "#src/ingest/tail/parse-tail.ts";
import { toBytes } from "#support/bytes.ts";
import { anyReport } from "#support/reports/any-report.ts";
import { listExceededLimits } from "#support/reports/exceeded-limits.ts";

const [LONG, LONGEST] = ["x".repeat(9_000), "y".repeat(40_000)];

/** Any value: usually small, sometimes a whole tree. */
const value = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom("", "m", "TypeError", "https://a.example/b?c", "\u{1F600}"),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(0, -1, 17, 1e300, true, null, "1795283000000000000", LONGEST),
  },
  { weight: 1, arbitrary: fc.constant(LONG) },
  { weight: 1, arbitrary: anyReport },
);
const many = (one: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 9, arbitrary: fc.array(one, { minLength: 1, maxLength: 3 }) }, value);
const some = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record(members, { requiredKeys: [] });

const key = fc.constantFrom(
  ...["exception.type", "exception.message", "exception.stacktrace", "exception.escaped"],
  ...["http.route", "url.full", "url.path", "http.request.header.referer", "http.status_code"],
  ...["service.name", "service.version", "deployment.environment", "browser.mobile", "__proto__"],
);
const anyValue = fc.oneof(
  fc.record({ stringValue: value }),
  fc.record({ intValue: value }),
  fc.record({ doubleValue: value, boolValue: value }),
  fc.record({ arrayValue: fc.record({ values: many(fc.record({ stringValue: value })) }) }),
  fc.record({ kvlistValue: fc.record({ values: many(fc.record({ key: value, value })) }) }),
);
const attributes = many(fc.record({ key, value: anyValue }));
const resource = some({ attributes });
const logRecord = fc.record({
  ...{
    attributes,
    body: anyValue,
    severityNumber: fc.oneof(fc.constantFrom(9, 17, 24), value),
    severityText: value,
    eventName: value,
  },
  ...{ timeUnixNano: value, observedTimeUnixNano: value, traceId: value },
});
const spanEvent = fc.record({ attributes, name: value, timeUnixNano: value });
const span = fc.record({
  attributes,
  events: many(spanEvent),
  kind: value,
  name: value,
  traceId: value,
});

const error = some({ name: value, message: value, stack: value, timestamp: value });
const consoleCall = some({
  level: fc.constantFrom("error", "log", 1),
  message: many(value),
  errorInfo: many(error),
  timestamp: value,
});
const invocation = some({
  outcome: fc.oneof(fc.constantFrom("ok", "exception", "exceededCpu", "canceled"), value),
  exceptions: many(error),
  logs: many(consoleCall),
  event: some({ request: some({ url: value, headers: value, cf: value }), response: value }),
  scriptName: value,
  scriptVersion: value,
  scriptTags: many(value),
});

const parsers: readonly {
  name: string;
  body: fc.Arbitrary<unknown>;
  parse: (value: unknown) => readonly ParsedItem[];
}[] = [
  {
    name: "OTLP logs",
    body: fc
      .record({ resource, scopeLogs: many(fc.record({ logRecords: many(logRecord) })) })
      .map((group) => ({ resourceLogs: [group] })),
    parse: (value) => {
      const parsed = parseOtlpLogs(value);
      return parsed.ok ? parsed.value : [];
    },
  },
  {
    name: "OTLP traces",
    body: fc
      .record({ resource, scopeSpans: many(fc.record({ spans: many(span) })) })
      .map((group) => ({ resourceSpans: [group] })),
    parse: (value) => {
      const parsed = parseOtlpTraces(value);
      return parsed.ok ? parsed.value : [];
    },
  },
  {
    name: "tail events",
    body: many(invocation),
    parse: (value) => parseTail([value].flat()),
  },
];

/** The value as parseJson returns it. */
function decoded(value: unknown): unknown {
  const json = parseJson(toBytes(JSON.stringify(value)), Number.POSITIVE_INFINITY);
  return json.ok ? json.value : null;
}

describe("every item has one outcome, within the limits, and nothing throws", () => {
  it.each(parsers)("$name", ({ body, parse }) => {
    let reports = 0;
    fc.assert(
      fc.property(body, (value) => {
        for (const item of parse(decoded(value))) {
          if ("report" in item) {
            reports += 1;
            expect(listExceededLimits(item.report)).toEqual([]);
          } else {
            expect(["counted", "dropped", "invalid"]).toContain("outcome" in item && item.outcome);
          }
        }
      }),
      { seed: 1, numRuns: 60 },
    );
    // Otherwise the generator reaches no parser.
    expect(reports).toBeGreaterThan(20);
  });
});
