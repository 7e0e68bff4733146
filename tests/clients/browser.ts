/**
 * Starts one Chromium for all tests of a file, and records what Sentry SDKs send from its pages.
 */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { createLaunchOptions } from "../support/browser/chromium.ts";
import { type Envelope, readEnvelope } from "./envelope.ts";

/** One envelope that a page has sent. */
export interface SentEnvelope extends Envelope {
  readonly url: string;
  /** The status of the response; 0 if there was none. */
  readonly status: number;
}

/** A running Chromium. */
export interface Chromium {
  /**
   * Opens a page in a context of its own. It closes with its test; a page opened outside a test
   * closes with the browser.
   */
  readonly open: (options?: BrowserContextOptions) => Promise<Page>;
}

/**
 * Starts the browser before the tests. `args` is called then, so it may depend on servers that
 * started before.
 */
export function openChromium(args: () => string[] = () => []): Chromium {
  let browser: Browser;
  let contexts: BrowserContext[] = [];
  beforeAll(async () => {
    browser = await chromium.launch(await createLaunchOptions(args()));
  });
  beforeEach(() => {
    contexts = [];
  });
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
  });
  afterAll(async () => browser?.close());
  return {
    async open(options = {}) {
      const context = await browser.newContext(options);
      contexts.push(context);
      return context.newPage();
    },
  };
}

/** The envelopes that this page sends from now on, each added when its response arrives. */
export function recordRequests(page: Page): SentEnvelope[] {
  const sent: SentEnvelope[] = [];
  const add = (url: string, body: Buffer | null, status: number) => {
    const envelope = body === null ? undefined : readEnvelope(body);
    if (envelope !== undefined) sent.push({ ...envelope, url, status });
  };
  page.on("response", (response) => {
    const request = response.request();
    add(request.url(), request.postDataBuffer(), response.status());
  });
  page.on("requestfailed", (request) => add(request.url(), request.postDataBuffer(), 0));
  return sent;
}

/** The CORS errors that this page logs to the console from now on. */
export function recordCorsErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && /CORS|Access-Control/i.test(text)) errors.push(text);
  });
  return errors;
}
