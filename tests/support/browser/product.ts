/** The built product and a browser, for end-to-end tests. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { serve } from "../../../.tools/local/serve.ts";
import { createLaunchOptions } from "./chromium.ts";
import { type ReusedPages, reusePages } from "./reused-pages.ts";

/** The running product and its browser. */
interface Product {
  readonly url: string;
  /** Opens a page like one in a new context, until the end of the test. */
  readonly open: (options?: BrowserContextOptions) => Promise<Page>;
  /** Opens a page that keeps its cookies, storage and cache until the end of the file. */
  readonly openForFile: (options?: BrowserContextOptions) => Promise<Page>;
  /** The JSON at a path of the web interface. */
  readonly json: (path: string) => Promise<Record<string, unknown>>;
}

let launched: Promise<Browser> | undefined;

/**
 * Resolves to the browser of this process, which all test files that it runs share. It is started
 * once, and ends with the process.
 */
export function shareBrowser(): Promise<Browser> {
  launched ??= createLaunchOptions().then((options) => chromium.launch(options));
  return launched;
}

/** Serves the product with an empty store, for all tests of a file. */
export function openProduct(options: { readonly serverKey?: string } = {}): Product {
  let served: Awaited<ReturnType<typeof serve>>;
  let pages: ReusedPages | undefined;
  const opened: Page[] = [];
  beforeAll(async () => {
    served = await serve({
      key: "0123456789abcdef0123456789abcdef",
      ...options,
      vars: { ERRATA_RELEASE: "1.4.0" },
      isLocalOpen: true,
    });
  });
  // Open pages keep their live connections, which slow the tests after them.
  afterEach(() => pages?.returnAll());
  afterAll(async () => {
    await Promise.all(opened.map((page) => page.context().close()));
    await pages?.close();
    await served?.stop();
  });
  return {
    get url() {
      return served.url;
    },
    async open(options = {}) {
      pages ??= reusePages(await shareBrowser(), served.url);
      return pages.take(options);
    },
    async openForFile(options = {}) {
      const page = await (await shareBrowser()).newPage({ baseURL: served.url, ...options });
      opened.push(page);
      return page;
    },
    async json(path) {
      const response = await fetch(`${served.url}${path}`, {
        headers: { accept: "application/json" },
      });
      return (await response.json()) as Record<string, unknown>;
    },
  };
}
