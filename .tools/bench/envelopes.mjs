// What is sent: an envelope that @sentry/browser sent (tests/fixtures), with as many frames and breadcrumbs as an application
// has, 4 KB of it. Each has an event id and a trace of its own; the mix says how many different faults there are.

import { wordOf } from "../torture/bodies.mjs";
import { captureOf, sentHeaders } from "./captures.mjs";

/** @typedef {"storm" | "mixed" | "distinct" | "hundred"} Mix `hundred` issues in turn make two pages of the list */

/** The mixes that what is written is measured with, in the order of the tables. @type {readonly Mix[]} */
export const mixes = ["storm", "mixed", "distinct"];

/** How many faults a mix has. @type {Readonly<Record<Mix, number>>} */
const FAULTS = { storm: 1, hundred: 100, mixed: 500, distinct: Number.POSITIVE_INFINITY };

const FRAMES = 10;
const BREADCRUMBS = 10;
const ID = "5aaeee40d56b46ecbfb342d868e140ef";
const TRACE = "907b860c8f4a4e538510cd6974d88cbc";
const FAULT = "click handler exploded";
const SENT_AT = "2026-11-21T16:08:33.736Z";

const captured = captureOf("sentry-browser.uncaught-error");
const [header = "", itemHeader = "", event = ""] = captured.body.split("\n");
const template = [header, itemHeader, JSON.stringify(padded(JSON.parse(event)))].join("\n");
const TIMESTAMP = /"timestamp":\d+\.\d+,"environment"/.exec(template)?.[0] ?? "";

/** The headers that a browser sends with it. */
export const headers = sentHeaders(captured);

/**
 * The envelope with this id, of the `n`th event of a mix.
 *
 * @param {Mix} mix
 * @param {number} n
 * @param {string} id 32 hex characters
 */
export function envelope(mix, n, id) {
  const nowMs = Date.now();
  return template
    .replaceAll(ID, id)
    .replaceAll(TRACE, id.slice(16) + id.slice(0, 16))
    .replaceAll(FAULT, `the ${wordOf(n % FAULTS[mix])} order was not found`)
    .replace(SENT_AT, new Date(nowMs).toISOString())
    .replace(TIMESTAMP, `"timestamp":${nowMs / 1000},"environment"`);
}

/** The event of the capture, with a deeper stack and a longer history. @param {any} event */
function padded(event) {
  const { frames } = event.exception.values[0].stacktrace;
  while (frames.length < FRAMES) {
    const n = frames.length;
    frames.unshift({ ...frames[n % 2], function: `Cart.update${n}`, lineno: 40 * n, colno: 7 * n });
  }
  const crumbs = event.breadcrumbs;
  for (let n = crumbs.length; n < BREADCRUMBS; n++) {
    crumbs.push({ ...crumbs[n % 4], timestamp: event.timestamp + n / 100 });
  }
  return event;
}
