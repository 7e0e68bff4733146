import {
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  chromium,
  type Page,
  request,
} from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findInjectedReason } from "#src/core/noise/policy-proof.ts";
import type { ParsedReport, Report } from "#src/core/report.ts";
import { createLaunchOptions } from "#support/browser/chromium.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { eventually } from "#support/eventually.ts";
import { createCertificate } from "#support/http/certificate.ts";
import { serve } from "../../.tools/local/serve.ts";

const SERVER_KEY = `errata_server_${"5".repeat(32)}`;
const throwLater = (message: string) =>
  setTimeout(() => {
    throw new Error(message);
  });
const violatePolicy = (host: string) => {
  new Image().src = `https://${host}/a.png`;
};

/** The product with an empty store, and a browser that accepts its certificate. */
function openErrata({ https, vars }: { https: boolean; vars: Record<string, string> }) {
  const tls = https
    ? createCertificate(["localhost", "127.0.0.1"], new Date(readNowMs()))
    : undefined;
  let served: Awaited<ReturnType<typeof serve>>;
  let desk: APIRequestContext;
  let browser: Browser;
  beforeAll(async () => {
    served = await serve({ tls, vars, isLocalOpen: true });
    desk = await request.newContext({
      baseURL: served.url,
      ignoreHTTPSErrors: true,
      extraHTTPHeaders: { accept: "application/json" },
    });
    const flags = tls ? [`--ignore-certificate-errors-spki-list=${tls.spki}`] : [];
    browser = await chromium.launch(
      await createLaunchOptions([...flags, "--short-reporting-delay"]),
    );
  });
  afterAll(async () => {
    await browser?.close();
    await desk?.dispose();
    await served?.stop();
  });
  return {
    async open(
      path: string,
      prepare: (context: BrowserContext) => Promise<void> = async () => undefined,
    ): Promise<Page> {
      const context = await browser.newContext({ baseURL: served.url });
      await prepare(context);
      const page = await context.newPage();
      await page.goto(path, { waitUntil: "load" });
      return page;
    },
    /** The first report whose issue has this type or message, as soon as it is stored. */
    async findReport(text: string): Promise<Report> {
      let found: Report | undefined;
      await eventually(async () => {
        // Errors of Errata are noise; without a token, those in browsers are not known to be.
        const lists = await Promise.all(
          ["/issues", "/issues?q=is:noise"].map(async (url) => (await desk.get(url)).json()),
        );
        const issues = lists.flatMap((list) => list.issues);
        const issue = (issues as { digest: string; type: string; message: string }[]).find(
          ({ type, message }) => type === text || message.includes(text),
        );
        expect(issue, `${text} among ${JSON.stringify(issues)}`).toBeDefined();
        const { reports } = await (await desk.get(`/d/${issue?.digest}`)).json();
        [found] = reports as Report[];
        expect(found).toBeDefined();
      });
      return found as Report;
    },
  };
}

describe("over http, with a server key", () => {
  const errata = openErrata({ https: false, vars: { ERRATA_SERVER_KEY: SERVER_KEY } });

  it("an error on a page arrives with trust `page`", async () => {
    const page = await errata.open("/");
    await page.evaluate(throwLater, "with a token");
    expect(await errata.findReport("with a token")).toMatchObject({
      trust: "page",
      noise: "errata",
    });
  });

  it("a violation of its policy arrives with trust `page`, and stores no token", async () => {
    const page = await errata.open("/");
    await page.evaluate(violatePolicy, "with-token.example");
    const report = await errata.findReport("with-token.example");
    expect(report).toMatchObject({ format: "csp-report", trust: "page", noise: "injected" });
    expect(report.tags).toContainEqual(["injected", "not-sent"]);
    expect(JSON.stringify(report.detail)).toContain("report-uri /monitoring");
    expect(JSON.stringify(report)).not.toMatch(/monitoring\?t=/);
  });

  it("a violation of a policy that something changed on the way is told from its own", async () => {
    const page = await errata.open("/sign-in", async (context) => {
      await context.route("**/sign-in", async (route) => {
        const response = await route.fetch();
        const headers = response.headers();
        const policy = headers["content-security-policy"]?.replace(
          "img-src 'self' data:",
          "img-src",
        );
        await route.fulfill({
          response,
          headers: { ...headers, "content-security-policy": policy ?? "" },
        });
      });
    });
    await page.evaluate(() => {
      new Image().src = "/favicon.svg?changed";
    });
    const report = await errata.findReport("favicon.svg");
    expect(report).toMatchObject({ format: "csp-report", noise: "injected" });
    expect(report.tags).toContainEqual(["injected", "policy-changed"]);
  });

  it("a page that was opened without a reload reports with the first page's token", async () => {
    const page = await errata.open("/");
    const token = () => page.locator("meta[name=errata]").getAttribute("content");
    const first = await token();
    await page.locator('.site-header a[href="/issues"]').first().click();
    await page.waitForURL("**/issues");
    expect(await token()).toBe(first);
    await page.evaluate(throwLater, "after a soft navigation");
    expect(await errata.findReport("after a soft navigation")).toMatchObject({
      trust: "page",
      noise: "errata",
    });
  });

  it("the failures of the self-test arrive with trust `page` from the browser", async () => {
    await errata.open("/self-test/uncaught");
    const report = await errata.findReport("self-test: an uncaught error");
    expect(report).toMatchObject({ trust: "page", noise: "errata" });
  });

  it("a page on which even the failure page failed reports with its token", async () => {
    const page = await errata.open("/self-test/failure-page");
    await page.evaluate(throwLater, "on the constant page");
    expect(await errata.findReport("on the constant page")).toMatchObject({
      trust: "page",
      noise: "errata",
    });
  });
});

