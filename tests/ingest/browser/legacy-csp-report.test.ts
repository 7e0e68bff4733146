import { describe, expect, it } from "vitest";
import { classifyNoise } from "#src/core/noise/classify-noise.ts";
import { parseLegacyCspReport } from "#src/ingest/browser/csp-violation.ts";
import { parseReportingApi } from "#src/ingest/browser/reporting-api.ts";
import { getReport, listOutcomes } from "#support/reports/parsed-items.ts";
import { NOW_MS } from "#support/reports/processing-options.ts";

const PAGE = "https://shop.example/cart?step=2";

const legacy = (members: object) =>
  parseLegacyCspReport({ "csp-report": { "document-uri": PAGE, ...members } });
const modern = (body: object) => {
  const reports = parseReportingApi(
    [{ type: "csp-violation", url: PAGE, body: { documentURL: PAGE, ...body } }],
    NOW_MS,
  );
  return reports.ok ? reports.value : [];
};

/** One violation in both formats, with its title and fingerprint. */
const violations = [
  {
    name: "an inline script",
    legacy: {
      "effective-directive": "script-src-elem",
      "blocked-uri": "inline",
      "source-file": PAGE,
      disposition: "enforce",
    },
    modern: {
      effectiveDirective: "script-src-elem",
      blockedURL: "inline",
      sourceFile: PAGE,
      disposition: "enforce",
    },
    message: "blocked inline script",
    fingerprint: ["csp", "script-src-elem", "inline", "the document"],
  },
  {
    name: "an image of another origin",
    legacy: {
      "effective-directive": "img-src",
      "blocked-uri": "https://cdn.example/x.png?v=1",
      "source-file": "https://shop.example/a.js?v=2",
    },
    modern: {
      effectiveDirective: "img-src",
      blockedURL: "https://cdn.example/x.png?v=1",
      sourceFile: "https://shop.example/a.js?v=2",
    },
    message: "blocked https://cdn.example/x.png",
    fingerprint: ["csp", "img-src", "https://cdn.example", "https://shop.example/a.js"],
  },
  {
    name: "eval, reported only",
    legacy: { "effective-directive": "script-src", "blocked-uri": "eval", disposition: "report" },
    modern: { effectiveDirective: "script-src", blockedURL: "eval", disposition: "report" },
    message: "would block eval",
    fingerprint: ["csp", "script-src", "eval", "the document"],
  },
  {
    name: "a data URL",
    legacy: { "effective-directive": "font-src", "blocked-uri": "data" },
    modern: { effectiveDirective: "font-src", blockedURL: "data" },
    message: "blocked data",
    fingerprint: ["csp", "font-src", "data", "the document"],
  },
  {
    name: "an event handler in markup",
    legacy: { "effective-directive": "script-src-attr", "blocked-uri": "inline" },
    modern: { effectiveDirective: "script-src-attr", blockedURL: "inline" },
    message: "blocked inline event handler",
    fingerprint: ["csp", "script-src-attr", "inline", "the document"],
  },
];

describe("both forms of one violation are one issue", () => {
  it.each(violations)("$name", (violation) => {
    for (const parsed of [legacy(violation.legacy), modern(violation.modern)]) {
      const { message, fingerprint, kind, side } = getReport(parsed[0]);
      expect({ message, fingerprint, kind, side }).toEqual({
        message: violation.message,
        fingerprint: violation.fingerprint,
        kind: "csp",
        side: "browser",
      });
    }
  });

  it("a violation never groups by the page's URL", () => {
    const on = (page: string) =>
      getReport(
        legacy({
          "document-uri": page,
          "source-file": page,
          "effective-directive": "script-src",
          "blocked-uri": "inline",
        })[0],
      );
    expect(on("https://shop.example/a").fingerprint).toEqual(
      on("https://shop.example/b?x#y").fingerprint,
    );
  });
});

describe("an issue stays the same across builds", () => {
  const readSource = (file: string) =>
    getReport(
      legacy({
        "effective-directive": "img-src",
        "source-file": `https://shop.example/${file}`,
      })[0],
    ).fingerprint?.[3];

  it.each([
    { file: "assets/app-3f2a1b9c.js", source: "https://shop.example/assets/app.js" },
    { file: "assets/app.BkOaZtDz.js?v=2", source: "https://shop.example/assets/app.js" },
    {
      file: "assets/checkout-component.js",
      source: "https://shop.example/assets/checkout-component.js",
    },
    { file: "assets/app.js", source: "https://shop.example/assets/app.js" },
  ])("$file groups as $source", ({ file, source }) => {
    expect(readSource(file)).toBe(source);
  });
});

describe("dialects of browsers", () => {
  const dialects = [
    {
      name: "CSP 1: the violated directive alone, with its sources",
      members: { "violated-directive": "script-src 'self' https:", "blocked-uri": "" },
      type: "script-src",
      blocked: "inline",
    },
    {
      name: "Firefox before 2018: self for inline",
      members: { "violated-directive": "style-src", "blocked-uri": "self" },
      type: "style-src",
      blocked: "inline",
    },
    {
      name: "a scheme alone",
      members: { "effective-directive": "img-src", "blocked-uri": "blob" },
      type: "img-src",
      blocked: "blob",
    },
    {
      name: "a blob URL",
      members: { "effective-directive": "img-src", "blocked-uri": "blob:https://a.example/1" },
      type: "img-src",
      blocked: "blob",
    },
    {
      name: "nothing blocked that has a name",
      members: { "effective-directive": "img-src" },
      type: "img-src",
      blocked: "something",
    },
  ];
  it.each(dialects)("$name", ({ members, type, blocked }) => {
    const report = getReport(legacy(members)[0]);
    expect([report.type, report.fingerprint?.[2]]).toEqual([type, blocked]);
  });

  it("numbers may be text, and 0 is unknown", () => {
    const place = {
      "source-file": "https://shop.example/a.js",
      "line-number": "12",
      "column-number": 0,
    };
    expect(getReport(legacy({ "effective-directive": "img-src", ...place })[0]).frames).toEqual([
      { file: "https://shop.example/a.js", line: 12, inApp: true },
    ]);
  });

  const outcomes = [
    {
      name: "no directive",
      members: { "blocked-uri": "inline" },
      outcome: "csp-report → invalid missing-field",
    },
  ];
  it.each(outcomes)("$name: $outcome", ({ members, outcome }) => {
    expect(listOutcomes(legacy(members))).toEqual([outcome]);
  });

  it.each([
    { name: "what an extension loaded", members: { "blocked-uri": "chrome-extension" } },
    {
      name: "what an extension's script loaded",
      members: { "source-file": "moz-extension://abc/x.js" },
    },
    { name: "Firefox' own favicon", members: { "source-file": "resource" } },
  ])("$name is noise, by what was blocked or by its source", ({ members }) => {
    const report = getReport(legacy({ "effective-directive": "img-src", ...members })[0]);
    expect(classifyNoise(report)?.rule).toBe("extension");
  });

  it.each([null, [], { "csp-report": "text" }])("%j is invalid", (value) => {
    expect(listOutcomes(parseLegacyCspReport(value))).toEqual([
      "csp-report → invalid not-an-object",
    ]);
  });
});
