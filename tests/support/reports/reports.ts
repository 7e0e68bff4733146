/** Complete, valid reports for tests; each test overrides the members that it needs. */
import type { ParsedReport, Report } from "#src/core/report.ts";

/** 32 hex characters from a number, so that ids differ visibly in a failed assertion. */
export function toReportId(n: number): string {
  return n.toString(16).padStart(32, "0");
}

/** Server error number `n` with this digest. */
export function createReport(n: number, over: Partial<Report> = {}): Report {
  return {
    v: 1,
    id: toReportId(n),
    digest: "7F3K-Q2M9",
    isLinked: false,
    trust: "server",
    kind: "error",
    side: "server",
    format: "next",
    type: "TypeError",
    message: "the price of the cart is missing",
    frames: [],
    occurredAtMs: Date.UTC(2026, 10, 21, 17, 0, 0) + n,
    receivedAtMs: Date.UTC(2026, 10, 21, 17, 0, 0) + n,
    scrubbedCount: 0,
    ...over,
  };
}

/** A parsed report with no text that scrubbing could change. */
export const emptyParsedReport: ParsedReport = {
  kind: "error",
  side: "server",
  format: "sentry",
  type: "Error",
  message: "",
  frames: [],
};
