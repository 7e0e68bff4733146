import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aggregateReport } from "#src/core/issue/aggregate-report.ts";
import type { Issue, IssueSummary } from "#src/core/issue/issue.ts";
import { summarizeReport } from "#src/core/report/report-summary.ts";
import type { Frame } from "#src/core/report.ts";
import type { Symbolication } from "#src/core/symbolication/report/original-stack.ts";
import { MarkupCache, renderCachedPart } from "#src/render/part-cache.tsx";
import { renderToString } from "#src/render/react/react-stream.ts";
import { IssueStatus } from "#src/ui/issue/issue-bar.tsx";
import { ReportView } from "#src/ui/issue/report/report-view.tsx";
import { IssueStats } from "#src/ui/issue/sidebar/issue-stats.tsx";
import { IssueListTable } from "#src/ui/issues/issues-table.tsx";
import { Layout } from "#src/ui/layout/layout.tsx";
import { PartMarkup, type RenderPart } from "#src/ui/parts/cached-parts/cached-parts.tsx";
import { type DeskInfo, DeskProvider, NO_DESK } from "#src/ui/parts/desk-context.tsx";
import { ThemeContext } from "#src/ui/parts/theme-form.tsx";

import { createReport } from "#support/reports/reports.ts";

const NOW_MS = Date.UTC(2026, 10, 22, 23, 59, 30);
const DAY_MS = 86_400_000;

const ISSUE: IssueSummary = {
  digest: "7F3K-Q2M9",
  kind: "error",
  type: "TypeError",
  message: '日本語 <b> & "quoted" 👩‍👩‍👧',
  culprit: "priceOf · cart.tsx",
  state: "open",
  trust: "server",
  count: 12_345,
  publicCount: 0,
  pageCount: 0,
  userCount: 7,
  linkedCount: 0,
  firstSeenMs: NOW_MS - 2 * DAY_MS,
  lastSeenMs: NOW_MS - 5_000,
  recentDays: [
    ["2026-11-09", 1],
    ["2026-11-21", 12],
  ],
};

/** Possible changes of the issue. */
const CHANGES: readonly Partial<IssueSummary>[] = [
  {},
  { digest: "0000-0000" },
  { kind: "csp" },
  { type: "" },
  { message: "x".repeat(300) },
  { culprit: "" },
  { route: "/d/:digest" },
  { environment: "<production>" },
  { release: "1.4.0" },
  { assignee: "Ada" },
  { count: 0, linkedCount: 2 },
  { userCount: 1 },
  { state: "resolved" },
  { firstSeenMs: NOW_MS - 30_000 },
  { firstSeenMs: NOW_MS - 400 * DAY_MS },
  { lastSeenMs: NOW_MS - 10_000 },
  { lastSeenMs: NOW_MS - 400 * DAY_MS },
  { recentDays: [["2026-11-22", 3]] },
  { decision: { v: 2, state: "snoozed", atMs: NOW_MS, untilMs: NOW_MS + 20_000 } },
];

const PROJECT = { id: "2", name: "<Web> shop", url: "/p/2/", isCurrent: true };
const FRAMES: readonly Frame[] = [
  { function: "pay", file: "https://a.example/a.js", line: 1, column: 700, inApp: true },
  { function: "<go>", file: "/srv/go.ts", line: 2, inApp: true, source: "const x = '<b>';" },
];
const SYMBOLICATION: Symbolication = {
  state: "resolved",
  stacks: [FRAMES.map(() => ({ kind: "unmapped", reason: "nothing-uploaded" }))],
};

