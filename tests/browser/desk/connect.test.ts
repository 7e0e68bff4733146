import { globSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findAxeViolations } from "#support/browser/axe.ts";
import { readCopiedText } from "#support/browser/clipboard.ts";
import { openProduct } from "#support/browser/product.ts";
import { eventually } from "#support/eventually.ts";
import { openSite } from "../../clients/site.ts";

const SERVER_KEY = "errata_server_00112233445566778899aabbccddeeff";
const product = openProduct({ serverKey: SERVER_KEY });

interface Snippet {
  readonly integration: string;
  readonly figure: string;
  readonly code: string;
}
let snippets: readonly Snippet[] | undefined;

/** The code that the connect page shows for a file of an integration. */
async function readSnippet(integration: string, file: string): Promise<string> {
  snippets ??= await readSnippets();
  const found = snippets.filter(
    (one) => one.integration === integration && one.figure.includes(file),
  );
  expect(found).toHaveLength(1);
  return found[0]?.code ?? "";
}

/** All snippets of the connect page, read at once. */
async function readSnippets(): Promise<readonly Snippet[]> {
  const page = await product.open();
  await page.goto("/connect");
  return page.locator(".integration-panel figure").evaluateAll((figures) =>
    figures.map((figure) => ({
      integration: figure.closest(".integration")?.querySelector("label")?.textContent ?? "",
      figure: figure.textContent ?? "",
      code: figure.querySelector("pre")?.textContent ?? "",
    })),
  );
}

/** The titles of the lookup's matches for a text, once there are any. */
const findTitles = (pasted: string) =>
  eventually(async () => {
    const { hits } = await product.json(`/lookup?q=${encodeURIComponent(pasted)}`);
    expect(hits).not.toEqual([]);
    return (hits as { title: string }[]).map(({ title }) => title).join(", ");
  });

