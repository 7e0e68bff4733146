import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  aggregateReport,
  countLastSevenDays,
  listAllDays,
  summarizeIssue,
} from "#src/core/issue/aggregate-report.ts";
import { createDecision, getCurrentState, reopenForTrust } from "#src/core/issue/decision.ts";
import type { Issue } from "#src/core/issue/issue.ts";
import { combineIssues } from "#src/core/issue/merge-issues.ts";
import { applyRegression } from "#src/core/issue/regression.ts";
import { findCounterpart, findLatestReport } from "#src/core/issue/related-reports.ts";
import { isCommon } from "#src/core/issue/retention.ts";
import { limits } from "#src/core/limits.ts";
import { type ReportSummary, summarizeReport } from "#src/core/report/report-summary.ts";
import { countOwnLevel, countUsers, listLevelCounts } from "#src/core/stats/trust-counts.ts";
import { TRUST_LEVELS, type Trust } from "#src/core/trust/trust.ts";
import { toUtcHour } from "#src/core/utc-time.ts";
import { createReport } from "#support/reports/reports.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const summary = (n: number, over: Partial<ReportSummary> = {}): ReportSummary => ({
  ...summarizeReport(createReport(n), ""),
  ...over,
});
const aggregated = (...reports: readonly ReportSummary[]): Issue => {
  const [first, ...others] = reports;
  if (first === undefined) throw new Error("no report");
  return others.reduce(
    (issue, one) => aggregateReport(issue, one, 0),
    aggregateReport(undefined, first, 0),
  );
};

/** The members by which a stranger would change how an issue looks. */
const FORGED: Partial<ReportSummary> = {
  ...{ trust: "public", type: "Forged", message: "forged", culprit: "forged", route: "/forged" },
  ...{ release: "forged@9", environment: "forged", browser: "Forged", userSketch: "0a9" },
  ...{ tags: [["forged", "yes"]], blockedUri: "forged", isSilent200: true },
};
const OWN: Partial<ReportSummary> = {
  ...{ culprit: "priceOf", route: "/cart", release: "shop@1.4.0", environment: "production" },
  ...{ browser: "Firefox 153", userSketch: "0b1", tags: [["plan", "pro"]] },
};
const forged = (n: number, over: Partial<ReportSummary> = {}) => summary(n, { ...FORGED, ...over });
const own = (n: number, over: Partial<ReportSummary> = {}) => summary(n, { ...OWN, ...over });

