import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readNowMs } from "../../support/clock/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { createCertificate } from "../../support/http/certificate.ts";
import { openChromium } from "../browser.ts";
import { type Errata, openErrata } from "../errata.ts";
import { openSite, type Site, type SiteResponse } from "../site.ts";

/** Reports that Chromium sends by itself. The Reporting API and NEL work only over https. */
describe("Chromium, over https", () => {
  const errata = openErrata({ https: true });
  const certificate = createCertificate(["localhost", "127.0.0.1"], new Date(readNowMs()));
  let site: Site;
  let collector: Site;
  beforeAll(async () => {
    collector = await openSite((path) => ({ forwardTo: `${errata.url}${path}` }), certificate);
    site = await openSite(shop, certificate);
  });
  afterAll(async () => {
    await site?.close();
    await collector?.close();
  });
  // NEL needs an accepted certificate, not an ignored error: this flag accepts these two
  // certificates.
  const chromium = openChromium(() => [
    `--ignore-certificate-errors-spki-list=${errata.spki},${certificate.spki}`,
    "--short-reporting-delay",
  ]);
  const siteUrl = () => `https://localhost:${site.port}`;

  function shop(path: string): SiteResponse {
    const { pathname, searchParams } = new URL(path, "https://site.example");
    const to = searchParams.get("to") ?? "";
    switch (pathname) {
      case "/monitoring":
        return { forwardTo: `${errata.url}/monitoring` };
      case "/page":
        return pageWithPolicies(to);
      case "/logged":
        return { headers: networkErrorLogging(to), body: "All that fails is logged." };
      case "/broken":
        return { status: 500, body: "" };
      case "/cut":
        return { hangUp: true };
      default:
        return { body: "" };
    }
  }

  it("violations of the policy of Errata's own pages are reported to Errata, as noise", async () => {
    const page = await chromium.open();
    await page.goto(`${errata.url}/`);
    await page.evaluate(() => {
      new Image().src = "https://blocked.example/x.png";
    });
    const violation = { kind: "csp", type: "img-src" } as const;
    const report = await errata.findReport(violation, `${errata.url}/`, "is:noise");
    expect(report).toMatchObject({
      format: "reporting-api",
      message: expect.stringMatching(/^blocked https:\/\/blocked\.example/),
    });
  });

  /**
   * The targets of `Reporting-Endpoints`; the site in front forwards to Errata and records the
   * requests.
   */
  const ENDPOINTS = [
    { to: "its own origin", endpoint: () => "/monitoring", forwarded: () => site.forwarded },
    {
      to: "another origin, after a preflight",
      endpoint: () => `https://localhost:${collector.port}/monitoring`,
      forwarded: () => collector.forwarded,
    },
  ];

  /** The faults of the page, as the reports name them. */
  const REPORTS = [
    { kind: "csp", type: "img-src", message: /^blocked https:\/\/blocked\.example/ },
    { kind: "browser", type: "deprecation", message: /Synchronous `XMLHttpRequest`/ },
    { kind: "browser", type: "intervention", message: /navigator\.vibrate/ },
    { kind: "browser", type: "permissions-policy-violation", message: /Geolocation/ },
    { kind: "browser", type: "coep", message: /resource of https:\/\/127\.0\.0\.1/ },
    { kind: "browser", type: "integrity-violation", message: /script\.js/ },
  ] as const;

  describe.each(ENDPOINTS)("with Reporting-Endpoints at $to", ({ to, endpoint, forwarded }) => {
    const pageUrl = () => `${siteUrl()}/page?to=${encodeURIComponent(endpoint())}`;
    beforeAll(async () => {
      await (await chromium.open()).goto(pageUrl());
    });

    it.each(REPORTS)("a report of $type is stored", async (expected) => {
      const report = await errata.findReport(expected, pageUrl());
      expect(report).toMatchObject({ format: "reporting-api", side: "browser" });
      expect(report.message).toMatch(expected.message);
    });

    it("the crash report of a page is stored", async () => {
      const page = await chromium.open();
      await page.goto(`${pageUrl()}&crash`);
      await page.goto("chrome://crash").catch(() => undefined);
      await errata.findReport({ kind: "browser", type: "crash" }, `${pageUrl()}&crash`);
    });

    it("every upload gets a 204, so that Chromium does not retry it", async () => {
      await eventually(() => expect(forwarded().length).toBeGreaterThan(0));
      const answered = new Set(forwarded().map(({ method, status }) => `${method} ${status}`));
      const preflight = to.includes("preflight") ? ["OPTIONS 204"] : [];
      expect([...answered].sort()).toEqual([...preflight, "POST 204"]);
    });
  });

  const COLLECTORS = [
    { at: "the reporting path", collect: () => `${errata.url}/monitoring` },
    {
      at: "Sentry's path for it",
      collect: () => `${errata.url}/api/1/nel/?${sentryKey(errata)}`,
    },
  ];
  describe.each(COLLECTORS)("with Report-To and NEL at $at, on another origin", ({ collect }) => {
    it.each([
      { path: "/broken", type: "http.error", status: 500 },
      { path: "/cut", type: "http.response.invalid.empty" },
    ])("a network error of type $type is stored", async ({ path, type, status }) => {
      const page = await chromium.open();
      await page.goto(`${siteUrl()}/logged?to=${encodeURIComponent(collect())}`);
      const failed = `${siteUrl()}${path}?${new URL(collect()).pathname}`;
      await page.evaluate((url) => fetch(url).catch(() => undefined), failed);
      const report = await errata.findReport({ kind: "network", type }, failed);
      expect(report).toMatchObject({ format: "reporting-api", request: { method: "GET" } });
      expect(report.response?.status).toBe(status);
    });
  });
});

