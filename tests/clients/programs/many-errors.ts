/**
 * A page that throws 60 different errors within six seconds, of which @sentry/browser reports each.
 * Their types differ, so that each is an issue. An earlier script sets the SDK's options in
 * `window.sentryOptions`.
 */
import * as Sentry from "@sentry/browser";

const ERRORS = 60;
const INTERVAL_MS = 100;

Sentry.init({ ...window.sentryOptions, maxBreadcrumbs: 10 });

for (let n = 0; n < ERRORS; n++) {
  setTimeout(() => {
    const error = new Error(`the cart is broken in its own way: ${"details ".repeat(200)}`);
    // Letters, because grouping ignores numbers.
    error.name = `Fault${String.fromCharCode(65 + Math.floor(n / 26), 65 + (n % 26))}Error`;
    throw error;
  }, n * INTERVAL_MS);
}
