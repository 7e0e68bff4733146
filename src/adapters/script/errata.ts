/**
 * `<script src="/monitoring/errata.js" data-errata data-release="1.4.0">`: starts the browser
 * reporter from the attributes of its own element. Reports go to `data-errata`, by default to the
 * folder of the script: `/monitoring`.
 */

import { startErrata } from "../browser.ts";

const script = document.currentScript as HTMLScriptElement;
const { errata, sample, fetches, ...options } = script.dataset;

startErrata({
  ...options,
  to: errata || script.getAttribute("src")?.replace(/\/[^/]*$/, ""),
  sample: Number(sample),
  fetches: fetches != null,
});
