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
  mending: FixProgress,
])[] = [
  ["nothing that nobody has decided about", undefined, [], "none"],
  ["nothing that is ignored", { v: 1, state: "ignored", atMs: AT_MS }, [], "none"],
  ["nothing that is muted", { v: 1, state: "muted", atMs: AT_MS }, [], "none"],
  ["what is resolved now", resolved(), [], "fixed"],
  ["not what waits for a release", resolved({ release: "1.5.0" }), [{ name: "1.4.0" }], "pending"],
  ["what waits for one that is out", resolved({ release: "1.5.0" }), [{ name: "1.5.0" }], "fixed"],
  ["what a later one has", resolved({ release: "1.5.0" }), [{ name: "1.6.0" }], "fixed"],
  [
    "not by a commit that was seen before",
    resolved({ release: "9c1f" }),
    [{ name: "77aa", firstSeenMs: AT_MS - 1 }],
    "pending",
  ],
  [
    "by that very commit",
    resolved({ release: "9c1f" }),
    [{ name: "9c1f", firstSeenMs: AT_MS + 1 }],
    "fixed",
  ],
  [
    "not in the next release while there is none",
    resolved({ inNextRelease: true }),
    [{ name: "1.4.0", firstSeenMs: AT_MS }, { name: "1.3.0" }],
    "pending",
  ],
  [
    "in the next release when it came",
    resolved({ inNextRelease: true }),
    [{ name: "1.5.0", firstSeenMs: AT_MS + 1 }],
    "fixed",
  ],
];

describe("a receipt calls mended", () => {
  it.each(CASES)("%s", (_, decision, releases, mending) => {
    const issue = { count: 3, ...(decision && { decision }) };
    expect(getFixProgress(issue, releases, NOW_MS)).toBe(mending);
  });

  it("asks for releases only where a decision names one", () => {
    expect(needsReleases({})).toBe(false);
    expect(needsReleases({ decision: resolved() })).toBe(false);
    expect(needsReleases({ decision: resolved({ release: "1" }) })).toBe(true);
    expect(needsReleases({ decision: resolved({ inNextRelease: true }) })).toBe(true);
  });
});