describe("public reports in an issue that has trusted ones", () => {
  const attack = [
    forged(-29 * DAY_MS),
    forged(HOUR_MS),
    forged(2, { occurrences: 40, lastAtMs: DAY_MS + summary(0).atMs }),
  ];

  it.each(["server", "page"] as const)("change only counts and the last time (%s)", (trust) => {
    const alone = aggregated(own(0, { trust }));
    const attacked = aggregated(own(0, { trust }), ...attack);
    const { count, publicCount, lastSeenMs, lowerDays, lowerHours, ...rest } = attacked;
    const { latestReports, publicUserSketch: _, ...described } = rest;
    expect({ count, publicCount }).toEqual({ count: 43, publicCount: 42 });
    expect(latestReports).toHaveLength(3);
    expect(listLevelCounts(attacked)).toEqual([
      [trust, 1],
      ["public", 42],
    ]);
    expect([countOwnLevel(attacked), countLastSevenDays(attacked, summary(0).atMs)]).toEqual([
      1, 1,
    ]);
    expect(alone).toMatchObject(described);
    expect(lastSeenMs).toBe(summary(0).atMs + DAY_MS);
    expect(listAllDays(attacked).reduce((sum, [, n]) => sum + n, 0)).toBe(43);
    const { days, hours } = alone;
    const steps = { days, hours, lowerDays, lowerHours };
    expect(aggregated(...attack, own(0, { trust }))).toMatchObject({ ...steps, lastSeenMs });
    expect(JSON.stringify(described)).not.toMatch(/forged/i);
    expect([countUsers(attacked), countUsers(attacked, trust)]).toEqual([2, 1]);
  });

  it("are replaced as its description when the first trusted report arrives", () => {
    const issue = aggregated(...attack, own(5));
    const { latestReports, publicUserSketch: _, ...described } = issue;
    expect(JSON.stringify(described)).not.toMatch(/forged/i);
    expect(described).toMatchObject({
      ...{ trust: "server", count: 43, publicCount: 42, firstSeenMs: summary(5).atMs },
      ...{ type: "TypeError", release: "shop@1.4.0", firstRelease: "shop@1.4.0" },
    });
    const { recentDays = [], ...listed } = summarizeIssue(issue);
    expect(listed).toMatchObject({ trust: "server", publicCount: 42, userCount: 2 });
    expect(recentDays.reduce((sum, [, n]) => sum + n, 0)).toBe(43);
  });

  it("do not hide it as noise", () => {
    const hidden = forged(1, { isLinked: true, noise: "extension" });
    expect(aggregated(hidden).noise).toBe("extension");
    expect(aggregated(hidden, own(2)).noise).toBeUndefined();
  });

  it("leave its release to the newest trusted report", () => {
    const late = own(3, { release: "shop@1.5.0" });
    expect(aggregated(own(1), forged(50_000), late).release).toBe("shop@1.5.0");
  });

  it("do not displace the trusted ones among the latest reports and aliases", () => {
    const trusted = Array.from({ length: 3 }, (_, n) =>
      own(n, { id: `own ${n}`, aliases: [`${n}`] }),
    );
    const flood = Array.from({ length: 2 * limits.maxAliasesPerIssue }, (_, n) =>
      forged(100 + n, { aliases: [`forged ${n}`] }),
    );
    const { latestReports, aliases } = aggregated(...trusted, ...flood);
    expect(latestReports.filter(({ trust }) => trust === "server")).toHaveLength(3);
    expect(latestReports.filter(({ trust }) => trust === "public")).toHaveLength(
      limits.latestReports,
    );
    expect(aliases).toHaveLength(limits.maxAliasesPerIssue);
    expect(aliases.slice(0, 3)).toEqual(["2", "1", "0"]);
  });

  it("are not the report that opens first, or its counterpart", () => {
    const browser = own(2, { side: "browser", trust: "page", isLinked: true });
    const issue = aggregated(own(1), browser, forged(9), forged(10, { side: "browser" }));
    expect(findLatestReport(issue.latestReports)).toMatchObject({ trust: "server" });
    expect(findCounterpart(issue, undefined)).toMatchObject({ trust: "page" });
  });

  it("do not make it common, so that its bodies expire early", () => {
    const issue = aggregated(own(0), forged(1, { occurrences: 10_000 }));
    expect(isCommon(issue, issue.firstSeenMs + 30 * DAY_MS)).toBe(false);
    expect(isCommon({ ...issue, trust: "public" }, issue.firstSeenMs + 30 * DAY_MS)).toBe(true);
  });
});

