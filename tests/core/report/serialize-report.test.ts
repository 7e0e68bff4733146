import { describe, expect, it } from "vitest";
import { processReport } from "../../../src/core/processing/process-report.ts";
import { serializeReport } from "../../../src/core/report/serialize-report.ts";
import { finishFacts, NOW_MS } from "../../support/ingest-context.ts";

describe("the line of a report", () => {
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
    { ...finishFacts(), nowMs: NOW_MS },
  );

  it("is all of it but the id that a retry may have, which is for the log alone", () => {
    const { retryId, ...stored } = report;
    expect(retryId).toMatch(/^[0-9a-f]{32}$/);
    expect(serializeReport(report)).toBe(JSON.stringify(stored));
  });

  it("is written once, whoever asks for it", () => {
    let written = 0;
    const counting = {
      ...report,
      get message() {
        written++;
        return "x";
      },
    };
    expect([serializeReport(counting), serializeReport(counting)]).toEqual([
      serializeReport(report),
      serializeReport(report),
    ]);
    expect(written).toBe(1);
  });

  it("is another for a report that was changed on the way", () => {
    expect(serializeReport({ ...report, message: "y" })).toContain('"message":"y"');
  });
});
