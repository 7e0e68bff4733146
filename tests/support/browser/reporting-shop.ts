/**
 * A shop with the browser reporter: a site whose /monitoring forwards to Errata, as the rewrite of a
 * team's site does. Tests decide its pages.
 */

import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { openSite, type Site, type SiteResponse } from "../../clients/site.ts";

/** The public key of `openProduct`. */
const KEY = "0123456789abcdef0123456789abcdef";

/** A report as the browser sent it. */
export interface SentReport {
  readonly id: string;
  readonly how: string;
  readonly type: string;
  readonly message: string;
  readonly [member: string]: unknown;
}

/** A body that a page of the shop sent. */
export interface SentBody {
  readonly errata: 1;
  readonly reports: readonly SentReport[];
  readonly [member: string]: unknown;
}

interface Shop {
  readonly url: string;
  /** The tag of the reporter's script with further attributes. */
  readonly tag: (attributes?: string) => string;
  /** Serves a page, or another response, until the end of the test. Each test has its own paths. */
  readonly serve: (path: string, response: Partial<SiteResponse>) => void;
  /** The bodies that Errata has received from pages of this test. */
  readonly bodies: () => readonly SentBody[];
  /** The reports in these bodies. */
  readonly reports: () => readonly SentReport[];
}

/** Serves the shop for all tests of a file. `/errata.js` defines `errata`, the module's exports. */
export function openShop(product: { readonly url: string }): Shop {
  let site: Site;
  let module: string;
  const responses = new Map<string, SiteResponse>();
  beforeAll(async () => {
    module = await bundleForPage("../../../src/adapters/browser.ts", "errata");
    site = await openSite((path) => {
      const { pathname } = new URL(path, "http://shop.example");
      if (pathname.startsWith("/monitoring")) return { forwardTo: `${product.url}${path}` };
      const script = { headers: { "content-type": "text/javascript" }, body: module };
      if (pathname === "/errata.js") return script;
      return responses.get(pathname) ?? { status: 404, body: "" };
    });
  });
  afterAll(() => site?.close());
  beforeEach(() => responses.clear());
  // Pages of other tests may send when they are closed.
  const isOfTest = ({ reports: [first] }: SentBody) =>
    responses.has(new URL(String(first?.url)).pathname);
  const bodies = () =>
    site.forwarded
      .filter(({ method }) => method === "POST")
      .map(({ body }) => JSON.parse(body.toString()) as SentBody)
      .filter(isOfTest);
  return {
    get url() {
      return `http://127.0.0.1:${site.port}`;
    },
    tag: (attributes = "") =>
      `<script src="/monitoring/errata.js" data-errata="/monitoring?sentry_key=${KEY}" ${attributes}></script>`,
    serve: (path, response) => void responses.set(path, { body: "", ...response } as SiteResponse),
    bodies,
    reports: () => bodies().flatMap(({ reports }) => reports),
  };
}

/** A module as a classic script that defines `globalName`, for production. */
export async function bundleForPage(module: string, globalName: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(module, import.meta.url))],
    bundle: true,
    format: "iife",
    globalName,
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}
