import { describe, expect, it } from "vitest";
import { summarizeReport } from "#src/core/report/report-summary.ts";
import type { Report } from "#src/core/report.ts";
import { parseBrowserName, parseSystemName } from "#src/core/request/browser-name.ts";
import { createReport } from "#support/reports/reports.ts";

const REPORT = createReport(1, { message: "no total" });
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0";

const summarize = (over: Partial<Report>) =>
  summarizeReport({ ...REPORT, ...over }, "2026112116/0.1:3");

describe("summarizeReport", () => {
  it("omits members that the report does not have", () => {
    expect(summarize({})).toEqual({
      id: REPORT.id,
      digest: REPORT.digest,
      isLinked: false,
      trust: "server",
      position: "2026112116/0.1:3",
      kind: "error",
      side: "server",
      atMs: REPORT.occurredAtMs,
      type: "TypeError",
      message: "no total",
    });
  });

  it("copies request, response and release of the report", () => {
    expect(
      summarize({
        frames: [{ function: "priceOf", file: "/srv/shop/cart.tsx", inApp: true }],
        request: { route: "/cart/:id", url: "https://a.example/cart/7", userAgent: FIREFOX },
        response: { status: 200, isSilent200: true },
        release: "web@2",
        environment: "production",
      }),
    ).toMatchObject({
      culprit: "priceOf · cart.tsx",
      route: "/cart/:id",
      url: "https://a.example/cart/7",
      browser: "Firefox 153",
      isSilent200: true,
      release: "web@2",
      environment: "production",
    });
  });

  it.each([
    ["critical", "fatal"],
    ["warn", "warning"],
    ["error", undefined],
    ["unknown", undefined],
  ])("has for the level %s the level %s", (level, expected) => {
    expect(summarize({ level }).level).toBe(expected);
  });

  it("truncates the message to 300 characters", () => {
    expect(summarize({ message: "m".repeat(1_000) }).message).toHaveLength(300);
  });

  it("limits the combining marks of a character, and leaves words of every script as they are", () => {
    const zalgo = `n${"\u0301\u0489\u20dd".repeat(50)}o total`;
    const limited = "n\u0301\u0489\u20dd\u0301o total";
    const { message, type, release } = summarize({ message: zalgo, type: zalgo, release: zalgo });
    expect([message, type, release]).toEqual([limited, limited, limited]);
    for (const text of ["Nguyễn Việt", "שָׁ֑לוֹם", "ที่นี่", "बच्चों की त्रुटि", "👩🏽‍💻", "خطأٌ"])
      expect(summarize({ message: text }).message).toBe(text);
  });

  it("keeps aliases, which contain neither the trace id nor the Ray ID", () => {
    const aliases = ["2338823894"];
    const occurrence = { traceId: "907b860c8f4a4e538510cd6974d88cbc", rayId: "8f1c2d3e4f5a6b7c" };
    expect(summarize({ aliases, ...occurrence }).aliases).toEqual(aliases);
    expect(summarize(occurrence).aliases).toBeUndefined();
  });
});

describe("parseBrowserName", () => {
  const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)";
  it.each([
    [FIREFOX, "Firefox 153"],
    [`${chrome} Chrome/156.0.0.0 Safari/537.36`, "Chrome 156"],
    [`${chrome} HeadlessChrome/156.0.0.0 Safari/537.36`, "Chrome 156"],
    [`${chrome} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0`, "Edge 156"],
    [`${chrome} Chrome/150.0.0.0 Safari/537.36 OPR/130.0.0.0`, "Opera 130"],
    [`${chrome} SamsungBrowser/30.0 Chrome/150.0.0.0 Mobile Safari/537.36`, "Samsung Internet 30"],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15",
      "Safari 26",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
      "Safari 26",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/156.0.0.0 Mobile/15E148 Safari/604.1",
      "Chrome 156",
    ],
    ["curl/7.88.1", "curl/7.88.1"],
    ["node", "node"],
    ["", undefined],
    ["<script>", undefined],
  ])("%s → %s", (userAgent, name) => {
    expect(parseBrowserName(userAgent)).toBe(name);
  });
});

describe("parseSystemName", () => {
  it.each([
    [FIREFOX, "Linux"],
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) Version/26.1 Safari/604.1", "iOS"],
    ["Mozilla/5.0 (Linux; Android 10; K) Chrome/143.0.0.0 Mobile Safari/537.36", "Android"],
    ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/143.0.0.0 Safari/537.36", "Windows"],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/26.1 Safari/605.1.15", "macOS"],
    ["Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) Chrome/143.0.0.0 Safari/537.36", "ChromeOS"],
    ["curl/7.88.1", undefined],
    ["", undefined],
  ])("%s → %s", (userAgent, name) => {
    expect(parseSystemName(userAgent)).toBe(name);
  });
});

describe("the tags of a summary", () => {
  const inFirefox = { request: { userAgent: FIREFOX } };
  const tags = (count: number) =>
    Array.from({ length: count }, (_, n) => [`key${n}`, "value"] as const);

  it("have the system of the browser, unless the sender names it", () => {
    expect(summarize(inFirefox).tags).toEqual([["os", "Linux"]]);
    expect(summarize({ ...inFirefox, tags: [["os", "Debian"]] }).tags).toEqual([["os", "Debian"]]);
    expect(summarize({ request: { userAgent: "curl/7.88.1" } }).tags).toBeUndefined();
  });

  it("have no system if the tags of the sender fill them", () => {
    expect(summarize({ ...inFirefox, tags: tags(8) }).tags).toEqual(tags(8));
    expect(summarize({ ...inFirefox, tags: tags(7) }).tags).toEqual([...tags(7), ["os", "Linux"]]);
  });
});
