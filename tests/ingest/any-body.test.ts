import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "#src/core/decode/parse-json.ts";
import { parseLegacyCspReport } from "#src/ingest/browser/csp-violation.ts";
import { parseReporterBody } from "#src/ingest/browser/errata-reporter.ts";
import { parseReportingApi } from "#src/ingest/browser/reporting-api.ts";
import type { ParsedItem } from "#src/ingest/format/ingest-format.ts";
import { parseNextRequestError } from "#src/ingest/next-request-error.ts";
import { parseSentryEnvelope } from "#src/ingest/sentry/envelope-items.ts";
import { parseSentryEvent } from "#src/ingest/sentry/sentry-event.ts";
import { concatBytes, toBytes } from "#support/bytes.ts";
import { anyReport } from "#support/reports/any-report.ts";
import { listExceededLimits } from "#support/reports/exceeded-limits.ts";
import { NOW_MS } from "#support/reports/processing-options.ts";

type Parse = (value: unknown) => readonly ParsedItem[];

const OUTCOMES = ["counted", "dropped", "invalid"];

/** Each parser of a decoded value, with the frame that brings a value to what it reads. */
const parsers: readonly { name: string; parse: Parse; frame: (value: unknown) => unknown }[] = [
  { name: "sentry-event", parse: (value) => [parseSentryEvent(value)], frame: (value) => value },
  {
    name: "sentry-event, an exception",
    parse: (value) => [parseSentryEvent(value)],
    frame: (value) => ({
      exception: [{ type: "E", value: "v", stacktrace: value }, value],
      contexts: value,
    }),
  },
  {
    name: "reporter",
    parse: parseReporterBody,
    frame: (value) => ({ ...Object(value), errata: 1 }),
  },
  {
    name: "reporter, an error",
    parse: parseReporterBody,
    frame: (value) => ({
      errata: 1,
      type: "E",
      message: value,
      stack: value,
      componentStack: value,
      url: value,
      release: value,
      language: value,
    }),
  },
  { name: "next", parse: parseNextRequestError, frame: (value) => value },
  {
    name: "next, three arguments",
    parse: parseNextRequestError,
    frame: (value) => ({ error: { message: "m", digest: value }, request: value, context: value }),
  },
  { name: "csp-report", parse: parseLegacyCspReport, frame: (value) => ({ "csp-report": value }) },
  {
    name: "csp-report with a directive",
    parse: parseLegacyCspReport,
    frame: (value) => ({
      "csp-report": {
        "effective-directive": "img-src",
        "blocked-uri": value,
        "source-file": value,
      },
    }),
  },
  {
    name: "reporting-api",
    parse: reports,
    frame: (value) => [value, { ...Object(value), type: "deprecation" }],
  },
  {
    name: "reporting-api, a body of each type",
    parse: reports,
    frame: (body) =>
      ["csp-violation", "network-error", "crash", "coep", "deprecation", "new"].map((type) => ({
        type,
        body,
        age: body,
        url: body,
      })),
  },
  {
    name: "sentry-envelope",
    parse: (value) => envelope(concatBytes('{}\n{"type":"event"}\n', JSON.stringify(value))),
    frame: (value) => value,
  },
  {
    name: "sentry-envelope, the items other than events",
    parse: besides,
    frame: (value) => ({
      comments: value,
      event_id: value,
      email: value,
      message: value,
      contexts: { feedback: { message: value, name: value, contact_email: value, url: value } },
      attrs: value,
      init: true,
      aggregates: [value],
      discarded_events: [value],
    }),
  },
];

/** Items other than events, each with this value as its payload. */
function besides(value: unknown): readonly ParsedItem[] {
  const json = JSON.stringify(value);
  const types = ["feedback", "user_report", "session", "sessions", "client_report", "attachment"];
  return envelope(concatBytes("{}\n", ...types.map((type) => `{"type":"${type}"}\n${json}\n`)));
}

function reports(value: unknown): readonly ParsedItem[] {
  const parsed = parseReportingApi(value, NOW_MS);
  return parsed.ok ? parsed.value : [];
}

function envelope(body: Uint8Array): readonly ParsedItem[] {
  const parsed = parseSentryEnvelope(body);
  return parsed.ok ? parsed.value.items : [];
}

/** The value as parseJson returns it: numbers without NaN, no __proto__. */
function decoded(value: unknown): unknown {
  const json = parseJson(toBytes(JSON.stringify(value)), Number.POSITIVE_INFINITY);
  return json.ok ? json.value : null;
}

describe("every parser returns one outcome per item, within the limits, and never throws", () => {
  it.each(parsers)("$name", ({ parse, frame }) => {
    let reports = 0;
    fc.assert(
      fc.property(anyReport, (value) => {
        for (const item of parse(decoded(frame(value)))) {
          if ("report" in item) {
            reports += 1;
            expect(listExceededLimits(item.report)).toEqual([]);
          } else {
            expect(["attachment", ...OUTCOMES]).toContain(
              "outcome" in item ? item.outcome : item.item,
            );
          }
        }
      }),
      { numRuns: 100 },
    );
    // Otherwise the generator reaches no parser.
    expect(reports).toBeGreaterThan(0);
  });

  it("sentry-envelope, arbitrary bytes", () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), fc.string().map(toBytes)), (body) => {
        for (const item of envelope(body)) expect(item).toHaveProperty("item");
        for (const item of envelope(concatBytes('{}\n{"type":"event"}\n', body)))
          expect(item).toHaveProperty("item");
      }),
      { numRuns: 100 },
    );
  });
});
