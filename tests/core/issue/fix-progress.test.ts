import { describe, expect, it } from "vitest";
import { type FixProgress, getFixProgress, needsReleases } from "#src/core/issue/fix-progress.ts";
import type { Decision } from "#src/core/issue/issue.ts";
import type { Trust } from "#src/core/trust/trust.ts";

const AT_MS = Date.UTC(2026, 10, 20);
const NOW_MS = AT_MS + 3_600_000;
const resolved = (more: Partial<Decision> = {}): Decision => ({
  v: 2,
  state: "resolved",
  atMs: AT_MS,
  ...more,
});

const COUNTED = { count: 3, publicCount: 0, pageCount: 0, trust: "server" } as const;

const CASES: readonly (readonly [
  name: string,
  decision: Decision | undefined,
  releases: readonly { name: string; firstSeenMs?: number; trust?: Trust }[],
  progress: FixProgress,
])[] = [
  ["an issue without a decision", undefined, [], "none"],
  ["an ignored issue", { v: 2, state: "snoozed", atMs: AT_MS }, [], "none"],
  ["a muted issue", { v: 2, state: "archived", atMs: AT_MS }, [], "none"],
  ["an issue resolved now", resolved(), [], "fixed"],
  ["a fix in a later release", resolved({ release: "1.5.0" }), [{ name: "1.4.0" }], "pending"],
  ["a fix in a known release", resolved({ release: "1.5.0" }), [{ name: "1.5.0" }], "fixed"],
  ["a fix in an earlier release", resolved({ release: "1.5.0" }), [{ name: "1.6.0" }], "fixed"],
  [
    "a fix in an unknown commit",
    resolved({ release: "9c1f" }),
    [{ name: "77aa", firstSeenMs: AT_MS - 1 }],
    "pending",
  ],
  [
    "a fix in a known commit",
    resolved({ release: "9c1f" }),
    [{ name: "9c1f", firstSeenMs: AT_MS + 1 }],
    "fixed",
  ],
  [
    "a fix in the next release, which is not out",
    resolved({ inNextRelease: true }),
    [{ name: "1.4.0", firstSeenMs: AT_MS }, { name: "1.3.0" }],
    "pending",
  ],
  [
    "a fix in the next release, which is out",
    resolved({ inNextRelease: true }),
    [{ name: "1.5.0", firstSeenMs: AT_MS + 1 }],
    "fixed",
  ],
  [
    "a fix in the next release, if only public reports name a later one",
    resolved({ inNextRelease: true }),
    [{ name: "evil", firstSeenMs: AT_MS + 1, trust: "public" }],
    "pending",
  ],
  [
    "a fix in the next release, if only page reports name a later one",
    resolved({ inNextRelease: true }),
    [{ name: "evil", firstSeenMs: AT_MS + 1, trust: "page" }],
    "pending",
  ],
  [
    "a fix in a release, if only public reports name a later one",
    resolved({ release: "1.5.0" }),
    [{ name: "99.0.0", trust: "public" }],
    "pending",
  ],
];

describe("the fix progress", () => {
  it.each(CASES)("is correct for %s", (_, decision, releases, progress) => {
    const issue = { ...COUNTED, ...(decision && { decision }) };
    const seen = releases.map((release) => ({ trust: "server" as const, ...release }));
    expect(getFixProgress(issue, seen, NOW_MS)).toBe(progress);
  });

  it("of an issue that only public reports made follows the releases that these name", () => {
    const issue = { ...COUNTED, publicCount: 3, trust: "public" } as const;
    const releases = [{ name: "1.5.0", firstSeenMs: AT_MS + 1, trust: "public" } as const];
    const decision = resolved({ inNextRelease: true });
    expect(getFixProgress({ ...issue, decision }, releases, NOW_MS)).toBe("fixed");
  });

  it("needs releases only if the decision names one", () => {
    expect(needsReleases({})).toBe(false);
    expect(needsReleases({ decision: resolved() })).toBe(false);
    expect(needsReleases({ decision: resolved({ release: "1" }) })).toBe(true);
    expect(needsReleases({ decision: resolved({ inNextRelease: true }) })).toBe(true);
  });
});
