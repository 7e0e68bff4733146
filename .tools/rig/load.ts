// The load: requests of some kinds over several connections, each of which sends its next request
// after the answer to the last one. A run ends when all of its requests are answered, so that the
// Worker stores nothing without an acknowledgement.

import { computeQuantile } from "../command/figures.ts";
import { runInLanes } from "../command/tasks.ts";
import { type Capture, readCapture, readText } from "../reports/captures.ts";
import { createMixEvent, createSpreadEvent, eventCapture, type Mix } from "../reports/events.ts";
import { createMarker } from "../reports/names.ts";
import type { Client } from "./client.ts";
import { SERVER_KEY } from "./plain-workerd.ts";

/** Requests that differ in their bodies only. */
export interface Requests {
  method: "GET" | "POST";
  path: string;
  headers: Readonly<Record<string, string>>;
  /** The status of an expected answer. */
  status: number;
  /** The `n`th body. Reports with the same bytes would count once, so all are different. */
  body?: (n: number) => string;
}

/** Cloudflare adds the address. Without one, a request comes from this machine. */
const ADDRESS = { "cf-connecting-ip": "203.0.113.7" };
const OF_CONNECTION = /^(?:host|connection|content-length)$/i;
/** These mark a request as a page's. With a server key, such a request is refused. */
const OF_BROWSER = /^(?:host|connection|content-length|origin|referer|sec-.*)$/i;
const upload = readCapture("reports.mixed-batch.default-endpoint");
const policy = readCapture("csp-report-uri.inline-script");

export function openPage(path: string, status = 200): Requests {
  return { method: "GET", path, headers: { accept: "text/html" }, status };
}

/** Events as @sentry/browser sends them. */
export function sendEvents(mix: Mix): Requests {
  const client = "sentry_client=sentry.javascript.browser%2F11.12.0";
  const path = `/api/1/envelope/?sentry_version=7&sentry_key=${SERVER_KEY}&${client}`;
  const headers = copyHeaders(eventCapture, OF_BROWSER);
  return { method: "POST", path, headers, status: 200, body: (n) => createMixEvent(mix, n) };
}

/** The events of a growing project, of which a share has a new issue. */
export function sendSpread(share: number): Requests {
  return { ...sendEvents("storm"), body: (n) => createSpreadEvent(share, n) };
}

/** Chromium's upload of eight reports. */
export function sendUploads(): Requests {
  const text = readText(upload);
  return {
    ...{ method: "POST", path: "/monitoring", headers: copyHeaders(upload), status: 204 },
    body: (n) => text.replace(/"columnNumber":\d+/g, `"columnNumber":${n}`),
  };
}

/** Chromium's report of a violated policy. */
export function sendPolicyReports(): Requests {
  const text = readText(policy);
  return {
    ...{ method: "POST", path: "/monitoring", headers: copyHeaders(policy), status: 204 },
    body: (n) => text.replace('"script-sample":""', `"script-sample":"${createMarker(n)}"`),
  };
}

function copyHeaders({ request }: Capture, without = OF_CONNECTION) {
  const headers = (request?.headers ?? []).filter(([name]) => !without.test(name));
  return { ...Object.fromEntries(headers), ...ADDRESS };
}

export interface Sent {
  /** Requests with the expected answer. */
  answered: number;
  /** How often each other status was the answer; 0 is none. */
  failures: ReadonlyMap<number, number>;
  /** The time until the last answer. */
  tookMs: number;
  p50Ms: number;
  p99Ms: number;
  /** The number of the next body. */
  nextN: number;
}

interface Run {
  connections: number;
  /** The number of the first body. */
  firstN?: number;
  /** The number of requests. */
  amount?: number;
  /** No request begins later. */
  ms?: number;
}

/** Sends requests until the amount or the time is reached. */
export async function sendLoad(client: Client, requests: Requests, run: Run): Promise<Sent> {
  const { connections, firstN = 0, amount = Infinity, ms = Infinity } = run;
  const { body, status: expected, ...request } = requests;
  const failures = new Map<number, number>();
  const times: number[] = [];
  const beganMs = performance.now();
  let nextN = firstN;
  const numbers = function* () {
    while (nextN < firstN + amount && performance.now() < beganMs + ms) yield nextN++;
  };
  await runInLanes(numbers(), connections, async (n) => {
    const sentMs = performance.now();
    const { status } = await client.send({ ...request, body: body?.(n) });
    if (status === expected) times.push(performance.now() - sentMs);
    else failures.set(status, (failures.get(status) ?? 0) + 1);
  });
  return {
    ...{ answered: times.length, failures, nextN, tookMs: performance.now() - beganMs },
    ...{ p50Ms: computeQuantile(times, 0.5), p99Ms: computeQuantile(times, 0.99) },
  };
}
