/** `errata/astro`: the integration of Astro, for the server and the browser. */

import type { BrowserOptions } from "./browser.ts";
import { loadBuiltin } from "./builtin-module.ts";

/** Options of the integration. */
export interface AstroOptions {
  /** Options of the browser's reporter that JSON can hold. Without them, the server alone reports. */
  readonly browser?:
    | Pick<BrowserOptions, "to" | "release" | "environment" | "sample" | "fetches">
    | undefined;
}

/** The part of Astro's setup that the integration uses. */
interface Setup {
  readonly command: string;
  readonly config: {
    readonly srcDir: URL;
    /** `static`: a page that is rendered on demand would make the application a server. */
    readonly output: string;
  };
  readonly addMiddleware: (middleware: { order: "pre"; entrypoint: string }) => void;
  readonly injectRoute: (route: { pattern: "/500"; entrypoint: string; prerender: false }) => void;
  readonly injectScript: (stage: "page", content: string) => void;
}

/**
 * The integration: it adds the middleware before all others, an error page unless the application
 * has one, and the reporter to each page.
 */
export function errata({ browser }: AstroOptions = {}) {
  const setUp = ({ command, config, addMiddleware, injectRoute, injectScript }: Setup) => {
    addMiddleware({ order: "pre", entrypoint: "errata/astro/middleware" });
    if (command === "build" && config.output === "server" && !hasErrorPage(config.srcDir))
      injectRoute({ pattern: "/500", entrypoint: "errata/astro/500", prerender: false });
    if (browser === undefined) return;
    const [module, options] = ["errata/browser", browser].map((value) => JSON.stringify(value));
    injectScript("page", `import { startErrata } from ${module}; startErrata(${options});`);
  };
  return { name: "errata", hooks: { "astro:config:setup": setUp } };
}

/** True if Astro finds a page for the status 500. */
function hasErrorPage(srcDir: URL): boolean {
  const files = loadBuiltin("node:fs") as { readdirSync(folder: URL): string[] };
  try {
    const pages = files.readdirSync(new URL("pages/", srcDir));
    return pages.some((name) => /^500(?:\.\w+)?$/.test(name));
  } catch {
    return false;
  }
}
