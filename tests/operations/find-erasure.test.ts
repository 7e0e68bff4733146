import { expect, it } from "vitest";
import type { AuditEntry } from "#src/core/accounts/audit-entry.ts";
import { findErasure } from "#src/operations/find-erasure.ts";
import { toReportId } from "#support/reports/reports.ts";

const DIGEST = "7F3K-Q2M9";
const REPORT = toReportId(1);
const OWN: AuditEntry = {
  ...{ sequence: 3, atMs: 300, by: "Ada", action: "reports.erase", subject: DIGEST },
  ...{ details: `erased the report ${REPORT} of ${DIGEST}`, outcome: "done" },
};
const TEXT: AuditEntry = {
  ...{ sequence: 4, atMs: 400, by: "Bob", action: "erasures.start" },
  ...{ details: "erased a text", outcome: "done" },
};
const byReport = { atMs: 300, by: "Ada", of: "report" };
const byText = { atMs: 400, by: "Bob", of: "text" };

it.each([
  ["the erasure of the report itself, before that of a text", [TEXT, OWN], byReport],
  ["the last erasure of a text", [TEXT, { ...TEXT, atMs: 100, by: "Eve" }], byText],
  ["nothing of a time before it arrived", [{ ...TEXT, atMs: 49 }], null],
  ["nothing of another issue", [{ ...OWN, subject: "0000-0000" }], null],
  ["nothing of another report", [{ ...OWN, details: `erased the report ${toReportId(2)}` }], null],
  ["nothing that was not done", [{ ...OWN, outcome: "unknown-report" }], null],
  ["nothing without entries", [], null],
] as const)("a report without contents has %s", (_, entries, erasure) => {
  expect(findErasure(entries, DIGEST, { id: REPORT, receivedMs: 50 })).toEqual(erasure);
});

it("local access has no name", () => {
  const { by: _, ...local } = OWN;
  expect(findErasure([local], DIGEST, { id: REPORT })).toEqual({ atMs: 300, of: "report" });
});