describe("a table of issues", () => {
  it("has the bytes that React renders, whatever is cached", () => {
    const renders = fc.record({
      changes: fc.tuple(fc.constantFrom(...CHANGES), fc.constantFrom(...CHANGES)),
      // Seconds, minutes and days pass between two renders; the day changes after 30 s.
      laterMs: fc.array(fc.constantFrom(0, 1_000, 25_000, 31_000, 10 * DAY_MS), { minLength: 3 }),
      base: fc.constantFrom("", "/p/2"),
      isSelectable: fc.boolean(),
    });
    fc.assert(
      fc.property(renders, ({ changes: [one, other], laterMs, base, isSelectable }) => {
        const html = (cache: typeof renderCachedPart | null, nowMs: number) =>
          renderToString(
            <DeskProvider desk={{ ...NO_DESK, base }}>
              <PartMarkup value={cache}>
                <IssueListTable
                  issues={[ISSUE, { ...ISSUE, ...one, ...other }]}
                  nowMs={nowMs}
                  isSelectable={isSelectable}
                  caption="all"
                />
              </PartMarkup>
            </DeskProvider>,
          );
        for (const ms of laterMs) {
          expect(html(renderCachedPart, NOW_MS + ms)).toBe(html(null, NOW_MS + ms));
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("the page of an issue", () => {
  it("has the bytes that React renders, for every person and state", () => {
    const desks: readonly DeskInfo[] = [
      NO_DESK,
      { base: "", role: "owner", projects: [], unreadAlerts: 3, ownAssignee: "me" },
      { base: "/p/2", role: "member", projects: [PROJECT], members: ["Ada"], name: "Ada" },
      { base: "/p/2", role: "member", projects: [PROJECT], members: ["Ada", "Eve"], name: "Eve" },
      { base: "/p/2", role: "viewer", projects: [PROJECT, { ...PROJECT, id: "3", url: "/p/3/" }] },
    ];
    const renders = fc.record({
      desk: fc.constantFrom(...desks),
      theme: fc.constantFrom("system" as const, "dark" as const),
      path: fc.constantFrom("/d/1", "/d/2?raw=1"),
      current: fc.constantFrom("issues" as const, "settings" as const),
      change: fc.constantFrom<Partial<Issue>>(
        {},
        { assignee: "Ada" },
        { state: "archived" },
        { count: 7, release: "<2>" },
      ),
      isAllOpen: fc.boolean(),
      kind: fc.constantFrom("error" as const, "message" as const),
      laterMs: fc.constantFrom(0, 31_000, 40 * DAY_MS),
    });
    fc.assert(
      fc.property(renders, ({ desk, theme, path, current, change, isAllOpen, kind, laterMs }) => {
        const report = createReport(1, { frames: FRAMES, kind });
        const seen = aggregateReport(undefined, summarizeReport(report, "p"), NOW_MS);
        const issue = { ...seen, ...change };
        const nowMs = NOW_MS + laterMs;
        const html = (cache: RenderPart | null) =>
          renderToString(
            <DeskProvider desk={desk}>
              <ThemeContext value={{ theme, returnTo: path }}>
                <PartMarkup value={cache}>
                  <Layout current={current} isSignedIn>
                    <IssueStatus issue={issue} nowMs={nowMs} />
                    <IssueStats issue={issue} nowMs={nowMs} />
                    <ReportView
                      report={report}
                      issue={issue}
                      isAllOpen={isAllOpen}
                      symbolication={SYMBOLICATION}
                    />
                  </Layout>
                </PartMarkup>
              </ThemeContext>
            </DeskProvider>,
          );
        expect(html(renderCachedPart)).toBe(html(null));
      }),
      { numRuns: 300 },
    );
  });
});

describe("the markup cache", () => {
  const createPiece = (chars: number) => "x".repeat(chars);

  it("creates a repeated entry once", () => {
    const cache = new MarkupCache(100);
    let made = 0;
    const get = () => cache.getOrCreate("a", () => `<p>${++made}</p>`);
    expect([get(), get()]).toEqual(["<p>1</p>", "<p>1</p>"]);
  });

  it("keeps used entries and drops unused ones within its size", () => {
    const cache = new MarkupCache(100);
    const made: string[] = [];
    const get = (key: string) =>
      cache.getOrCreate(key, () => {
        made.push(key);
        return createPiece(10);
      });
    get("old");
    for (let n = 0; n < 20; n++) {
      get("hot");
      get(`n${n}`);
    }
    get("old");
    expect(made.filter((key) => key === "hot")).toHaveLength(1);
    expect(made.filter((key) => key === "old")).toHaveLength(2);
  });

  it("does not keep entries larger than its size", () => {
    const cache = new MarkupCache(100);
    let made = 0;
    for (let n = 0; n < 2; n++) cache.getOrCreate("large", () => createPiece(90 + made++));
    expect(made).toBe(2);
  });
});
