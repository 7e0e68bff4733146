/**
 * The team's shop: a page with @sentry/browser on another origin than Errata, open in a visitor's
 * Chromium.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { type Chromium, recordCorsErrors, recordRequests, type SentEnvelope } from "../browser.ts";
import { bundle } from "../bundle.ts";
import type { Errata } from "../errata.ts";
import { openSite, type Site } from "../site.ts";

/** An open page, the envelopes that its SDK sends, and its CORS errors. */
interface Visit {
  readonly page: Page;
  readonly sent: SentEnvelope[];
  readonly cors: string[];
}

/** The running shop. */
interface Shop {
  /** `localhost` is another site than 127.0.0.1, where Errata is, as well as another origin. */
  readonly url: string;
  /** Opens the page as a new visitor, with these options for the SDK. */
  readonly visit: (options: object) => Promise<Visit>;
}

/** Serves the shop. It forwards `/tunnel` to the reporting path, and unknown paths to Errata. */
export function openShop(errata: Errata, chromium: Chromium): Shop {
  let site: Site;
  beforeAll(async () => {
    const script = await bundle("browser-page.ts", "browser");
    const pages: Record<string, { headers?: Record<string, string>; body: string }> = {
      "/page.js": { headers: { "content-type": "text/javascript" }, body: script },
      "/stock": { body: "12" },
      "/favicon.ico": { body: "" },
    };
    site = await openSite((path) => {
      const { pathname, searchParams } = new URL(path, "http://site.example");
      if (pathname === "/") return { body: createShopPage(searchParams.get("options") ?? "{}") };
      const page = pages[pathname];
      if (page !== undefined) return page;
      return { forwardTo: `${errata.url}${pathname === "/tunnel" ? "/monitoring" : path}` };
    });
  });
  afterAll(async () => site?.close());
  return {
    get url() {
      return `http://localhost:${site.port}`;
    },
    async visit(options) {
      const page = await chromium.open();
      const visit = { page, sent: recordRequests(page), cors: recordCorsErrors(page) };
      await page.goto(`${this.url}/?options=${encodeURIComponent(JSON.stringify(options))}`);
      return visit;
    },
  };
}

/** The id of the first event that was sent, once it has a response. */
export function waitForEventId(sent: readonly SentEnvelope[]): Promise<string> {
  return eventually(() => {
    const event = sent.find(({ items }) => items.includes("event"));
    expect(event?.id, "the id of an event that was sent").toMatch(/^[0-9a-f]{32}$/);
    return event?.id ?? "";
  });
}

declare global {
  interface Window {
    flushSentry(): Promise<boolean>;
  }
}

function createShopPage(options: string): string {
  return `<!doctype html><html lang="en"><title>The shop</title><body>
<script>window.sentryOptions = ${options}</script><script src="/page.js"></script>`;
}
