/** The built product and a browser, for end-to-end tests. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { serve } from "../../.tools/serve.ts";
import { createLaunchOptions } from "./chromium.ts";
import { type ReusedPages, reusePages } from "./reused-pages.ts";

/** The running product and its browser. */
interface Product {
  readonly url: string;
  /** Opens a page like one in a new context, until the end of the test. */
  readonly open: (options?: BrowserContextOptions) => Promise<Page>;
  /** The JSON at a path of the web interface. */
  readonly json: (path: string) => Promise<Record<string, unknown>>;
}

/** Serves the product with an empty store and starts a browser, for all tests of a file. */
export function openProduct(options: { readonly serverKey?: string } = {}): Product {
  let served: Awaited<ReturnType<typeof serve>>;
  let browser: Browser;
  let pages: ReusedPages;
  beforeAll(async () => {
    served = await serve({
      key: "0123456789abcdef0123456789abcdef",
      ...options,
      vars: { ERRATA_RELEASE: "1.4.0" },
      isLocalOpen: true,
    });
    browser = await chromium.launch(await createLaunchOptions());
    pages = reusePages(browser, served.url);
  });
  // Open pages keep their live connections, which slow the tests after them.
  afterEach(() => pages?.returnAll());
  afterAll(async () => {
    await browser?.close();
    await served?.stop();
  });
  return {
    get url() {
      return served.url;
    },
    open: (options = {}) => pages.take(options),
    async json(path) {
      const response = await fetch(`${served.url}${path}`, {
        headers: { accept: "application/json" },
      });
      return (await response.json()) as Record<string, unknown>;
    },
  };
}
