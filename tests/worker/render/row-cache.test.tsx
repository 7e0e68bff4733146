import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { IssueSummary } from "../../../src/core/issue/issue.ts";
import { renderToString } from "../../../src/render/react/react-stream.ts";
import { MarkupCache, renderCachedRow } from "../../../src/render/row-cache.tsx";
import { IssueListTable } from "../../../src/ui/issues/issues-table.tsx";
import { RowMarkup } from "../../../src/ui/issues/row-markup.ts";
import { DeskProvider, NO_DESK } from "../../../src/ui/parts/desk-context.tsx";

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
  { decision: { v: 1, state: "ignored", atMs: NOW_MS, untilMs: NOW_MS + 20_000 } },
];

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
        const html = (cache: typeof renderCachedRow | null, nowMs: number) =>
          renderToString(
            <DeskProvider desk={{ ...NO_DESK, base }}>
              <RowMarkup value={cache}>
                <IssueListTable
                  issues={[ISSUE, { ...ISSUE, ...one, ...other }]}
                  nowMs={nowMs}
                  isSelectable={isSelectable}
                  caption="all"
                />
              </RowMarkup>
            </DeskProvider>,
          );
        for (const ms of laterMs) {
          expect(html(renderCachedRow, NOW_MS + ms)).toBe(html(null, NOW_MS + ms));
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("the markup cache", () => {
  const pieceOf = (chars: number) => "x".repeat(chars);

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
        return pieceOf(10);
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
    for (let n = 0; n < 2; n++) cache.getOrCreate("large", () => pieceOf(90 + made++));
    expect(made).toBe(2);
  });
});
