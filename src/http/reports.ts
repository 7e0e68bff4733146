/**
 * Where reports come in: whatever browsers, SDKs and servers report, told apart by looking at the body. It answers when every
 * report is durable, as the sender's format wants to be answered; never with a redirect, and with `Retry-After` only when
 * it means "stop".
 */
import { createMiddleware } from "hono/factory";
import { limits } from "../core/limits.ts";
import { present } from "../core/present.ts";
import { keysOf } from "../core/registry/keyring.ts";
import type { Result } from "../core/result.ts";
import { type IngestContext, type Ingested, ingest } from "../ingest.ts";
import { issueAbout } from "./about.ts";
import { admitAddress, admitReports } from "./admission.ts";
import { answerOf } from "./answers.ts";
import { readBody } from "./body.ts";
import { toldTrace } from "./correlation.ts";
import { type Failure, failureResponse } from "./failures.ts";
import { type OtlpRequest, otlpFailed, otlpRequest, otlpResponse } from "./otlp.ts";
import { mayBeTunnel, type ReportingRoute, reportingRoute, tunnelOf } from "./reporting-route.ts";
import { DESK_CACHE, NOT_EMBEDDED } from "./security.ts";
import type { AppContext, AppEnv } from "./services.ts";

/** Cross-origin clients may post, and read what an SDK looks at (relay-server/src/middlewares/cors.rs). */
const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "X-Sentry-Error, X-Sentry-Rate-Limits, Retry-After, Errata-Outcome",
} as const;

/**
 * Takes what is sent to a path for reports. Every other request goes on to the next handler; no other site may embed its answer,
 * and no cache may keep it, unless the handler says otherwise.
 *
 * Answers to reports carry no `Cache-Control: no-store`: with it Chromium counts a `keepalive` request against its quota of 64 KiB
 * until the page has read the answer's body, which SDKs do not. Answers to POST are not cached without a lifetime (RFC 9111 § 4.2.2).
 */
export const takeReports = createMiddleware<AppEnv>(async function takeReports(c, next) {
  const url = new URL(c.req.url);
  const route = reportingRoute(url.pathname) ?? (await tunnelRoute(c, url));
  if (route === null) {
    await next();
    for (const [name, value] of Object.entries(NOT_EMBEDDED)) c.res.headers.set(name, value);
    if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", DESK_CACHE);
    return;
  }
  if (c.req.method === "OPTIONS") return preflight();
  const response =
    c.req.method === "POST"
      ? await receive(c, route, url)
      : failureResponse({ reason: "method", allow: ["POST", "OPTIONS"] });
  for (const [name, value] of Object.entries(CORS)) response.headers.set(name, value);
  return response;
});

async function receive(c: AppContext, route: ReportingRoute, url: URL): Promise<Response> {
  const otlp = otlpRequest(route, c.req.raw.headers);
  const taken = await take(c, route, url, otlp);
  if (!taken.ok) return otlp ? otlpFailed(otlp, taken) : failureResponse(taken);
  return otlp ? otlpResponse(otlp, taken.value) : answerOf(taken.value);
}

async function take(
  c: AppContext,
  route: ReportingRoute,
  url: URL,
  otlp: OtlpRequest | null,
): Promise<Result<Ingested, Failure>> {
  const opened = c.get("services");
  const address = await admitAddress(opened, c.req.raw);
  if (!address.ok) return address;
  const body = await readBody(c.req.raw);
  // No bytes at all are a whole protobuf message: an export of nothing.
  const isNothing = otlp?.encoding === "protobuf" && !body.ok && body.reason === "empty";
  if (!body.ok && !isNothing) return body;
  const bytes = body.ok ? body.value : new Uint8Array();
  const admitted = await admitReports(opened, { url, headers: c.req.raw.headers }, route, bytes);
  if (!admitted.ok) return admitted;
  const { project, keyed } = admitted.value;
  const services = project === opened.config.project ? opened : opened.of(project);
  const ingested = await ingest(bytes, {
    log: services.log,
    nowMs: services.nowMs(),
    mintId: services.mintId,
    sha256: services.sha256,
    scrub: services.config.scrub,
    digestOf: (id) => issueAbout(services.desk, id),
    said: saidOf(c, url),
    keyed,
    // Hashed when it is asked for: a report with an id of its own needs none, and this saves one of three hashes.
    get sender() {
      return senderOf(c);
    },
    visitor: `${c.req.header("cf-connecting-ip") ?? ""} ${c.req.header("user-agent") ?? ""}`,
    ...(otlp?.encoding === "protobuf" && { protobuf: otlp.signal }),
    ...present({
      userAgent: c.req.header("user-agent"),
      rayId: c.req.header("cf-ray"),
      referer: c.req.header("referer"),
    }),
  });
  if (!ingested.ok && ingested.reason === "log-unavailable") services.logProblem(ingested.cause);
  return ingested;
}

/**
 * What the request says of its reports: the page that the browser was on, and for CSP's own reports the release and the
 * environment in the query (relay-server/src/endpoints/security_report.rs).
 */
function saidOf(c: AppContext, { searchParams }: URL): NonNullable<IngestContext["said"]> {
  const said = (name: string) => searchParams.get(name)?.slice(0, limits.maxStringChars);
  return present({
    pageTraceId: toldTrace(c),
    release: said("sentry_release"),
    environment: said("sentry_environment"),
  });
}

/** One of 65,536 classes of addresses: enough to tell two visitors' reports apart, and no address. */
function senderOf(c: AppContext): string {
  const { sha256 } = c.get("services");
  const [first = 0, second = 0] = sha256(c.req.header("cf-connecting-ip") ?? "");
  return `${first}.${second}`;
}

/** The preflight of a cross-origin upload: `application/reports+json` is no simple content type. */
function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...CORS,
      "Access-Control-Allow-Methods": "POST",
      "Access-Control-Allow-Headers":
        "content-type, content-encoding, authorization, x-sentry-auth, x-requested-with, sentry-trace, baggage",
      "Access-Control-Max-Age": "3600",
    },
  });
}

/** The managed tunnel path of a DSN at this address, of any key; null for another path. Pages are asked for by GET, and skip this. */
async function tunnelRoute(c: AppContext, { host, pathname }: URL): Promise<ReportingRoute | null> {
  if (c.req.method === "GET" || !mayBeTunnel(pathname)) return null;
  const { config, registry, nowMs } = c.get("services");
  const known = await registry.copy().catch(() => null);
  const keys = [
    ...(config.ingestKey === undefined ? [] : [{ key: config.ingestKey, project: config.project }]),
    ...(known === null ? [] : keysOf(known, nowMs())),
  ];
  return tunnelOf(
    pathname,
    keys.flatMap(({ key, project }) =>
      ["http", "https"].map((protocol) => `${protocol}://${key}@${host}/${project}`),
    ),
  );
}
