// Reports of every format and trust level, as real clients send them to a running store.

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../.tools/install.mjs";
import { listCaptures, readCapture, toRequest } from "../../../.tools/reports/captures.ts";
import type { Neighbor } from "../../../.tools/workerd/config.ts";
import type { Visitor } from "./visitor.ts";

const SHOP = "https://shop.example";
const MINUTE_MS = 60_000;

/** How a sender proves what it is: a query, and headers. */
export interface Sender {
  readonly query: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page token, as an adapter signs it. */
export function signPage(serverKey: string, project: string, nowMs: number, page = 1): string {
  const claims = Buffer.alloc(14);
  const hash = createHash("sha256").update(serverKey).digest();
  claims.set([0x10, hash[0] ?? 0]);
  claims.writeUInt32BE(Math.floor((nowMs - Date.UTC(2020, 0, 1)) / MINUTE_MS), 2);
  claims.writeUInt32BE(page, 6);
  const hmac = createHmac("sha256", hash).update(claims).update(`${project}|${SHOP}|0`);
  return Buffer.concat([claims, hmac.digest().subarray(0, 12)]).toString("base64url");
}

/** A visitor of a site, by the last byte of the address. */
export const fromNetwork = (network: number): Sender["headers"] => ({
  "cf-connecting-ip": `203.0.${network}.7`,
});

/** Sends a body to the ingest path of a project. */
export async function send(
  stranger: Visitor,
  body: BodyInit,
  { query, headers }: Sender,
  path = "/monitoring",
): Promise<string> {
  const url = `${path}?${new URLSearchParams(query)}`;
  return (
    await stranger.request(url, { method: "POST", body, ...(headers && { headers }) })
  ).text();
}

/** A Sentry envelope with events. */
export function toEnvelope(events: readonly object[]): string {
  return `{}\n${events.map((event) => `{"type":"event"}\n${JSON.stringify(event)}\n`).join("")}`;
}

/** The bodies that a test chooses: an error with an id, a trace, a user and tags. */
export function createEvent(
  name: string,
  { n = 0, atMs, ...fields }: { n?: number; atMs: number } & Record<string, unknown>,
) {
  const id = createHash("md5").update(`${name} ${n}`).digest("hex");
  return {
    event_id: id,
    timestamp: atMs / 1000,
    platform: "node",
    environment: n % 3 === 2 ? "staging" : "production",
    transaction: `GET /${name}/[id]`,
    user: { id: `customer-${n % 7}` },
    tags: { region: ["eu", "us"][n % 2], tier: "gold" },
    contexts: { trace: { trace_id: createHash("md5").update(`trace ${name} ${n}`).digest("hex") } },
    exception: {
      values: [
        {
          type: "TypeError",
          value: `${name} is not a function`,
          stacktrace: {
            frames: [
              { filename: "/srv/shop/app/main.ts", function: "main", lineno: 3, in_app: true },
              { filename: `/srv/shop/app/${name}.ts`, function: name, lineno: 20, in_app: true },
            ],
          },
        },
      ],
    },
    ...fields,
  };
}

const SERVER_SDK = /^(?:sentry-(?:cloudflare|go|java|node|php|python|ruby)|next\.route)/;

/** Sends every capture in tests/fixtures: of servers with their key, of browsers in turn. */
export async function sendCaptures(
  stranger: Visitor,
  { server, browsers }: { server: Sender; browsers: readonly Sender[] },
): Promise<void> {
  for (const [n, name] of listCaptures().entries()) {
    const browser = browsers[n % browsers.length] ?? server;
    const { query, headers } = SERVER_SDK.test(name) ? server : browser;
    const request = toRequest(readCapture(name));
    const captured = Object.fromEntries((request.headers as [string, string][]) ?? []);
    await stranger.request(`/monitoring?${new URLSearchParams(query)}`, {
      ...request,
      headers: { ...captured, ...headers },
    });
  }
}

/** Sends the captured logs and traces of OpenTelemetry. */
export async function sendOtlp(stranger: Visitor, key: string): Promise<void> {
  for (const name of ["node.logs-json", "node.logs-proto", "node.traces-json", "web.logs-json"]) {
    const capture = JSON.parse(
      readFileSync(join(root, "tests/fixtures/otlp", `${name}.json`), "utf8"),
    );
    const type = name.endsWith("proto") ? "application/x-protobuf" : "application/json";
    const path = name.includes("logs") ? "/v1/logs" : "/v1/traces";
    const body = capture.bodyBase64 ? Buffer.from(capture.bodyBase64, "base64") : capture.body;
    const headers = { "content-type": type, authorization: `Bearer ${key}` };
    await stranger.request(path, { method: "POST", headers, body });
  }
}

/** Sends a crash as the native SDK does, and a form of `showReportDialog` about an event. */
export async function sendForms(stranger: Visitor, key: string, aboutId: string): Promise<void> {
  const form = new FormData();
  const facts = { event_id: createHash("md5").update("crash").digest("hex"), release: "till@1.2" };
  form.set("sentry", JSON.stringify(facts));
  form.set("upload_file_minidump", new File(["MDMP", new Uint8Array(300)], "till.dmp"));
  await stranger.request(`/api/1/minidump/?sentry_key=${key}`, { method: "POST", body: form });
  const dsn = encodeURIComponent(`https://${key}@errata.example/1`);
  const body = new URLSearchParams({
    ...{ name: "Erika", email: "erika@example.com" },
    comments: "The cart was empty after the second click.",
  });
  const path = `/api/embed/error-page/?eventId=${aboutId}&dsn=${dsn}`;
  await stranger.request(path, { method: "POST", body });
}

/** A Worker whose tail consumer the store is; each request fails. */
export const TAILED: Neighbor = {
  name: "till",
  isTailed: true,
  script: `export default {
    async fetch() {
      console.error("Till failed:", new RangeError("no such till"));
      throw new TypeError("the drawer is not closed");
    },
  };`,
};
