import { describe, expect, it } from "vitest";
import { formatPageFacts, readTrace } from "#src/adapters/page-facts.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";

describe("the facts about a page", () => {
  it("are entries of Server-Timing, without those that are unknown", () => {
    expect(formatPageFacts({ digest: "7F3K-Q2M9", trace: TRACE, token: undefined })).toBe(
      `errata-digest;desc="7F3K-Q2M9", errata-trace;desc="${TRACE}"`,
    );
    expect(formatPageFacts({})).toBe("");
  });

  it("have the trace of the request", () => {
    expect(readTrace(`00-${TRACE}-b7ad6b7169203331-01`)).toBe(TRACE);
  });

  it.each([
    null,
    undefined,
    "",
    TRACE,
    `00-${"0".repeat(32)}-b7ad6b7169203331-01`,
    `00-${TRACE.toUpperCase()}-b7ad6b7169203331-01`,
  ])("have a new trace if the request has none: %s", (header) => {
    expect(readTrace(header)).toMatch(/^[\da-f]{32}$/);
    expect(readTrace(header)).not.toBe(readTrace(header));
  });
});
