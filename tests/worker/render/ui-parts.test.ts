import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Frame } from "../../../src/core/report.ts";
import { groupFrames, listPackages } from "../../../src/ui/issue/stack/frame-runs.ts";
import { toSourceLines } from "../../../src/ui/issue/stack/source-lines.ts";
import { abbreviate } from "../../../src/ui/parts/long-text.tsx";
import { formatNumber, pluralize } from "../../../src/ui/parts/number.tsx";
import { safeHref } from "../../../src/ui/parts/safe-href.ts";
import {
  formatAbsoluteTime,
  formatClockTime,
  formatRelativeTime,
} from "../../../src/ui/parts/time.tsx";

const NOW_MS = Date.UTC(2026, 10, 21, 17, 41, 43);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe("a figure", () => {
  it.each([
    [0, "0"],
    [7, "7"],
    [999, "999"],
    [1_000, "1,000"],
    [12_345, "12,345"],
    [1_234_567, "1,234,567"],
  ])("%d is written as %s", (count, written) => {
    expect(formatNumber(count)).toBe(written);
  });

  it("is written as people who write English write it, whatever it is", () => {
    fc.assert(fc.property(fc.nat(), (count) => formatNumber(count) === count.toLocaleString("en")));
  });

  it("stands with its word, in the singular for one", () => {
    expect(pluralize(1, "report")).toBe("1 report");
    expect(pluralize(2_000, "person", "people")).toBe("2,000 people");
  });
});

describe("a moment", () => {
  it.each([
    { agoMs: 0, said: "just now" },
    { agoMs: -30_000, said: "just now" },
    { agoMs: 12_000, said: "12 s ago" },
    { agoMs: 3 * MINUTE_MS, said: "3 min ago" },
    { agoMs: 5 * HOUR_MS, said: "5 h ago" },
    { agoMs: 30 * HOUR_MS, said: "yesterday" },
    { agoMs: 3 * DAY_MS, said: "3 days ago" },
    { agoMs: 20 * DAY_MS, said: "1 Nov" },
    { agoMs: 400 * DAY_MS, said: "17 Oct 2025" },
    { agoMs: -DAY_MS, said: "22 Nov" },
  ])("$agoMs ms ago is said as $said", ({ agoMs, said }) => {
    expect(formatRelativeTime(NOW_MS - agoMs, NOW_MS)).toBe(said);
  });

  it("is exact in UTC, and unknown where no calendar has it", () => {
    expect(formatAbsoluteTime(NOW_MS)).toBe("21 Nov 2026, 17:41:43 UTC");
    expect(formatAbsoluteTime(Number.NaN)).toBe("unknown");
    expect(formatAbsoluteTime(1e300)).toBe("unknown");
  });
});

describe("a moment to come", () => {
  it.each([
    { inMs: HOUR_MS, said: "18:41 UTC" },
    { inMs: 7 * HOUR_MS, said: "22 Nov, 00:41 UTC" },
    { inMs: 7 * DAY_MS, said: "28 Nov, 17:41 UTC" },
    { inMs: 60 * DAY_MS, said: "20 Jan 2027, 17:41 UTC" },
    { inMs: 1e300, said: "unknown" },
  ])("in $inMs ms is said as $said", ({ inMs, said }) => {
    expect(formatClockTime(NOW_MS + inMs, NOW_MS)).toBe(said);
  });
});

describe("a reported address", () => {
  it.each([
    "javascript:alert(1)",
    " javascript:alert(1)",
    "JAVA\tSCRIPT:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "blob:https://shop.example/1",
    "vbscript:x",
    "/cart",
    "//evil.example",
    "",
  ])("%j is never a link", (url) => {
    expect(safeHref(url)).toBeUndefined();
  });

  it("is a link when it is http(s), without its credentials", () => {
    expect(safeHref("https://jane:secret@shop.example/cart")).toBe("https://shop.example/cart");
    expect(safeHref("http://shop.example/?q=1#a")).toBe("http://shop.example/?q=1#a");
  });
});

const app: Frame = { file: "src/cart.ts", inApp: true };
const library: Frame = { file: "/srv/node_modules/@hono/node/dist/x.js", inApp: false };

describe("a stack", () => {
  it("folds runs of library frames, but never the frame that threw", () => {
    const runs = groupFrames([library, library, library, app, app, library]);
    expect(
      runs.map(({ firstIndex, frames, isFolded }) => [firstIndex, frames.length, isFolded]),
    ).toEqual([
      [0, 1, false],
      [1, 2, true],
      [3, 2, false],
      [5, 1, false],
    ]);
  });

  it("keeps every frame in its place", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ inApp: fc.boolean(), line: fc.nat() })), (frames) => {
        expect(groupFrames(frames).flatMap((run) => run.frames)).toEqual(frames);
      }),
    );
  });

  it("names the innermost packages, each once", () => {
    const nested: Frame = { file: "node_modules/next/node_modules/react/index.js", inApp: false };
    const node: Frame = { file: "node:internal/timers", inApp: false };
    expect(listPackages([library, nested, library, node, app])).toEqual([
      "@hono/node",
      "react",
      "node",
    ]);
  });
});

describe("lines of source", () => {
  it("are numbered from the first line that was sent", () => {
    const lines = toSourceLines({
      ...app,
      line: 7,
      source: "b",
      sourceBefore: ["a"],
      sourceAfter: ["c"],
    });
    expect(lines).toEqual([
      { number: 6, text: "a", isThrowing: false },
      { number: 7, text: "b", isThrowing: true },
      { number: 8, text: "c", isThrowing: false },
    ]);
  });

  it("of a minified file show what is around the column", () => {
    const source = `${"x".repeat(1_000)}HERE${"y".repeat(1_000)}`;
    const [line] = toSourceLines({ ...app, line: 1, column: 1_001, source });
    expect(line?.text).toContain("HERE");
    expect(line?.text.length).toBeLessThan(400);
  });
});

describe("the head of a long text", () => {
  it("never tears a pair of surrogates apart", () => {
    expect(abbreviate("ab😱cd", 3)).toBe("ab…");
    expect(abbreviate("ab😱cd", 4)).toBe("ab😱…");
    expect(abbreviate("ab", 2)).toBe("ab");
  });
});