describe("over https, with a server key", () => {
  const errata = openErrata({ https: true, vars: { ERRATA_SERVER_KEY: SERVER_KEY } });

  it("a violation of its policy arrives with trust `page`", async () => {
    const page = await errata.open("/");
    await page.evaluate(violatePolicy, "secure.example");
    const report = await errata.findReport("secure.example");
    expect(report).toMatchObject({ format: "reporting-api", trust: "page", noise: "injected" });
    expect(report.tags).toContainEqual(["injected", "not-sent"]);
  });

  it("a violation of its own, unchanged policy by its own file is an error of Errata", async () => {
    const page = await errata.open("/");
    await page.evaluate(() => {
      const frame = document.createElement("iframe");
      frame.src = "/robots.txt";
      document.body.append(frame);
    });
    const report = await errata.findReport("robots.txt");
    expect(report).toMatchObject({ format: "reporting-api", noise: "errata" });
    expect(report.tags?.some(([name]) => name === "injected")).toBe(false);
  });

  it("an inline script is told from those of the page by its beginning", async () => {
    const page = await errata.open("/");
    const paths = ["/", "/issues", "/status", "/self-test", "/self-test/late", "/sign-in"];
    const sent = await page.evaluate(
      async (all) => Promise.all(all.map(async (path) => (await fetch(path)).text())),
      paths,
    );
    const scripts = sent.flatMap((html) =>
      [...html.matchAll(/<script[^>]*>([^<][\s\S]*?)<\/script>/g)].map(([, text = ""]) => text),
    );
    expect(new Set(scripts).size).toBeGreaterThan(3);
    const violate = (sample: string): ParsedReport => ({
      ...{ kind: "csp", side: "browser", format: "reporting-api", type: "script-src-elem" },
      ...{ message: "", frames: [], blockedUri: "inline", detail: { sample } },
    });
    const decide = (text: string) =>
      findInjectedReason(violate(text.slice(0, 40)), { isOnOwnPage: true });
    expect(scripts.filter((text) => decide(text) !== undefined)).toEqual([]);
  });

  it("a deprecation arrives with trust `page`", async () => {
    const page = await errata.open("/");
    await page.evaluate(() => {
      const request = new XMLHttpRequest();
      request.open("GET", "/favicon.svg", false);
      request.send();
    });
    expect(await errata.findReport("deprecation")).toMatchObject({
      trust: "page",
      noise: "errata",
    });
  });

  it("the crash of a page arrives with trust `page`", async () => {
    const page = await errata.open("/");
    await page.goto("chrome://crash").catch(() => undefined);
    expect(await errata.findReport("crash")).toMatchObject({ trust: "page", noise: "errata" });
  });
});

describe("without a server key", () => {
  const errata = openErrata({ https: false, vars: {} });

  it("an error and a violation of the policy arrive with trust `public`", async () => {
    const page = await errata.open("/");
    await page.evaluate(throwLater, "without a token");
    await page.evaluate(violatePolicy, "without-token.example");
    expect(await errata.findReport("without a token")).toMatchObject({ trust: "public" });
    expect(await errata.findReport("without-token.example")).toMatchObject({ trust: "public" });
  });
});