describe("Chromium, over http", () => {
  const errata = openErrata();
  let site: Site;
  beforeAll(async () => {
    site = await openSite((path) => {
      const { pathname, searchParams } = new URL(path, "http://site.example");
      if (pathname === "/monitoring") return { forwardTo: `${errata.url}/monitoring` };
      const policy = `img-src 'none'; report-uri ${searchParams.get("to")}`;
      return { headers: { "content-security-policy": policy }, body: BLOCKED_IMAGE };
    });
  });
  afterAll(async () => site?.close());
  const chromium = openChromium();

  it.each([
    { to: "its own origin", uri: () => "/monitoring" },
    { to: "the reporting path of another origin", uri: () => `${errata.url}/monitoring` },
    {
      to: "Sentry's path for it",
      uri: () => `${errata.url}/api/1/security/?${sentryKey(errata)}`,
    },
  ])("a violation with report-uri at $to is stored", async ({ uri }) => {
    const url = `http://localhost:${site.port}/?to=${encodeURIComponent(uri())}`;
    await (await chromium.open()).goto(url);
    const report = await errata.findReport({ kind: "csp", type: "img-src" }, url);
    expect(report).toMatchObject({ format: "csp-report", side: "browser" });
    expect(report.message).toMatch(/^blocked https:\/\/blocked\.example/);
  });
});

function sentryKey({ dsn }: Errata): string {
  return `sentry_key=${new URL(dsn).username}`;
}

const BLOCKED_IMAGE = `<!doctype html><html lang="en"><title>The shop</title>
<img src="https://blocked.example/x.png" alt="">`;

/** A page that violates its headers in every way that produces a report of its own. */
function pageWithPolicies(endpoint: string): SiteResponse {
  return {
    headers: {
      "reporting-endpoints": `default="${endpoint}"`,
      "content-security-policy": "img-src 'none'; report-to default",
      "permissions-policy": "geolocation=()",
      "cross-origin-embedder-policy": 'require-corp; report-to="default"',
      "integrity-policy": "blocked-destinations=(script), endpoints=(default)",
    },
    body: `${BLOCKED_IMAGE}
<script>
  const slow = new XMLHttpRequest();
  slow.open("GET", "/stock", false);
  slow.send();
  navigator.vibrate(1);
  navigator.geolocation.getCurrentPosition(() => {}, () => {});
  fetch(location.origin.replace("localhost", "127.0.0.1") + "/stock", { mode: "no-cors" }).catch(() => {});
  const script = document.createElement("script");
  script.src = "/script.js";
  document.head.append(script);
</script>`,
  };
}

function networkErrorLogging(endpoint: string): Record<string, string> {
  const group = { group: "network", max_age: 3600, endpoints: [{ url: endpoint }] };
  return {
    "report-to": JSON.stringify(group),
    nel: JSON.stringify({ report_to: "network", max_age: 3600, failure_fraction: 1 }),
  };
}
