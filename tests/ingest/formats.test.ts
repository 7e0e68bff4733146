import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "#src/core/decode/parse-json.ts";
import type { Outcome } from "#src/core/stats/outcome.ts";
import type { IngestFormat } from "#src/ingest/format/ingest-format.ts";
import { INGEST_FORMATS, REPORT_FORMATS } from "#src/ingest/formats.ts";
import { parseBody, toIngestBody } from "#src/ingest/parse-body.ts";
import { toBytes } from "#support/bytes.ts";
import { anyReport } from "#support/reports/any-report.ts";
import { listCaptures, readCapture } from "#support/reports/captures.ts";
import { listExceededLimits } from "#support/reports/exceeded-limits.ts";
import { NOW_MS } from "#support/reports/processing-options.ts";

const anyOutcome = fc.oneof(
  fc.record({
    outcome: fc.constant("accepted" as const),
    item: fc.string(),
    id: fc.stringMatching(/^[0-9a-f]{32}$/),
    digest: fc.constant("7F3K-Q2M9"),
    isDuplicate: fc.boolean(),
  }),
  fc.record({ outcome: fc.constant("counted" as const), item: fc.string() }),
  fc.record({
    outcome: fc.constant("dropped" as const),
    item: fc.string(),
    reason: fc.constant("over-count" as const),
  }),
);

/** Calls the parser of a format with a value, as JSON and as bytes. */
function parse(format: IngestFormat, value: unknown, isCut = false) {
  const bytes = toBytes(JSON.stringify(value) ?? "");
  const json = parseJson(bytes, Number.POSITIVE_INFINITY);
  const body = toIngestBody(bytes);
  return format.parse({ ...body, value: json.ok ? json.value : null, nowMs: NOW_MS, isCut });
}

describe.each(INGEST_FORMATS)("the format $name", (format) => {
  it("has one outcome for each item of any value, within the limits, and never throws", () => {
    fc.assert(
      fc.property(anyReport, fc.boolean(), (value, isCut) => {
        const parsed = parse(format, value, isCut && format.parsesBeginning);
        for (const item of parsed.ok ? parsed.value.items : []) {
          expect(item.item).toMatch(/^[a-z][a-z0-9_-]*$/i);
          if (!("report" in item)) continue;
          expect(listExceededLimits(item.report)).toEqual([]);
          expect(item.report.format).toBe(format.reportFormat);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("has a response to any outcomes", () => {
    const protocols = ["application/json", "application/x-protobuf", ""].flatMap(
      (type) => format.selectProtocol?.(type) ?? [],
    );
    fc.assert(
      fc.property(fc.array(anyOutcome), (outcomes: readonly Outcome[]) => {
        for (const { respond } of [format, ...protocols]) {
          const { status, body, headers } = respond({ outcomes });
          const response = new Response(body, { status, headers });
          expect(response.ok).toBe(true);
        }
      }),
    );
  });

  it("parses captures of real clients into reports and items that it declares", () => {
    const otlp = ["otlp/node.logs-json", "otlp/node.traces-json"].map(readCapture);
    for (const { body } of [...listCaptures(), ...otlp]) {
      const parsed = parseBody(toIngestBody(body), { nowMs: NOW_MS });
      if (!parsed.ok || parsed.value.format !== format) continue;
      for (const item of parsed.value.items) {
        if ("report" in item) expect(item.report.format).toBe(format.reportFormat);
        if ("outcome" in item && item.outcome !== "counted")
          expect(format.items).toContain(item.item);
      }
    }
  });
});

describe("the table of formats", () => {
  it("has each name, endpoint and path once", () => {
    const paths = INGEST_FORMATS.flatMap((format) => Object.entries(format.paths ?? {}));
    for (const names of [
      INGEST_FORMATS.map(({ name }) => name),
      ...[0, 1].map((n) => paths.map((entry) => entry[n])),
    ])
      expect(new Set(names).size).toBe(names.length);
  });

  it("keeps the names that stored reports and exports contain", () => {
    const names = ["csp-report", "next", "otlp", "render", "reporter", "reporting-api", "sentry"];
    expect(REPORT_FORMATS).toEqual(expect.arrayContaining([...names, "tail"]));
  });
});
