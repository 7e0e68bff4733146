// The team's Node program with @sentry/node, set up as its documentation says. The environment
// provides SENTRY_DSN, SENTRY_RELEASE and SENTRY_ENVIRONMENT; the argument names the error.

import * as Sentry from "@sentry/node";

Sentry.init();
process.on("exit", () => console.log(`event ${Sentry.lastEventId()}`));

/** Larger than 32 KiB, the limit above which the SDK compresses. */
const receiptChars = 40_000;

/** @param {string} order */
function ship(order) {
  throw new RangeError(`order ${order} has no address`);
}

/** @type {Record<string, () => void>} */
const mistakes = {
  uncaught: () => ship("A-17"),
  rejection: () => void Promise.resolve("B-4").then(ship),
  large: () => {
    Sentry.setExtra("receipt", "0123456789".repeat(receiptChars / 10));
    Sentry.addBreadcrumb({ category: "order", message: "the receipt was printed" });
    try {
      ship("C-9");
    } catch (cause) {
      Sentry.captureException(new Error("the parcel stays here", { cause }));
    }
  },
  message: () => void Sentry.captureMessage("the store is full", "warning"),
};

mistakes[process.argv[2] ?? ""]?.();
// Nothing else keeps the process running; captured events must be sent before it exits.
await Sentry.flush(5_000);
