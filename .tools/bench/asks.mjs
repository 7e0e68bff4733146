// What is asked of a Worker, in a word each that one process can tell another: an event of a mix, a browser's upload, a policy's
// report, a page. Here each becomes a request; what is sent twice would be counted once, so that no two have the same bytes.

import { idOf, markOf } from "../torture/bodies.mjs";
import { captureOf, sentHeaders } from "./captures.mjs";
import { envelope, headers as envelopeHeaders } from "./envelopes.mjs";
import { ENVELOPES } from "./rig.mjs";

/**
 * @typedef {{ kind: "event", mix: import("./envelopes.mjs").Mix } | { kind: "upload" } | { kind: "policy" }} Report
 * @typedef {{ kind: "page", path: string, status?: number, end?: string }} Page with what its answer must have: a status, by
 * default 200, and what stands at the end of every whole page
 * @typedef {Report | Page} Ask
 */
/** @typedef {{ id: string, body: string }} Sent the id by which an event can be looked up, empty where the Worker gives one */
/**
 * @typedef {object} Request
 * @property {"GET" | "POST"} method
 * @property {string} path
 * @property {Record<string, string>} headers
 * @property {(n: number) => Sent} [body] of the `n`th
 */

/** Where a browser sends its own reports. */
const MONITORING = "/monitoring";
/** Cloudflare adds the address. What comes without one comes from this machine, where the desk is open. */
const ADDRESS = { "cf-connecting-ip": "203.0.113.7" };

const upload = captureOf("reports.mixed-batch.default-endpoint");
const policy = captureOf("csp-report-uri.inline-script");
/** What tells an upload's reports from the last one's, and is no part of the fault. */
const COLUMN = /"columnNumber":\d+/g;

/** @param {Ask} ask @returns {Request} */
export function requestOf(ask) {
  if (ask.kind === "page")
    return { method: "GET", path: ask.path, headers: { accept: "text/html" } };
  const { path, headers, body } = posted(ask);
  return { method: "POST", path, headers: { ...headers, ...ADDRESS }, body };
}

/** @param {Report} report @returns {{ path: string, headers: Record<string, string>, body: (n: number) => Sent }} */
function posted(report) {
  if (report.kind === "event") {
    const { mix } = report;
    return {
      path: ENVELOPES,
      headers: envelopeHeaders,
      body: (n) => {
        const id = idOf(1, `${mix} ${n}`);
        return { id, body: envelope(mix, n, id) };
      },
    };
  }
  if (report.kind === "upload") {
    return {
      path: MONITORING,
      headers: sentHeaders(upload),
      body: (n) => ({ id: "", body: upload.body.replace(COLUMN, `"columnNumber":${n}`) }),
    };
  }
  return {
    path: MONITORING,
    headers: sentHeaders(policy),
    body: (n) => ({
      id: "",
      body: policy.body.replace('"script-sample":""', `"script-sample":"${markOf(n)}"`),
    }),
  };
}
