import { describe, expect, test } from "vitest";
import { classifyNoise } from "#src/core/noise/classify-noise.ts";
import { findInjectedReason, type PolicyProof } from "#src/core/noise/policy-proof.ts";
import type { ParsedReport } from "#src/core/report.ts";
import { emptyParsedReport } from "#support/reports/reports.ts";

const ORIGIN = "https://errata.example";

const violation = (type: string, blockedUri: string, more: Partial<ParsedReport> = {}) => ({
  ...emptyParsedReport,
  ...{ kind: "csp" as const, side: "browser" as const, type, blockedUri },
  request: { url: `${ORIGIN}/issues` },
  ...more,
});
const inline = (sample?: string) =>
  violation("script-src-elem", "inline", { ...(sample !== undefined && { detail: { sample } }) });

const OWN: PolicyProof = { isOnOwnPage: true };

describe("on a page of Errata itself", () => {
  test.each<[string, ParsedReport]>([
    ["a script of another host", violation("script-src-elem", "https://ads.example/a.js")],
    ["an image of another host", violation("img-src", "https://cdn.example/a.png")],
    ["a connection to another host", violation("connect-src", "wss://track.example/socket")],
    ["the same host with another scheme", violation("img-src", "http://errata.example/a.png")],
    ["a script of the page's data", violation("script-src-elem", "data")],
    ["a frame of a blob", violation("frame-src", "blob")],
    ["an inline event handler", violation("script-src-attr", "inline")],
    ["an inline style attribute", violation("style-src-attr", "inline")],
    ["an inline style", violation("style-src-elem", "inline")],
    ["an inline script with another beginning", inline("var _tag=document.createElement(")],
    [
      "an inline script in a legacy report",
      violation("script-src-elem", "inline", { detail: { "script-sample": "!function(){window" } }),
    ],
  ])("%s was not sent", (_, report) => {
    expect(findInjectedReason(report, OWN)).toBe("not-sent");
    expect(findInjectedReason(report, {})).toBeUndefined();
  });

  test.each<[string, ParsedReport]>([
    ["a file of its own", violation("script-src-elem", `${ORIGIN}/assets/page.js`)],
    ["an inline script of React", inline('$RC("B:0","S:0")')],
    ["an inline script of the page", inline("document.currentScript.parentNode.remove")],
    ["an inline script without its beginning", inline()],
    ["a sink of trusted types", violation("require-trusted-types-for", "trusted-types-sink")],
    ["eval", violation("script-src", "eval")],
    [
      "a self-test",
      violation("img-src", "https://blocked.example/a.png", {
        request: { url: `${ORIGIN}/self-test/policy` },
      }),
    ],
    ["no violation", { ...violation("img-src", "https://a.example"), kind: "browser" }],
  ])("%s may be its own", (_, report) => {
    expect(findInjectedReason(report, OWN)).toBeUndefined();
  });
});

describe("a violation of a changed policy", () => {
  const changed: PolicyProof = { isPolicyChanged: true };
  const image = violation("img-src", `${ORIGIN}/a.png`);

  test("is noise, whatever it blocked", () => {
    expect(classifyNoise(image, [], changed)).toEqual({
      ...{ rule: "injected", source: "policy-changed", reason: "policy-changed" },
    });
  });

  test("is of the extension that a matcher names", () => {
    const byExtension = violation("img-src", "chrome-extension://abcdefghijklmnop/a.png");
    expect(classifyNoise(byExtension, [], changed)).toEqual({
      ...{ rule: "extension", source: "chrome-extension://abcdefghijklmnop" },
    });
  });

  test("is an ordinary violation where the rule is switched off, or a visitor saw a digest", () => {
    expect(classifyNoise(image, ["injected"], changed)).toBeUndefined();
    expect(classifyNoise({ ...image, linkedDigest: "7F3K-Q2M9" }, [], changed)).toBeUndefined();
  });
});
