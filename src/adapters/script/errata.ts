/**
 * `<script src="/monitoring/errata.js" data-errata data-release="1.4.0">`: starts the browser
 * reporter from the attributes of its own element. Reports go to `data-errata`, by default to the
 * folder of the script: `/monitoring`.
 */

import { type BrowserOptions, startErrata } from "../browser.ts";

const script = document.currentScript as HTMLScriptElement;
const { errata, fetches, ...options } = script.dataset;

startErrata({
  // The share of page views is a text, which is compared as a number.
  ...(options as BrowserOptions),
  to: errata || script.getAttribute("src")?.replace(/\/[^/]*$/, ""),
  fetches: fetches != null,
});
