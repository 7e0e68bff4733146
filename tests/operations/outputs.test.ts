// What programs read of what is stored. Each new member of a stored shape is a decision: it does not
// compile until the schema of the output declares it, or it is named here.

import * as v from "valibot";
import { expect, it } from "vitest";
import type { AlertMessage } from "#src/core/alerts/alert-message.ts";
import type { Decision, Issue, IssueSummary } from "#src/core/issue/issue.ts";
import type { IssueListPage } from "#src/core/issue/issue-list-page.ts";
import type { ArtifactUpload, ReleaseFacts } from "#src/core/ports/source-maps-port.ts";
import type { ReleaseSummary } from "#src/core/release/release-summary.ts";
import type { ReportSummary } from "#src/core/report/report-summary.ts";
import type { Cause, Frame, Report } from "#src/core/report.ts";
import type { StoreHealth } from "#src/core/stats/store-health.ts";
import type { listAlerts } from "#src/operations/alerts.ts";
import type { issueSummary } from "#src/operations/issue-output.ts";
import { type getIssue, getReport, type listIssues } from "#src/operations/issue-reads.ts";
import { OPERATIONS } from "#src/operations/operations.ts";
import { toNode } from "#src/operations/provenance.ts";
import type { listReleases } from "#src/operations/releases.ts";
import { toReportOutput } from "#src/operations/report-output.ts";
import type { listSourceMaps } from "#src/operations/source-maps.ts";
import type { getStatus } from "#src/operations/status.ts";
import { createReport } from "#support/reports/reports.ts";

type Output<Operation extends { readonly output: v.GenericSchema }> = v.InferOutput<
  Operation["output"]
>;
type Item<List> = List extends readonly (infer One)[] ? One : never;

/** The members of a stored shape that its output lacks. */
type Hidden<Stored, Shown> = Record<Exclude<keyof Stored, keyof Shown>, "hidden">;

type ReadIssue = Output<typeof getIssue>;
type ReadReport = Output<typeof getReport>;

it("has types: programs read every stored member, apart from those of storage", () => {
  const HIDDEN = "hidden";
  const ofReports = {
    report: { v: HIDDEN, userSketch: HIDDEN, networkSketch: HIDDEN, retryId: HIDDEN },
    frame: {},
    cause: {},
  } satisfies {
    report: Hidden<Report, ReadReport>;
    frame: Hidden<Frame, Item<ReadReport["frames"]>>;
    cause: Hidden<Cause, Item<ReadReport["causes"]>>;
  };
  const ofIssues = {
    issue: {
      ...{ v: HIDDEN, watermarks: HIDDEN, mergedWatermarks: HIDDEN, stacks: HIDDEN },
      ...{ serverUserSketch: HIDDEN, pageUserSketch: HIDDEN, publicUserSketch: HIDDEN },
      ...{ networkSketch: HIDDEN, recentDays: HIDDEN, recentHours: HIDDEN, fixMark: HIDDEN },
    },
    decision: { v: HIDDEN, publicNetworks: HIDDEN },
    summary: { fixMark: HIDDEN, recentHours: HIDDEN },
    // Those of its issue, or of its body.
    report: {
      ...{ position: HIDDEN, sentStack: HIDDEN, grouping: HIDDEN },
      ...{ traceId: HIDDEN, pageTraceId: HIDDEN, senderKey: HIDDEN },
      ...{ userSketch: HIDDEN, networkSketch: HIDDEN },
    },
    // As `problems`.
    page: { v: HIDDEN, unknownTags: HIDDEN },
  } satisfies {
    issue: Hidden<Issue, ReadIssue>;
    decision: Hidden<Decision, NonNullable<ReadIssue["decision"]>>;
    summary: Hidden<IssueSummary, v.InferOutput<typeof issueSummary>>;
    report: Hidden<ReportSummary, Item<ReadIssue["latestReports"]>>;
    page: Hidden<IssueListPage, Output<typeof listIssues>>;
  };
  const others = {
    release: {},
    facts: {},
    upload: {},
    health: {},
    // The inbox has no summaries of days and weeks, and no hand-offs.
    alert: { period: HIDDEN, handOff: HIDDEN },
  } satisfies {
    release: Hidden<ReleaseSummary, Item<Output<typeof listReleases>["releases"]>>;
    facts: Hidden<ReleaseFacts, NonNullable<Item<Output<typeof listReleases>["withoutReports"]>>>;
    upload: Hidden<ArtifactUpload, Item<Output<typeof listSourceMaps>["uploads"]>>;
    health: Hidden<StoreHealth, Output<typeof getStatus>["health"]>;
    alert: Hidden<AlertMessage, Item<Output<typeof listAlerts>["messages"]>>;
  };
  expect([ofReports, ofIssues, others]).toHaveLength(3);
});

it("a report without hidden members fits its schema", () => {
  const stack = [{ file: "a.js", line: 1, column: 2, inApp: true, function: "f" }];
  const report = createReport(1, { frames: stack, causes: [], tags: [["a", "b"]] });
  const resolution = { kind: "unmapped", reason: "nothing-uploaded" } as const;
  const symbolication = { state: "resolved", stacks: [[resolution]] } as const;
  const { v: _, ...output } = { ...toReportOutput(report, symbolication, "1", null), v: 1 };
  expect(v.safeParse(getReport.output, output).issues).toBeUndefined();
  expect(output.resolvedFrames).toMatchObject([{ ...resolution, advice: expect.any(Object) }]);
});

it("no output has a member of storage", () => {
  const names = OPERATIONS.flatMap(({ output }) => listNames(toNode(output)));
  const storage = /^(?:v|watermarks?|.*[sS]ketch(?:es)?|position|rank|stacks|sentStack)$/;
  expect(names.length).toBeGreaterThan(500);
  expect(names.filter((name) => storage.test(name))).toEqual([]);
});

function listNames(node: ReturnType<typeof toNode>): readonly string[] {
  const { wrapped, item, items = [], entries = {}, value, options = [] } = node;
  const parts = [wrapped, item, value, ...items, ...Object.values(entries), ...options];
  const below = parts.flatMap((one) => (typeof one === "object" ? listNames(one) : []));
  return [...Object.keys(entries), ...below];
}
