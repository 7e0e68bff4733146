// The requests of the benchmark. Reports with the same bytes would count once, so each body has a
// different id or position. The same number gives the same body, except for its time.

import { type Capture, readCapture, readText } from "../reports/captures.ts";
import { eventCapture } from "../reports/event-envelope.ts";
import { createMixEvent, type Mix } from "../reports/mix-events.ts";
import { createId, createMarker } from "../reports/names.ts";
import { createEvent, type Known, type Spread } from "../reports/spread-events.ts";
import { SERVER_KEY } from "./plain-workerd.ts";

/** A page, with the expected status, by default 200. */
interface Page {
  kind: "page";
  path: string;
  status?: number;
}
export type Ask =
  | Page
  | { kind: "event"; mix: Mix }
  | { kind: "upload" }
  | { kind: "policy" }
  | Spread
  | Known;

interface Request {
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  /** The `n`th body. `id` is the id of its event, or "" if the Worker creates one. */
  body?: (n: number) => { id: string; body: string };
}

const ENVELOPES = `/api/1/envelope/?sentry_version=7&sentry_key=${SERVER_KEY}&sentry_client=sentry.javascript.browser%2F11.12.0`;
/**
 * Cloudflare adds the address. A request without one comes from this machine and needs no sign-in.
 */
const ADDRESS = { "cf-connecting-ip": "203.0.113.7" };

/** Headers that mark a request as a page's. With a server key, such a request is refused. */
const FROM_BROWSER = /^(?:origin|referer|sec-.*)$/i;

const upload = readCapture("reports.mixed-batch.default-endpoint");
const policy = readCapture("csp-report-uri.inline-script");

/** The request for `ask`. */
export function createRequest(ask: Ask): Request {
  if (ask.kind === "page") {
    return { method: "GET", path: ask.path, headers: { accept: "text/html" } };
  }
  if (ask.kind === "event") {
    return {
      ...post(ENVELOPES, eventCapture, FROM_BROWSER),
      body(n) {
        const id = createId(1, `${ask.mix} ${n}`);
        return { id, body: createMixEvent(ask.mix, n, id) };
      },
    };
  }
  if (ask.kind === "spread" || ask.kind === "known") {
    return {
      method: "POST",
      path: `/monitoring?sentry_key=${SERVER_KEY}`,
      headers: { "content-type": "application/x-sentry-envelope", ...ADDRESS },
      body: (n) => createEvent(ask, n),
    };
  }
  if (ask.kind === "upload") {
    return {
      ...post("/monitoring", upload),
      body: (n) => ({
        id: "",
        body: readText(upload).replace(/"columnNumber":\d+/g, `"columnNumber":${n}`),
      }),
    };
  }
  return {
    ...post("/monitoring", policy),
    body: (n) => ({
      id: "",
      body: readText(policy).replace('"script-sample":""', `"script-sample":"${createMarker(n)}"`),
    }),
  };
}

/**
 * A request to `path` with the headers of the capture's client, except those of its connection and
 * those that match `without`.
 */
function post(path: string, { request }: Capture, without = /^$/) {
  const headers = (request?.headers ?? []).filter(
    ([name]) => !/^(?:host|connection|content-length)$/i.test(name) && !without.test(name),
  );
  return {
    method: "POST" as const,
    path,
    headers: { ...Object.fromEntries(headers), ...ADDRESS },
  };
}
