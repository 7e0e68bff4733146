import { runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import type { Issue } from "#src/core/issue/issue.ts";
import type { TopValues } from "#src/core/issue/top-values.ts";
import { limits } from "#src/core/limits.ts";
import { isTrusted, type Trust } from "#src/core/trust/trust.ts";
import { toUtcDay } from "#src/core/utc-time.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { IndexTables } from "#src/store/index/state/index-tables.ts";
import { createIssue } from "#support/reports/issues.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getIndex, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const RELEASES = ["1.0", "1.1", "1.2", "2.0"];
const toTopValues = (names: readonly string[]): TopValues => ({
  values: names.map((name) => [name, 1, 0, 0]),
  otherCount: 0,
});

const aChange = fc.record({
  n: fc.nat(7),
  isRemoved: fc.nat(3).map((n) => n === 0),
  trust: fc.constantFrom("server", "public" as const),
  releases: fc.subarray(RELEASES),
  firstRelease: fc.constantFrom(undefined, ...RELEASES),
  fixedIn: fc.constantFrom(undefined, ...RELEASES),
  regressedIn: fc.constantFrom(undefined, ...RELEASES),
});
type Change = ReturnType<typeof aChange.generate>["value"];

function toIssue({ n, trust, releases, firstRelease, fixedIn, regressedIn }: Change): Issue {
  const issue = createIssue({ digest: `0000-000${n}`, trust });
  return {
    ...issue,
    releases: toTopValues(releases),
    ...(firstRelease && { firstRelease }),
    ...(fixedIn && {
      state: "resolved",
      decision: { v: 2, state: "resolved", atMs: 0, release: fixedIn },
    }),
    ...(regressedIn && {
      state: "open",
      decision: { v: 2, state: "open", atMs: 0, regressedAtMs: 1, regressedInRelease: regressedIn },
    }),
  };
}

/** The issues of a release, counted from the issues themselves. */
function countRelease(issues: readonly Issue[], release: string) {
  const count = (has: (issue: Issue) => boolean) => issues.filter(has).length;
  const isIn = ({ releases }: Issue) =>
    releases?.values.some(([name]) => name === release) ?? false;
  return {
    seen: count(isIn),
    trusted_seen: count((issue) => isIn(issue) && isTrusted(issue.trust)),
    new: count(({ firstRelease }) => firstRelease === release),
    regressed: count(({ decision }) => decision?.regressedInRelease === release),
    fixed: count(({ decision }) => decision?.state === "resolved" && decision.release === release),
  };
}

it("the values and the counts of releases are those of the issues, after any changes", async () => {
  await projectStore.listNewestIssues();
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    const tables = new IndexTables(storage);
    fc.assert(
      fc.property(fc.array(aChange, { maxLength: 20 }), (changes) => {
        tables.wipe({ includeTriage: true });
        const issues = new Map<string, Issue>();
        for (const change of changes) {
          const issue = toIssue(change);
          if (change.isRemoved) {
            tables.issues.remove(issue.digest);
            issues.delete(issue.digest);
          } else {
            tables.issues.save(issue);
            issues.set(issue.digest, issue);
          }
        }
        const all = [...issues.values()];
        const counts = RELEASES.map((name) => [name, countRelease(all, name)] as const);
        const { releaseCounts } = tables.issues.facets;
        expect(Object.fromEntries(releaseCounts.list(RELEASES))).toEqual(
          Object.fromEntries(
            counts.filter(([, count]) => Object.values(count).some((value) => value > 0)),
          ),
        );
        const stored = storage.sql
          .exec<{ value: string }>("SELECT value FROM facet_value WHERE key = 'release'")
          .toArray()
          .map(({ value }) => value);
        expect(stored).toEqual(RELEASES.filter((name) => countRelease(all, name).seen > 0));
      }),
      { seed: 1, numRuns: 150 },
    );
  });
});

it.each([
  ["public", "facet", limits.maxPublicFacetsPerDay],
  ["page", "page-facet", limits.maxPageFacetsPerDay],
] as const)("%s issues add no values beyond the limit of a day", async (trust, cap, max) => {
  await projectStore.listNewestIssues();
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    const { caps, issues } = new IndexTables(storage);
    const save = (release: string, trust: Trust) =>
      issues.save({
        ...createIssue({ digest: "0000-0001", trust }),
        releases: toTopValues([release]),
      });
    save("1.0", trust);
    const { asOfMs } = createIssue();
    caps.take(toUtcDay(asOfMs), cap, Number.MAX_SAFE_INTEGER, max);
    save("2.0", trust);
    const listValues = () =>
      storage.sql.exec("SELECT value FROM facet_value WHERE key = 'release'").toArray();
    expect(listValues()).toEqual([]);
    save("3.0", "server");
    expect(listValues()).toEqual([{ value: "3.0" }]);
  });
});
