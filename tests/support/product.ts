/** The built product and a browser, for end-to-end tests. */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { serve } from "../../.tools/serve.ts";
import { createLaunchOptions } from "./chromium.ts";

/** The running product and its browser. */
interface Product {
  readonly url: string;
  /** Opens a page in a context of its own, which closes at the end of the test. */
  readonly open: (options?: BrowserContextOptions) => Promise<Page>;
  /** The JSON at a path of the web interface. */
  readonly json: (path: string) => Promise<Record<string, unknown>>;
}

/** Serves the product with an empty store and starts a browser, for all tests of a file. */
export function openProduct(options: { readonly serverKey?: string } = {}): Product {
  let served: Awaited<ReturnType<typeof serve>>;
  let browser: Browser;
  /** The contexts of the running test; null between tests. */
  let ofTest: BrowserContext[] | null = null;
  beforeAll(async () => {
    served = await serve({
      key: "0123456789abcdef0123456789abcdef",
      ...options,
      vars: { ERRATA_RELEASE: "1.4.0" },
      isLocalOpen: true,
    });
    browser = await chromium.launch(await createLaunchOptions());
  });
  beforeEach(() => {
    ofTest = [];
  });
  // Open pages keep their live connections, which slow the tests after them.
  afterEach(async () => {
    const contexts = ofTest ?? [];
    ofTest = null;
    await Promise.all(contexts.map((context) => context.close()));
  });
  afterAll(async () => {
    await browser?.close();
    await served?.stop();
  });
  return {
    get url() {
      return served.url;
    },
    async open(options = {}) {
      const context = await browser.newContext({ baseURL: served.url, ...options });
      ofTest?.push(context);
      return context.newPage();
    },
    async json(path) {
      const response = await fetch(`${served.url}${path}`, {
        headers: { accept: "application/json" },
      });
      return (await response.json()) as Record<string, unknown>;
    },
  };
}
