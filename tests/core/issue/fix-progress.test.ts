import { describe, expect, it } from "vitest";
import {
  type FixProgress,
  getFixProgress,
  needsReleases,
} from "../../../src/core/issue/fix-progress.ts";
import type { Decision } from "../../../src/core/issue/issue.ts";

const AT_MS = Date.UTC(2026, 10, 20);
const NOW_MS = AT_MS + 3_600_000;
const resolved = (more: Partial<Decision> = {}): Decision => ({
  v: 1,
  state: "resolved",
  atMs: AT_MS,
  ...more,
});

const CASES: readonly (readonly [
  name: string,
  decision: Decision | undefined,
  releases: readonly { name: string; firstSeenMs?: number }[],
  progress: FixProgress,
])[] = [
  ["an issue without a decision", undefined, [], "none"],
  ["an ignored issue", { v: 1, state: "ignored", atMs: AT_MS }, [], "none"],
  ["a muted issue", { v: 1, state: "muted", atMs: AT_MS }, [], "none"],
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
];

describe("the fix progress", () => {
  it.each(CASES)("is correct for %s", (_, decision, releases, progress) => {
    const issue = { count: 3, ...(decision && { decision }) };
    expect(getFixProgress(issue, releases, NOW_MS)).toBe(progress);
  });

  it("needs releases only if the decision names one", () => {
    expect(needsReleases({})).toBe(false);
    expect(needsReleases({ decision: resolved() })).toBe(false);
    expect(needsReleases({ decision: resolved({ release: "1" }) })).toBe(true);
    expect(needsReleases({ decision: resolved({ inNextRelease: true }) })).toBe(true);
  });
});
