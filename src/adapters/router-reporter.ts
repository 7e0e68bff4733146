/**
 * The browser reporter for routers that tell several callbacks about one failure of the server: an
 * unhandled rejection, a boundary and React's recovery. Each digest is reported once a view.
 */

import { type BrowserOptions, startErrata } from "./browser.ts";

/** Starts the reporter. Further calls do nothing. */
export function startRouterReporter(options: BrowserOptions = {}): void {
  const { beforeSend = (report) => report } = options;
  const seen = new Set<unknown>();
  addEventListener("pageshow", ({ persisted }) => persisted && seen.clear());
  startErrata({
    ...options,
    beforeSend(report) {
      const { digest } = report;
      if (digest !== undefined && seen.has(digest)) return null;
      seen.add(digest);
      return beforeSend(report);
    },
  });
}
