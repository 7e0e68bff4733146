/** `errata/astro`: the integration of Astro, for the server and the browser. */

import type { BrowserOptions } from "./browser.ts";

/** Options of the integration. */
export interface AstroOptions {
  /** Options of the browser's reporter that JSON can hold. Without them, the server alone reports. */
  readonly browser?: Pick<BrowserOptions, "to" | "release" | "environment" | "sample" | "fetches">;
}

/** The part of Astro's setup that the integration uses. */
interface Setup {
  readonly addMiddleware: (middleware: { order: "pre"; entrypoint: string }) => void;
  readonly injectScript: (stage: "page", content: string) => void;
}

/** The integration: it adds the middleware before all others, and the reporter to each page. */
export function errata({ browser }: AstroOptions = {}) {
  const setUp = ({ addMiddleware, injectScript }: Setup) => {
    addMiddleware({ order: "pre", entrypoint: "errata/astro/middleware" });
    if (browser === undefined) return;
    const [module, options] = ["errata/browser", browser].map((value) => JSON.stringify(value));
    injectScript("page", `import { startErrata } from ${module}; startErrata(${options});`);
  };
  return { name: "errata", hooks: { "astro:config:setup": setUp } };
}