describe("page reports in an issue that a server reported", () => {
  const page = { trust: "page" } as const;

  it("change no part of its description", () => {
    const late = forged(HOUR_MS, page);
    for (const issue of [
      aggregated(own(0), forged(-29 * DAY_MS, page), late),
      aggregated(forged(-29 * DAY_MS, page), own(0), late),
    ]) {
      const { latestReports: _, ...described } = issue;
      expect(JSON.stringify(described)).not.toMatch(/forged/i);
      expect(described).toMatchObject({
        ...{ count: 3, publicCount: 0, pageCount: 2, firstSeenMs: summary(0).atMs },
        ...{ release: "shop@1.4.0", firstRelease: "shop@1.4.0" },
      });
    }
  });

  const often = { ...page, occurrences: 10_000 } as const;

  it("do not count in its days and hours, before or after it", () => {
    const { days, hours } = aggregated(own(0), own(1));
    for (const issue of [
      aggregated(own(0), forged(1, often), own(2)),
      aggregated(forged(1, often), forged(2), own(0), own(3)),
      combineIssues(aggregated(own(0), own(1)), aggregated(forged(2, often)), 0),
      combineIssues(aggregated(forged(2, often)), aggregated(own(0), own(1)), 0),
    ]) {
      expect(issue).toMatchObject({ days, hours });
      expect(countLastSevenDays(issue, summary(0).atMs)).toBe(2);
    }
  });

  it("count with those of the server, and set when it was last seen", () => {
    const issue = aggregated(own(0), forged(1, often), forged(HOUR_MS));
    expect([issue.count, countOwnLevel(issue)]).toEqual([10_002, 1]);
    expect(listLevelCounts(issue)).toEqual([
      ["server", 1],
      ["page", 10_000],
      ["public", 1],
    ]);
    expect(issue.lastSeenMs).toBe(forged(HOUR_MS).atMs);
  });

  it("count in the days and hours of an issue that no server reported", () => {
    const atMs = summary(0).atMs;
    const issue = aggregated(forged(0, often), forged(1), forged(2, page));
    expect(issue.hours).toEqual([[toUtcHour(atMs), 10_001]]);
    expect([countOwnLevel(issue), countLastSevenDays(issue, atMs)]).toEqual([10_001, 10_001]);
  });

  it("count as its users, except for what counts only those of servers", () => {
    const page2 = forged(2, { ...page, userSketch: "0c2" });
    const issue = aggregated(own(0), forged(1, page), page2);
    expect([countUsers(issue), countUsers(issue, "server")]).toEqual([3, 1]);
    const merged = combineIssues(aggregated(page2), aggregated(own(0)), 0);
    expect([countUsers(merged), countUsers(merged, "server")]).toEqual([2, 1]);
  });

  it("do not make it common, so that its bodies expire early", () => {
    const issue = aggregated(own(0), forged(1, often));
    expect(isCommon(issue, issue.firstSeenMs + 30 * DAY_MS)).toBe(false);
    expect(isCommon({ ...issue, trust: "page" }, issue.firstSeenMs + 30 * DAY_MS)).toBe(true);
  });

  it("do not end that it is ignored until it has occurred more often", () => {
    const before = aggregated(own(0));
    const decision = createDecision({ state: "snoozed", forCount: 2 }, before, 0);
    const flooded = aggregateReport({ ...before, decision }, forged(1, often), 0);
    expect(getCurrentState(flooded, 0)).toBe("snoozed");
    const seenTwice = [own(2), own(3)].reduce(
      (issue, one) => aggregateReport(issue, one, 0),
      flooded,
    );
    expect(getCurrentState(seenTwice, 0)).toBe("open");
  });

  it("cannot have it muted before the server reports it", () => {
    const muted = createDecision({ state: "archived" }, aggregated(forged(0, page)), 0);
    const issue = aggregated(forged(0, page), own(1));
    expect(reopenForTrust(muted, "page", issue, 0)).toMatchObject({
      state: "open",
      trust: "server",
    });
    const again = createDecision({ state: "archived" }, issue, 0);
    expect(reopenForTrust(again, "page", issue, 0)).toBe(again);
  });

  it("do not displace its aliases, or its report that opens first", () => {
    const flood = Array.from({ length: 2 * limits.maxAliasesPerIssue }, (_, n) =>
      forged(100 + n, { ...page, aliases: [`forged ${n}`] }),
    );
    const issue = aggregated(own(0, { aliases: ["own"] }), ...flood);
    expect(issue.aliases[0]).toBe("own");
    expect(findLatestReport(issue.latestReports)).toMatchObject({ trust: "server" });
  });

  it("do not reopen it, unlike reports of a server", () => {
    const decision = { v: 2, state: "resolved", atMs: 0 } as const;
    const regress = (trust: Trust, issueTrust: Trust, atDecision?: Trust) =>
      applyRegression(
        { ...decision, ...(atDecision && { trust: atDecision }) },
        summary(1, { trust }),
        issueTrust,
        () => undefined,
      ).state;
    expect(regress("page", "server")).toBe("resolved");
    expect(regress("page", "page", "server")).toBe("resolved");
    expect(regress("server", "server", "server")).toBe("open");
    expect(regress("page", "page", "page")).toBe("open");
    expect(regress("page", "public")).toBe("open");
  });
});

