import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import type { ParsedReport } from "#src/core/report.ts";
import { parseReportingApi } from "#src/ingest/browser/reporting-api.ts";
import { getReport, listOutcomes } from "#support/reports/parsed-items.ts";
import { NOW_MS } from "#support/reports/processing-options.ts";

const URL_OF_PAGE = "https://shop.example/cart?step=2";

function parsed(value: unknown) {
  const reports = parseReportingApi(value, NOW_MS);
  if (!reports.ok) throw new Error(reports.reason);
  return reports.value;
}

const read = (type: string, body: unknown): ParsedReport =>
  getReport(parsed([{ type, body, url: URL_OF_PAGE, age: 0 }])[0]);

describe("messages and fingerprints by type", () => {
  const types = [
    {
      type: "deprecation",
      body: { id: "UnloadHandler", message: "Unload event listeners are deprecated." },
      message: "UnloadHandler: Unload event listeners are deprecated.",
      fingerprint: ["deprecation", "UnloadHandler"],
    },
    {
      type: "intervention",
      body: { id: "NavigatorVibrate", message: "Blocked." },
      message: "NavigatorVibrate: Blocked.",
      fingerprint: ["intervention", "NavigatorVibrate"],
    },
    {
      type: "permissions-policy-violation",
      body: { policyId: "camera", message: "Not allowed." },
      message: "camera: Not allowed.",
      fingerprint: ["permissions-policy-violation", "camera"],
    },
    {
      type: "permissions-policy-violation",
      body: { featureId: "camera", message: null },
      message: "camera",
      fingerprint: ["permissions-policy-violation", "camera"],
    },
    {
      type: "document-policy-violation",
      body: { policyId: "sync-xhr", message: "" },
      message: "sync-xhr",
      fingerprint: ["document-policy-violation", "sync-xhr"],
    },
    {
      type: "crash",
      body: { reason: "oom" },
      message: "oom",
      fingerprint: ["crash", "oom"],
    },
    {
      type: "crash",
      body: { is_top_level: true },
      message: "the page's process ended without a reason",
      fingerprint: ["crash", "unknown"],
    },
    {
      type: "coep",
      body: { type: "corp", blockedURL: "https://cdn.example/x.png?1", destination: "image" },
      message: "corp blocked image of https://cdn.example",
      fingerprint: ["coep", "corp", "image", "https://cdn.example"],
    },
    {
      type: "coop",
      body: { type: "navigation-from-response", effectivePolicy: "same-origin" },
      message: "navigation-from-response, effective policy same-origin",
      fingerprint: ["coop", "navigation-from-response", "same-origin"],
    },
    {
      type: "integrity-violation",
      body: { blockedURL: "https://shop.example/a.js?1", destination: "script" },
      message: "blocked script https://shop.example/a.js",
      fingerprint: ["integrity-violation", "script", "https://shop.example/a.js"],
    },
    {
      type: "connection-allowlist",
      body: { connection: "https://api.example/v1" },
      message: "blocked https://api.example",
      fingerprint: ["connection-allowlist", "https://api.example"],
    },
    {
      type: "csp-hash",
      body: {
        subresourceURL: "https://shop.example/a.js",
        hash: "sha256-abc",
        destination: "script",
      },
      message: "script https://shop.example/a.js is sha256-abc",
      fingerprint: ["csp-hash", "https://shop.example/a.js"],
    },
    {
      type: "network-error",
      body: { type: "dns.address_changed", phase: "dns", method: "GET" },
      message: "GET to https://shop.example, phase dns",
      fingerprint: ["network-error", "dns.address_changed", "dns", "https://shop.example"],
    },
    {
      type: "network-error",
      body: { type: "http.error", phase: "application", method: "GET", status_code: 404 },
      message: "4xx for GET to https://shop.example, phase application",
      fingerprint: ["network-error", "http.error", "application", "https://shop.example", "4xx"],
    },
    {
      type: "network-error",
      body: { type: "http.error", phase: "application", method: "GET", status_code: 599 },
      message: "5xx for GET to https://shop.example, phase application",
      fingerprint: ["network-error", "http.error", "application", "https://shop.example", "5xx"],
    },
    {
      type: "network-error",
      body: { type: "http.error", phase: "application", method: "GET", status_code: 0 },
      message: "GET to https://shop.example, phase application",
      fingerprint: ["network-error", "http.error", "application", "https://shop.example"],
    },
    {
      type: "network-error",
      body: { type: "http.response.invalid", phase: "application", status_code: 500 },
      message: "a request to https://shop.example, phase application",
      fingerprint: [
        "network-error",
        "http.response.invalid",
        "application",
        "https://shop.example",
      ],
    },
    {
      type: "coop-access-violation",
      body: { message: "Later." },
      message: "Later.",
      fingerprint: undefined,
    },
    { type: "test", body: null, message: "", fingerprint: undefined },
    { type: "toString", body: {}, message: "", fingerprint: undefined },
  ];
  it.each(types)("$type: $message", ({ type, body, message, fingerprint }) => {
    const report = read(type, body);
    expect({ message: report.message, fingerprint: report.fingerprint }).toEqual({
      message,
      fingerprint,
    });
  });

  it("a network error has kind network, its own type and its status", () => {
    const report = read("network-error", {
      type: "http.error",
      phase: "application",
      status_code: 500,
      method: "GET",
    });
    expect(report).toMatchObject({
      kind: "network",
      type: "http.error",
      response: { status: 500, isSilent200: false },
      request: { method: "GET", url: URL_OF_PAGE, route: "/cart" },
    });
  });

  it("the user agent is the one in the report", () => {
    const [report] = parsed([{ type: "deprecation", user_agent: "UA" }]);
    expect(getReport(report).request).toEqual({ userAgent: "UA" });
  });

  it("violations have kind csp, all others kind browser", () => {
    expect(read("csp-violation", { effectiveDirective: "img-src" }).kind).toBe("csp");
    expect(read("deprecation", {}).kind).toBe("browser");
  });

  it("the source position becomes a frame, in either spelling", () => {
    const file = "https://shop.example/app.js";
    const frames = [{ file, line: 3, column: 40, inApp: true }];
    expect(
      read("deprecation", { sourceFile: file, lineNumber: 3, columnNumber: 40 }).frames,
    ).toEqual(frames);
    expect(read("intervention", { sourceFile: file, line: 3, column: 40 }).frames).toEqual(frames);
    expect(read("deprecation", { sourceFile: null }).frames).toEqual([]);
  });

  it("a hang with a stack groups by the stack", () => {
    const report = read("crash", {
      reason: "unresponsive",
      stack: "at spin (https://shop.example/app.js:1:2)",
    });
    expect(report.fingerprint).toBeUndefined();
    expect(report.frames[0]).toMatchObject({ function: "spin" });
  });

  it("a digest that the app left for a crash links the report to its issue", () => {
    expect(read("crash", { crash_report_api: { digest: "2338823894" } }).aliases).toEqual([
      "2338823894",
    ]);
  });
});

