import { describe, expect, it } from "vitest";
import { PERIOD_LIMITS } from "#src/core/alerts/periods/period-facts.ts";
import { selectIssues } from "#src/core/alerts/periods/select-issues.ts";
import type { DayCounts, Issue, IssueSummary } from "#src/core/issue/issue.ts";
import { DAY_MS } from "#src/core/utc-time.ts";

const FROM_MS = Date.UTC(2026, 10, 21);
const TO_MS = FROM_MS + DAY_MS;
const QUERY = { beforeMs: FROM_MS - DAY_MS, fromMs: FROM_MS, toMs: TO_MS };
const NOW_MS = TO_MS + 6 * 3_600_000;

/** An issue that occurred this often before the period, in it and after it. */
function createSummary(
  digest: string,
  [before, count, after = 0]: readonly [before: number, count: number, after?: number],
  over: Partial<IssueSummary> = {},
): IssueSummary {
  const counts = [before, count, after];
  const days = ["2026-11-20", "2026-11-21", "2026-11-22"].flatMap((day, n) =>
    (counts[n] ?? 0) > 0 ? [[day, counts[n] ?? 0] as const] : [],
  );
  return {
    ...{ digest, kind: "error", type: "Error", message: digest, state: "open", trust: "server" },
    ...{ count: before + count + after, publicCount: 0, pageCount: 0, linkedCount: 0 },
    firstSeenMs: before > 0 ? FROM_MS - 1 : FROM_MS,
    lastSeenMs: NOW_MS,
    recentDays: days,
    ...over,
  };
}

const select = (
  summaries: readonly IssueSummary[],
  query: { readonly assignee?: string } = {},
  days: Readonly<Record<string, Pick<Issue, "days" | "lowerDays">>> = {},
) =>
  selectIssues(
    summaries,
    { ...QUERY, ...query },
    {
      getIssue: (digest) => days[digest],
      nowMs: NOW_MS,
    },
  );
const toDigests = ({ digests }: { readonly digests: readonly string[] }) => digests;
const decide = (state: "open" | "resolved" | "archived" | "snoozed", atMs = FROM_MS) => ({
  decision: { v: 2 as const, state, atMs },
});

describe("the groups", () => {
  it("have the issues that are new, returned, growing and most frequent", () => {
    const groups = select([
      createSummary("old", [50, 50]),
      createSummary("new", [0, 3]),
      createSummary("later", [0, 0, 9], { firstSeenMs: TO_MS }),
      createSummary("grown", [5, 12]),
      createSummary("back", [1, 2], {
        decision: { v: 2, state: "open", atMs: FROM_MS - 1, regressedAtMs: TO_MS - 1 },
      }),
      createSummary("back later", [1, 2], {
        decision: { v: 2, state: "open", atMs: FROM_MS - 1, regressedAtMs: TO_MS },
      }),
    ]);
    expect(Object.entries(groups).map(([kind, group]) => [kind, toDigests(group)])).toEqual([
      ["returned", ["back"]],
      ["new", ["new"]],
      ["growing", ["grown"]],
      ["frequent", ["old", "grown", "new", "back", "back later"]],
    ]);
  });

  it.each<[string, readonly [number, number], boolean]>([
    ["twice as often", [5, 10], true],
    ["less than twice as often", [6, 11], false],
    ["often after a quiet period", [0, 10], true],
    ["too rarely", [0, 9], false],
  ])("have an issue that occurs %s: %j grows: %s", (_, counts, isGrowing) => {
    const old = { firstSeenMs: FROM_MS - 5 * DAY_MS };
    expect(select([createSummary("one", counts, old)]).growing.total).toBe(isGrowing ? 1 : 0);
  });

  it("have no muted or ignored issue, no sample, and count the open ones", () => {
    const { new: fresh } = select([
      createSummary("archived", [0, 5], decide("archived")),
      createSummary("snoozed", [0, 5], decide("snoozed")),
      createSummary("sample", [0, 5], { environment: "sample" }),
      createSummary("resolved", [0, 5], decide("resolved")),
      createSummary("open", [0, 5]),
    ]);
    expect(fresh).toMatchObject({ total: 2, open: 1, digests: ["open", "resolved"] });
  });

  it("have only the issues of an assignee, if one is named", () => {
    const issues = [
      createSummary("ada", [0, 5], { assignee: "Ada" }),
      createSummary("eve", [0, 5], { assignee: "Eve" }),
      createSummary("nobody", [0, 5]),
    ];
    expect(toDigests(select(issues, { assignee: "Ada" }).new)).toEqual(["ada"]);
  });

  it("count all issues, link the first and show fewer", () => {
    const issues = Array.from({ length: 50 }, (_, n) => createSummary(`n${n}`, [0, n + 1]));
    const { new: fresh, frequent } = select(issues);
    expect(fresh.total).toBe(50);
    expect([fresh.digests.length, fresh.digests[0]]).toEqual([PERIOD_LIMITS.linked, "n49"]);
    expect(fresh.issues.map(({ count }) => count)).toEqual([50, 49, 48, 47, 46]);
    expect(frequent.digests).toHaveLength(PERIOD_LIMITS.shown);
  });
});

it("growth is judged by all days of an issue, of which a list has fourteen", () => {
  const days: DayCounts = [
    ["2026-11-20", 40],
    ["2026-11-21", 30],
  ];
  const one = createSummary("one", [1, 30], { recentDays: [["2026-11-21", 30]] });
  expect(select([one]).growing.total).toBe(1);
  const lowerDays: DayCounts = [["2026-11-21", 5]];
  const { growing, frequent } = select([one], {}, { one: { days, lowerDays } });
  expect(growing.total).toBe(0);
  expect(frequent.issues).toMatchObject([{ count: 35, countBefore: 40 }]);
});
