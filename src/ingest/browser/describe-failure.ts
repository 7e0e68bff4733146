/**
 * What a failure means, by how the reporter captured it and by its message: an error, one that React
 * recovered from, a script that a deployment has removed, or a resource or request that failed.
 * Pure.
 */

import type { ParsedReport } from "../../core/report.ts";
import { parseHost } from "../../core/url-host.ts";
import { stripQuery, toStableUrl } from "../decode/urls.ts";

/** An error as the reporter sent it. */
interface SentError extends Pick<ParsedReport, "side" | "type" | "message" | "stack"> {
  readonly how: string;
  /** The page. */
  readonly pageUrl: string | undefined;
  readonly status: number | undefined;
}

/** The members of its report. `how` is the value of a tag. */
interface DescribedFailure
  extends Pick<ParsedReport, "kind" | "type" | "message" | "level" | "fingerprint"> {
  readonly how: string;
}

const CHUNK_MESSAGE =
  /dynamically imported module|importing a module script failed|loading (?:css )?chunk/i;

/**
 * Errors that React's production build gives to `onRecoverableError`, and without one to `window`.
 * Source: scripts/error-codes/codes.json of React 19.3; 421 and 425 of React 18.3.
 */
const RECOVERED_MESSAGE = /^Minified React error #(?:418|419|42[1-5]|520);/;

/**
 * The item that counts an error which says nothing about a page: one in a script of another origin,
 * whose details browsers hide, and a note about layout. Undefined for any other error.
 */
export function findCountedItem({
  side,
  message,
  stack,
}: SentError): "script-error" | "resize-loop" | undefined {
  if (side === "server" || stack !== undefined) return undefined;
  if (/^Script error\.?$/.test(message)) return "script-error";
  return message.startsWith("ResizeObserver loop ") ? "resize-loop" : undefined;
}

/** What a report says about its failure, as issues show it. */
export function describeFailure(sent: SentError): DescribedFailure {
  const { side, how, type, message, pageUrl, status } = sent;
  const failure = { how, kind: "error", type, message, level: "error" } as const;
  if (how === "notice") return { ...failure, kind: "notice", type: "Notice", level: "info" };
  if (side === "server") return failure;
  switch (how) {
    case "resource":
      return describeResource(message, pageUrl);
    case "fetch":
      return describeFetch(message, pageUrl, status);
    case "recovered":
    case "mismatch":
      return { ...failure, kind: "recovered", level: "warning" };
    case "uncaught":
    case "rejection":
    case "caught":
      if (CHUNK_MESSAGE.test(message)) return { ...failure, how: "chunk" };
      if (how === "uncaught" && RECOVERED_MESSAGE.test(message))
        return { ...failure, how: "recovered", kind: "recovered", level: "warning" };
  }
  return failure;
}

/**
 * `script https://shop.example/assets/index-Cepvnn19.js`. An image that is missing harms nobody, and
 * files of other sites are often blocked by the visitor.
 */
function describeResource(message: string, pageUrl: string | undefined): DescribedFailure {
  const [, element = "resource", url = message] = /^(\w+) (.*)$/s.exec(message) ?? [];
  const isOwn = element !== "img" && isSameSite(url, pageUrl);
  return {
    how: "resource",
    kind: "network",
    type: "resource",
    message: `${element} ${stripQuery(url)}`,
    level: isOwn ? "error" : "warning",
    fingerprint: ["resource", element, toStableUrl(url), isOwn ? "own site" : "other site"],
  };
}

/** `POST https://shop.example/api/cart`. Without a response, the visitor may be offline. */
function describeFetch(
  message: string,
  pageUrl: string | undefined,
  status: number | undefined,
): DescribedFailure {
  const [, method = "GET", sentUrl = message] = /^(\w+) (.*)$/s.exec(message) ?? [];
  const url = URL.parse(sentUrl, pageUrl)?.href ?? sentUrl;
  return {
    how: "fetch",
    kind: "network",
    type: "fetch",
    message: `${method} ${stripQuery(url)}${status === undefined ? "" : `: ${status}`}`,
    level: status === undefined ? "warning" : "error",
    fingerprint: ["fetch", method, toStableUrl(url), status === undefined ? "failed" : "5xx"],
  };
}

/** True for the same domain: the last two labels of the hosts. */
function isSameSite(url: string, pageUrl = ""): boolean {
  const [domain, pageDomain] = [url, pageUrl].map((one) =>
    parseHost(one).split(".").slice(-2).join("."),
  );
  return domain === pageDomain;
}