describe("a trusted linked report", () => {
  const feedback = own(9, { kind: "feedback", trust: "page", isLinked: true, message: "help" });

  it("does not replace the description by public occurrences", () => {
    const issue = aggregated(summary(1, { trust: "public", message: "m" }), feedback);
    expect(issue).toMatchObject({ trust: "public", message: "m", linkedCount: 1 });
  });

  it("keeps its user when trusted occurrences follow", () => {
    const { userSketch: _, ...server } = own(2);
    expect(countUsers(aggregated(forged(1), feedback, server), "page")).toBe(1);
  });
});

describe("merged issues", () => {
  it("have the description of the trusted one, and the counts of both", () => {
    const [trusted, open] = [aggregated(own(5), own(6)), aggregated(forged(0), forged(1))];
    for (const issue of [combineIssues(trusted, open, 0), combineIssues(open, trusted, 0)]) {
      const { latestReports: _, publicUserSketch: _users, ...described } = issue;
      expect(described).toMatchObject({ trust: "server", count: 4, publicCount: 2 });
      const { days, hours, lastSeenMs } = trusted;
      expect(described).toMatchObject({ days, hours, lastSeenMs, lowerHours: open.hours });
      expect(described.firstSeenMs).toBe(trusted.firstSeenMs);
      expect(JSON.stringify(described)).not.toMatch(/forged/i);
    }
  });
});

const reports = fc.uniqueArray(
  fc
    .record({
      atMs: fc.integer({ min: 0, max: 40 * DAY_MS }).map((ms) => 10 * ms),
      trust: fc.constantFrom(...TRUST_LEVELS),
      isLinked: fc.boolean(),
      release: fc.constantFrom("1", "2", "3"),
      browser: fc.constantFrom("Firefox 153", "Chrome 156"),
      userSketch: fc.constantFrom("001", "012", "0a3"),
      occurrences: fc.option(fc.integer({ min: 2, max: 9 }), { nil: undefined }),
      isSilent200: fc.boolean(),
      tag: fc.constantFrom("a", "b"),
      alias: fc.constantFrom("x", "y", "z"),
    })
    .map(({ tag, alias, occurrences, ...rest }) =>
      summary(0, {
        ...rest,
        tags: [["plan", tag]],
        aliases: [alias],
        ...(occurrences !== undefined && { occurrences, lastAtMs: rest.atMs + 5 }),
      }),
    ),
  { minLength: 1, maxLength: 12, selector: ({ atMs }) => atMs },
);

/** Everything that the order of reports must not change. */
function toUnordered(issue: Issue) {
  const { latestReports: _latest, firstRelease: _first, aliases, release, ...rest } = issue;
  const trustedCount = issue.trustedAliasCount ?? 0;
  return {
    ...rest,
    // Without occurrences the first linked report names the release.
    ...(issue.count > 0 && { release }),
    trustedAliases: aliases.slice(0, trustedCount).toSorted(),
    publicAliases: aliases.slice(trustedCount).toSorted(),
  };
}

describe("any order of the same reports", () => {
  it("gives the same counts, times, values and trust", () => {
    fc.assert(
      fc.property(
        reports.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([all, shuffled]) => {
          expect(toUnordered(aggregated(...shuffled))).toEqual(toUnordered(aggregated(...all)));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("gives the description of servers, whatever lower reports arrive in between", () => {
    fc.assert(
      fc.property(reports, reports, (one, other) => {
        const trusted = [own(1), ...one.filter(({ trust }) => trust === "server")];
        const strange = other.map(({ trust, ...report }) => ({
          ...{ ...report, ...FORGED },
          trust: trust === "page" ? ("page" as const) : ("public" as const),
        }));
        const mixed = trusted.flatMap((report, at) => [...strange.slice(at, at + 1), report]);
        const { latestReports: _l, publicUserSketch: _u, ...described } = aggregated(...mixed);
        expect(JSON.stringify({ ...described })).not.toMatch(/forged/i);
        expect(described.firstSeenMs).toBe(aggregated(...trusted).firstSeenMs);
      }),
    );
  });
});