describe("time and identity", () => {
  const report = {
    type: "deprecation",
    body: { id: "A" },
    url: URL_OF_PAGE,
    user_agent: "UA",
    age: 60_500,
  };

  it("the report occurred at the time of receipt minus its age", () => {
    expect(getReport(parsed([report])[0]).occurredAtMs).toBe(NOW_MS - 60_500);
  });

  it.each([null, "soon", -5, undefined])("an age of %s counts as none", (age) => {
    expect(getReport(parsed([{ ...report, age }])[0]).occurredAtMs).toBe(NOW_MS);
  });

  it("a retry is the same report: a minute later, a minute older", () => {
    const first = parseReportingApi([report], NOW_MS);
    const retry = parseReportingApi([{ ...report, age: 120_500 }], NOW_MS + 60_000);
    const reports = [first, retry].map((reports) =>
      getReport(reports.ok ? reports.value[0] : undefined),
    );
    const [one, two] = reports.map(({ fuzzyDedupeKey, occurredAtMs }) => ({
      sameAbout: fuzzyDedupeKey,
      occurredAtMs,
    }));
    expect(two).toEqual(one);
  });

  it.each([
    { name: "another page", change: { url: "https://shop.example/" } },
    { name: "another body", change: { body: { id: "B" } } },
    { name: "another browser", change: { user_agent: "UB" } },
  ])("$name makes another report", ({ change }) => {
    const [one, two] = parsed([report, { ...report, ...change }]).map(
      (item) => getReport(item).fuzzyDedupeKey,
    );
    expect(two).not.toBe(one);
  });
});

describe("shapes of uploads", () => {
  const good = { type: "deprecation", body: { id: "A" }, url: URL_OF_PAGE };
  it.each([
    { name: "a single report without an array", value: good, outcomes: ["deprecation → browser"] },
    { name: "an empty array", value: [], outcomes: [] },
    {
      name: "broken reports beside good ones",
      value: [good, null, 1, {}, { type: 7, body: {} }, good],
      outcomes: [
        "deprecation → browser",
        "unknown → invalid not-an-object",
        "unknown → invalid not-an-object",
        "unknown → invalid missing-field",
        "unknown → browser",
        "deprecation → browser",
      ],
    },
    {
      name: "a network success",
      value: [{ type: "network-error", body: { type: "ok" } }],
      outcomes: ["network-error → counted"],
    },
    {
      name: "a violation without a directive",
      value: [{ type: "csp-violation", body: {} }],
      outcomes: ["csp-violation → invalid missing-field"],
    },
  ])("$name", ({ value, outcomes }) => {
    expect(listOutcomes(parsed(value))).toEqual(outcomes);
  });

  it("an upload of more than limits.maxReportsPerUpload reports is rejected", () => {
    const value = Array.from({ length: limits.maxReportsPerUpload + 1 }, () => good);
    expect(parseReportingApi(value, NOW_MS)).toMatchObject({ ok: false, reason: "too-many-items" });
    expect(parsed(value.slice(1))).toHaveLength(limits.maxReportsPerUpload);
  });
});
