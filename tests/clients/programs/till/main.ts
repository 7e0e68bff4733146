/** The team's page: @sentry/browser, and an uncaught error in another file of the source. */
import * as Sentry from "@sentry/browser";
import { Till } from "./money.ts";

declare global {
  interface Window {
    readonly sentryOptions: Sentry.BrowserOptions;
  }
}

Sentry.init(window.sentryOptions);

setTimeout(function openTill() {
  const till = new Till([{ lines: [{ price: 2, count: 3 }] }, {}]);
  document.title = String(till.totalOfCarts());
});
