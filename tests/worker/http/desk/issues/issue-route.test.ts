import { afterEach, describe, expect, it } from "vitest";
import { skipPauses } from "#support/http/skip-pauses.ts";
import { visit } from "#support/http/visit.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, uploadChunk } from "#support/store/store.ts";

skipPauses();

afterEach(() => emptyStore());

const asJson = { headers: { accept: "application/json" } };

describe("an issue", () => {
  it("as JSON contains its newest reports in full, by Accept and by .json", async () => {
    await log.append([createReport(1, { stack: "TypeError: a\n    at b (c.js:1:2)" })]);
    const byAccept = JSON.parse((await visit("/d/7F3K-Q2M9", asJson)).body);
    expect(byAccept).toMatchObject({
      digest: "7F3K-Q2M9",
      count: 1,
      reports: [{ id: toReportId(1) }],
    });
    const bySuffix = JSON.parse((await visit("/d/7F3K-Q2M9.json")).body);
    expect(bySuffix.reports).toEqual(byAccept.reports);
  });

  it("as JSON is a single report if one is requested", async () => {
    await log.append([createReport(1), createReport(2)]);
    const { body } = await visit(`/d/7F3K-Q2M9?report=${toReportId(1)}`, asJson);
    const { v: _, ...report } = createReport(1);
    expect(JSON.parse(body)).toEqual(report);
    const { response } = await visit(`/d/7F3K-Q2M9?report=${toReportId(9)}`, asJson);
    expect(response.status).toBe(404);
  });

  it("shows the requested report, also if it is only in the archive", async () => {
    await log.append([
      createReport(1, { message: "the first" }),
      createReport(2, { message: "the second" }),
    ]);
    await uploadChunk();
    expect((await visit(`/d/7F3K-Q2M9?report=${toReportId(1)}`)).body).toContain("the first");
    expect((await visit(`/d/7F3K-Q2M9?report=${toReportId(2)}`)).body).toContain("the second");
  });

  it("has one URL, to which other spellings redirect", async () => {
    await log.append([createReport(1, { aliases: ["2338823894"] })]);
    for (const spelling of ["7f3kq2m9", "7F3KQ2M9", "2338823894"]) {
      const { response } = await visit(`/d/${spelling}`);
      expect(response.headers.get("location")).toBe("/d/7F3K-Q2M9");
    }
  });

  it("renders hostile values as text", async () => {
    const hostile = '<img src=x onerror="alert(1)"></script><script>alert(1)</script>';
    await log.append([
      createReport(1, {
        type: hostile,
        message: hostile,
        componentStack: hostile,
        release: hostile,
        environment: hostile,
        request: {
          url: "javascript:alert(1)",
          route: hostile,
          method: hostile,
          headers: [["referer", "javascript:alert(1)"]],
        },
        tags: [[hostile, hostile]],
        breadcrumbs: [{ message: hostile, category: hostile }],
        frames: [{ function: hostile, file: "javascript:alert(1)", inApp: true, source: hostile }],
        detail: { [hostile]: hostile },
      }),
    ]);
    const { body } = await visit("/d/7F3K-Q2M9");
    expect(body).not.toContain("<img");
    expect(body).not.toContain("<script>alert");
    expect(body).not.toMatch(/(href|src)="javascript:/);
    expect((await visit("/")).body).not.toContain("<img");
  });
});
