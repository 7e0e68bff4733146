import { describe, expect, it } from "vitest";
import { processReport } from "#src/core/processing/process-report.ts";
import { serializeReport } from "#src/core/report/serialize-report.ts";
import { createProcessingOptions, NOW_MS } from "#support/reports/processing-options.ts";

describe("serializeReport", () => {
  const report = processReport(
    {
      kind: "browser",
      side: "browser",
      format: "reporting-api",
      type: "deprecation",
      message: "x",
      frames: [],
      fuzzyDedupeKey: "x",
      attachments: [{ name: "a.txt", bytes: 1, text: "a" }],
    },
    { ...createProcessingOptions(), nowMs: NOW_MS },
  );

  it("omits the retry id, which only the log uses", () => {
    const { retryId, ...stored } = report;
    expect(retryId).toMatch(/^[0-9a-f]{32}$/);
    expect(serializeReport(report)).toBe(JSON.stringify(stored));
  });

  it("serializes a report object once", () => {
    let reads = 0;
    const counting = {
      ...report,
      get message() {
        reads++;
        return "x";
      },
    };
    expect([serializeReport(counting), serializeReport(counting)]).toEqual([
      serializeReport(report),
      serializeReport(report),
    ]);
    expect(reads).toBe(1);
  });

  it("serializes a changed copy again", () => {
    expect(serializeReport({ ...report, message: "y" })).toContain('"message":"y"');
  });
});
