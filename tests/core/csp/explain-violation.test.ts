import { describe, expect, it } from "vitest";
import { explainViolation } from "#src/core/csp/explain-violation.ts";
import type { Report } from "#src/core/report.ts";
import { createReport } from "#support/reports/reports.ts";

const CHAT = "https://widgets.chat.example/loader.js";

function violation(directive: string, blockedUri: string, policy?: string): Report {
  return createReport(1, {
    kind: "csp",
    type: directive,
    blockedUri,
    level: "error",
    request: { url: "https://shop.example/help?q=1" },
    ...(policy !== undefined && { detail: { originalPolicy: policy } }),
  });
}

describe("the explanation of a CSP violation", () => {
  it("names the page, what it may load, and what it asked for", () => {
    expect(
      explainViolation(violation("script-src-elem", CHAT, "default-src 'self'; img-src *")),
    ).toEqual({
      page: "/help",
      action: "load scripts from",
      allowed: ["'self'"],
      url: CHAT,
      isReportOnly: false,
      policy: "default-src 'self'; img-src *; script-src 'self' https://widgets.chat.example",
    });
  });

  it.each([
    ["script-src-elem", "inline", "contains an inline script"],
    ["script-src-attr", "inline", "contains an inline event handler"],
    ["style-src-elem", "inline", "contains an inline style"],
    ["script-src", "eval", "called eval"],
  ])("names code within the page: %s %s", (directive, blocked, inline) => {
    const policy = "script-src 'self'; style-src 'none'";
    const explained = explainViolation(violation(directive, blocked, policy));
    expect(explained).toMatchObject({ inline, policy });
    expect(explained.url).toBeUndefined();
  });

  it("has no sources for 'none', and does not know them without the whole policy", () => {
    expect(explainViolation(violation("img-src", CHAT, "img-src 'none'")).allowed).toEqual([]);
    for (const policy of [undefined, "img-src 'self' https://a…", "nonsense"]) {
      const explained = explainViolation(violation("img-src", CHAT, policy));
      expect([explained.allowed, explained.policy]).toEqual([undefined, undefined]);
    }
  });

  it("names the sources of the policy that blocks, if the page has several", () => {
    const policies = "img-src *, img-src 'self'";
    expect(explainViolation(violation("img-src", CHAT, policies)).allowed).toEqual(["'self'"]);
  });

  it("says that a report-only policy blocked nothing", () => {
    const report = { ...violation("img-src", CHAT), level: "warning" } as const;
    expect(explainViolation(report).isReportOnly).toBe(true);
  });
});