describe("the connect page", () => {
  it("shows the first report without a reload", async () => {
    const page = await product.open();
    await page.goto("/connect");
    const panel = page.getByRole("region", { name: "First report" });
    await panel.getByText("Listening for your first report…").waitFor();
    const snippet = await readSnippet("curl", "terminal");
    const [, url = "", body = ""] = /^curl '([^']+)' -d '([^']+)'$/.exec(snippet) ?? [];
    expect((await fetch(url, { method: "POST", body })).status).toBe(202);
    await page.getByText("Your first report has arrived.").waitFor();
    await page.getByRole("link", { name: "cart is undefined" }).click();
    await page.waitForURL("**/d/*");
    expect(await findTitles("2338823894")).toContain("cart is undefined");
  });

  it("copies a snippet", async () => {
    const page = await product.open({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto("/connect");
    await page
      .getByRole("button", { name: "Copy the code for Next.js, instrumentation.ts" })
      .click();
    expect(await readCopiedText(page)).toBe(await readSnippet("Next.js", "instrumentation.ts"));
  });

  it("says when it is not connected, and listens again when it is", async () => {
    const page = await product.open();
    let isRefused = true;
    await page.routeWebSocket("**/live/socket", (socket) => {
      if (isRefused) void socket.close();
      else socket.connectToServer();
    });
    // Before anything has arrived: of a new project.
    await page.goto("/projects");
    await page.getByLabel("Name").last().fill("Teapots");
    await page.getByRole("button", { name: "Create project" }).click();
    await page.waitForURL("**/p/*/connect");
    const panel = page.getByRole("region", { name: "First report" });
    await panel.getByText("Not connected.").waitFor();
    expect(await panel.getByText("Listening for your first report…").isVisible()).toBe(false);
    isRefused = false;
    await panel.getByText("Listening for your first report…").waitFor();
    await panel.getByRole("button", { name: "Send a test report" }).click();
    await panel.getByText("Your first report has arrived.").waitFor();
  });

  it.each([true, false])(
    "shows the code of the integration that is chosen (scripts: %s)",
    async (javaScriptEnabled) => {
      const page = await product.open({ javaScriptEnabled });
      await page.goto("/connect");
      const panel = (name: string) =>
        page.locator(`.integration:has(label:text-is("${name}")) .integration-panel`);
      await panel("Next.js").first().waitFor();
      await page.getByText("Sentry on servers", { exact: true }).click();
      await panel("Sentry on servers").waitFor();
      expect(await panel("Next.js").first().isVisible()).toBe(false);
      await panel("Sentry on servers").getByText("SERVER_KEY@").first().waitFor();
    },
  );

  it.each([true, false])(
    "opens the tab of the fragment (scripts: %s)",
    async (javaScriptEnabled) => {
      const page = await product.open({ javaScriptEnabled });
      // The first page without scripts is loaded again, without the fragment.
      if (!javaScriptEnabled) {
        await page.goto("/connect");
        await page.waitForURL("/connect?streaming=off");
      }
      await page.goto("/connect#hono");
      const panels = page.locator(".integration-panel:visible");
      // One each of the integrations, the build tools and the agents.
      await expect.poll(() => panels.count()).toBe(3);
      expect(await panels.first().getAttribute("id")).toBe("hono");
      await page.locator("label", { hasText: "TanStack Start" }).click();
      expect(await panels.first().getAttribute("id")).toBe("tanstack");
      if (!javaScriptEnabled) return;
      expect(new URL(page.url()).hash).toBe("#tanstack");
      await page.goto("/issues");
      await page.goto("/connect");
      expect(await panels.first().getAttribute("id")).toBe("tanstack");
    },
  );

  it("has every anchor that the documentation and other pages link to", async () => {
    const files = ["README.md", ...globSync("src/**/*.{md,ts,tsx}")];
    const links = files.flatMap((file) => [
      ...readFileSync(file, "utf8").matchAll(/\/connect#([\w-]+)/g),
    ]);
    const page = await product.open();
    await page.goto("/connect");
    for (const [, id] of links) await page.locator(`#${id}`).waitFor({ state: "attached" });
    expect(links.length).toBeGreaterThan(4);
  });

  it("is accessible and fits on a phone, with every integration", async () => {
    const page = await product.open({ viewport: { width: 360, height: 900 } });
    await page.goto("/connect");
    for (const label of await page.locator(".integration label").all()) {
      await label.click();
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    }
    expect(await findAxeViolations(page)).toEqual([]);
  });
});

describe("the snippets", () => {
  it("of plain HTML report uncaught errors and rejections", async () => {
    const script = await readSnippet("Plain HTML", "index.html");
    await openPageWith(`${script}<script>setTimeout(() => { throw new Error("steam everywhere"); });
      Promise.reject("a rejected cup");</script>`);
    expect(await findTitles("steam everywhere")).toContain("Error");
    expect(await findTitles("a rejected cup")).toContain("a rejected cup");
  });

  it("of a Sentry SDK contain a DSN and a tunnel that accept its envelopes", async () => {
    const snippet = await readSnippet("Sentry in browsers", "main.js");
    const [, dsn = "", tunnel = ""] = /dsn: "([^"]+)",\s+tunnel: "([^"]+)"/.exec(snippet) ?? [];
    const event = (message: string) =>
      `{"type":"event"}\n${JSON.stringify({ message, platform: "node" })}\n`;
    const through = await fetch(tunnel, {
      method: "POST",
      body: `{"dsn":"${dsn}"}\n${event("through the tunnel")}`,
    });
    expect(through.status).toBe(200);
    const { origin, username, pathname } = new URL(dsn);
    const envelope = `${origin}/api${pathname}/envelope/?sentry_key=${username}`;
    expect(
      (await fetch(envelope, { method: "POST", body: `{}\n${event("by the DSN")}` })).status,
    ).toBe(200);
    expect(await findTitles("through the tunnel")).toContain("tunnel");
    expect(await findTitles("by the DSN")).toContain("DSN");
  });

  it("of a policy contain a URL that accepts its reports", async () => {
    const snippet = await readSnippet("CSP and Reporting API", "response headers");
    const [, url = ""] = /report-uri (\S+)$/.exec(snippet) ?? [];
    const body = JSON.stringify({
      "csp-report": {
        "effective-directive": "img-src",
        "blocked-uri": "https://cups.example/a.png",
        "document-uri": "https://shop.example/",
      },
    });
    expect((await fetch(url, { method: "POST", body })).status).toBe(204);
  });

  it("of OpenTelemetry contain an endpoint and a header that accept its logs", async () => {
    const snippet = await readSnippet("OpenTelemetry", "environment variables");
    const said = Object.fromEntries(
      Array.from(snippet.matchAll(/^(\w+)="(.*)"$/gm), ([, name, value]) => [name, value]),
    );
    const [, authorization = ""] =
      /^authorization=(.+)$/.exec(said.OTEL_EXPORTER_OTLP_HEADERS ?? "") ?? [];
    const attributes = [
      ["exception.type", "LeafError"],
      ["exception.message", "the leaves are wet"],
    ].map(([key, stringValue]) => ({ key, value: { stringValue } }));
    const logs = {
      resourceLogs: [{ scopeLogs: [{ logRecords: [{ severityNumber: 17, attributes }] }] }],
    };
    const response = await fetch(`${said.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/logs`, {
      method: "POST",
      headers: {
        authorization: authorization.replace("ERRATA_SERVER_KEY", SERVER_KEY),
        "content-type": "application/json",
      },
      body: JSON.stringify(logs),
    });
    expect(response.status).toBe(200);
    expect(await findTitles("the leaves are wet")).toContain("LeafError");
  });
});

describe("sample data", () => {
  it.each([true, false])(
    "is loaded and removed with one click each (scripts: %s)",
    async (javaScriptEnabled) => {
      const page = await product.open({ javaScriptEnabled });
      await page.goto("/connect");
      await page.getByRole("button", { name: "Load sample data" }).click();
      await page.getByText(/^Sample data loaded: \d+ issues\.$/).waitFor();
      await page.getByText("priceInPence").first().waitFor();
      expect(new URL(page.url()).pathname).toBe("/issues");
      await page.goto("/connect");
      await page.getByText("Sample data loaded:").waitFor();
      await page.getByRole("button", { name: "Remove sample data" }).click();
      await page.getByRole("button", { name: "Load sample data" }).waitFor();
      expect((await product.json("/connect.json")).sample).toBe(0);
    },
  );
});

describe("the theme", () => {
  it.each([true, false])(
    "is chosen in the account menu and persists (scripts: %s)",
    async (javaScriptEnabled) => {
      const page = await product.open({ javaScriptEnabled, colorScheme: "light" });
      await page.goto("/status");
      const light = await readBackground(page);
      await chooseTheme(page, "Dark");
      await page.locator('html[data-theme="dark"]').waitFor();
      expect(new URL(page.url()).pathname).toBe("/status");
      const dark = await readBackground(page);
      expect(dark).not.toBe(light);
      await page.goto("/connect");
      expect(await readBackground(page)).toBe(dark);
      await chooseTheme(page, "System");
      await eventually(async () => expect(await readBackground(page)).toBe(light));
    },
  );
});

async function chooseTheme(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("button", { name }).click();
}

async function openPageWith(body: string): Promise<void> {
  const site = await openSite(() => ({ body: `<!doctype html><title>Pots</title>${body}` }));
  const page = await product.open();
  await page.goto(`http://localhost:${site.port}/`);
  await page.waitForLoadState("networkidle");
  await site.close();
}

/** Evaluated by the browser, which runs scripts of tests also if those of pages are disabled. */
async function readBackground(page: Page): Promise<string> {
  return page.locator("html").evaluate((html) => getComputedStyle(html).backgroundColor);
}
