/**
 * Receives reports from browsers, SDKs and servers. It responds when every report is durable, in
 * the sender's format, never with a redirect. It sends `Retry-After` only to make the sender stop.
 */
import type { MiddlewareHandler } from "hono";
import { listActivePublicKeys } from "../../core/accounts/ingest-keys.ts";
import { toSenderNetwork, toSenderProvider } from "../../core/client-network.ts";
import { asText } from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import { fail, type Result } from "../../core/result.ts";
import { PAGE_TOKEN_PARAMETER } from "../../core/scrubbing/own-secrets.ts";
import { createNetworkSketch } from "../../core/stats/network-sketch.ts";
import { type IngestResult, ingest } from "../../ingest/ingest.ts";
import type { IngestContext } from "../../ingest/ingest-context.ts";
import type { ParseOptions } from "../../ingest/parse-body.ts";
import { findDsnHeader } from "../../ingest/sentry/envelope.ts";
import type { AppContext, AppEnv, Services } from "../context.ts";
import { toFailureResponse } from "../failure-response.ts";
import type { Failure } from "../failures.ts";
import { readPageTrace } from "../page-trace-cookie.ts";
import { type BodyStart, readBodyStart } from "../read-body.ts";
import { reportThrown } from "../report-own-failures.ts";
import { createGlobalHeaders, NO_STORE, SAME_ORIGIN_RESOURCE } from "../security-headers.ts";
import { admitHead, admitReports, chargeReports, type IngestRequest } from "./admission.ts";
import {
  findTunnelRoute,
  type IngestRoute,
  isTunnelCandidate,
  parseIngestRoute,
} from "./endpoints.ts";
import { respondWithDialog, toUserReport } from "./error-page.ts";
import { findIssueOfEvent } from "./issue-of-event.ts";
import {
  type OtlpRequest,
  parseOtlpRequest,
  toOtlpFailureResponse,
  toOtlpResponse,
} from "./otlp-endpoint.ts";
import { createPageReportFinder } from "./page-reports.ts";
import { countRefused } from "./paused-reports.ts";
import { findReportSettings } from "./registry-copy.ts";
import { toIngestResponse } from "./responses.ts";

/**
 * Cross-origin clients may post and read the headers that SDKs need
 * (relay-server/src/middlewares/cors.rs).
 */
const CORS_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "X-Sentry-Error, X-Sentry-Rate-Limits, Retry-After, Errata-Outcome",
} as const;

/**
 * Handles requests to ingest paths. Other requests go to the next handler; by default their
 * responses must not be embedded by other sites or cached.
 *
 * Responses to reports have no `Cache-Control: no-store`: with it Chromium counts a `keepalive`
 * request against its quota of 64 KiB until the page has read the response body, which SDKs do not
 * read. Responses to POST are not cached without a lifetime (RFC 9111 § 4.2.2).
 */
export const receiveReports: MiddlewareHandler<AppEnv> = async (c, next) => {
  const url = new URL(c.req.url);
  const route =
    parseIngestRoute(url.pathname, url.searchParams) ?? (await resolveTunnelRoute(c, url));
  if (route === null) {
    await next();
    for (const [name, value] of Object.entries(SAME_ORIGIN_RESOURCE))
      c.res.headers.set(name, value);
    if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", NO_STORE);
    return;
  }
  if (c.req.method === "OPTIONS") return respondToPreflight();
  if (c.req.method === "POST")
    return respondToUpload(c.get("services"), { raw: c.req.raw, url, route }, CORS_HEADERS);
  const hasScript = route.endpoint === "error-page";
  if (hasScript && c.req.method === "GET") return respondWithDialog(CORS_HEADERS);
  const allow = hasScript ? ["GET", "POST", "OPTIONS"] : ["POST", "OPTIONS"];
  const refusal = { reason: "method-not-allowed", allow } as const;
  return respondToFailure(null, refusal, CORS_HEADERS);
};

/**
 * Handles a POST to an ingest path without the router, which would cost half as much as a bare
 * request. Null for any other request, and for a managed tunnel path.
 */
export function receiveUpload(
  raw: Request,
  url: URL,
  services: Services,
): Promise<Response> | null {
  if (raw.method !== "POST") return null;
  const route = parseIngestRoute(url.pathname, url.searchParams);
  if (route === null) return null;
  const headers = { ...CORS_HEADERS, ...createGlobalHeaders(url), Vary: "Accept" };
  return respondToUpload(services, { raw, url, route }, headers);
}

/**
 * The failure response of an ingest path, in the sender's format and readable by pages of other
 * origins; null for other paths, and for managed tunnel paths.
 */
export async function refuseReports(raw: Request, failure: Failure): Promise<Response | null> {
  const route = parseIngestRoute(new URL(raw.url).pathname);
  if (route === null) return null;
  if (raw.method === "OPTIONS") return respondToPreflight();
  return respondToFailure(parseOtlpRequest(route, raw.headers), failure, CORS_HEADERS);
}

/** A POST to an ingest path. */
interface Upload extends Omit<IngestRequest, "headers"> {
  readonly raw: Request;
}

/**
 * Responds with these headers and those of the result. A thrown error is reported and gets a
 * response like an expected one.
 */
async function respondToUpload(
  services: Services,
  upload: Upload,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const otlp = parseOtlpRequest(upload.route, upload.raw.headers);
  const result = await ingestRequest(services, upload, otlp).catch((thrown: unknown) => {
    const digest = reportThrown(services, upload.raw, thrown, upload.route.endpoint);
    return fail({ reason: "internal-error" as const, status: 503 as const, digest });
  });
  if (!result.ok) return respondToFailure(otlp, result, headers);
  if (otlp === null) return toIngestResponse(result.value, headers);
  return addHeaders(toOtlpResponse(otlp, result.value), headers);
}

async function respondToFailure(
  otlp: OtlpRequest | null,
  failure: Failure,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const response = otlp ? toOtlpFailureResponse(otlp, failure) : toFailureResponse(failure);
  return addHeaders(await response, headers);
}

function addHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

async function ingestRequest(
  opened: Services,
  { raw, url, route }: Upload,
  otlp: OtlpRequest | null,
): Promise<Result<IngestResult, Failure>> {
  const { headers } = raw;
  const request = { url, headers, route };
  const head = await admitHead(opened, request);
  if (!head.ok) return head;
  const body = await readBodyStart(raw);
  // An empty body is a complete protobuf message: an empty export.
  const isEmptyProtobuf = otlp?.encoding === "protobuf" && !body.ok && body.reason === "empty";
  if (!body.ok && !isEmptyProtobuf) return body;
  const isErrorPage = route.endpoint === "error-page";
  const sent = body.ok ? body.value : { bytes: new Uint8Array() };
  const received = isErrorPage ? { bytes: toUserReport(sent.bytes, url.searchParams) } : sent;
  const firstLine = findDsnHeader(received.bytes);
  const admission = await admitReports(opened, request, head.value, asText(firstLine?.dsn));
  if (!admission.ok) return admission;
  const { bytes, cutBy } = admission.value.limitKey === "" ? cutKeylessBody(received) : received;
  const { project, trust, maxReports, refusal, keyId, registryCopy } = admission.value;
  const services = project === opened.config.project ? opened : opened.forProject(project);
  const address = headers.get("cf-connecting-ip") ?? "";
  const userAgent = headers.get("user-agent") ?? undefined;
  // Hashes on demand: reports with an id do not need the first, those of servers not the second.
  const getSender = once(() => toSenderId(services, address));
  const getPublicSender = once(() => {
    const networkSketch = toNetworkSketch(services, address, registryCopy?.secret);
    return omitUndefined({ networkSketch, senderKey: keyId });
  });
  const ingested = await ingest(bytes, {
    writer: services.reportWriter,
    nowMs: services.nowMs(),
    newId: services.newId,
    sha256: services.sha256,
    scrub: services.config.scrub,
    findDigest: (id) => findIssueOfEvent(services.projectStore, id),
    findPageReports: createPageReportFinder(services, headers, project),
    defaults: readDefaults(headers, url),
    trust,
    ...findReportSettings(registryCopy, project),
    ...omitUndefined({ maxReports, refusal, firstLine, cutBy }),
    charge: (reports) => chargeReports(opened, request, admission.value, reports, bytes.length),
    get sender() {
      return getSender();
    },
    userKey: `${address} ${userAgent ?? ""}`,
    get publicSender() {
      return getPublicSender();
    },
    ...(otlp?.encoding === "protobuf" && { protobufSignal: otlp.signal }),
    ...omitUndefined({
      pageToken: url.searchParams.get(PAGE_TOKEN_PARAMETER) ?? undefined,
      userAgent,
      rayId: headers.get("cf-ray") ?? undefined,
      referer: headers.get("referer") ?? undefined,
    }),
  });
  if (!ingested.ok && ingested.reason === "log-unavailable") services.logProblem(ingested.cause);
  if (!ingested.ok && ingested.reason === "key-paused") countRefused(services);
  return ingested;
}

/** A body without a key may be smaller. Of a larger one, only the beginning is read. */
function cutKeylessBody(
  received: BodyStart,
): Pick<BodyStart, "bytes"> & Pick<ParseOptions, "cutBy"> {
  const max = limits.maxKeylessBodyBytes;
  if (received.bytes.length <= max) return received;
  const ownLimit = { reason: "too-large", limit: "maxKeylessBodyBytes", max } as const;
  return { bytes: received.bytes.subarray(0, max), cutBy: received.cutBy ?? ownLimit };
}

/**
 * Defaults for the reports of a request: the page trace of the browser and, for CSP reports, the
 * release and environment in the query (relay-server/src/endpoints/security_report.rs).
 */
function readDefaults(
  headers: Headers,
  { searchParams }: URL,
): NonNullable<IngestContext["defaults"]> {
  return omitUndefined({
    pageTraceId: readPageTrace(headers),
    release: readParam(searchParams, "sentry_release"),
    environment: readParam(searchParams, "sentry_environment"),
  });
}

function readParam(searchParams: URLSearchParams, name: string): string | undefined {
  return searchParams.get(name)?.slice(0, limits.maxStringChars);
}

/**
 * The sender's network as a sketch; undefined without a secret, and without an address, as on a
 * local server. The secret keeps the network from being guessed.
 */
function toNetworkSketch(
  { sha256 }: Services,
  address: string,
  secret: string | undefined,
): string | undefined {
  const network = toSenderNetwork(address);
  if (secret === undefined || network === undefined) return undefined;
  const hash = (text: string) => sha256(`network\n${secret}\n${text}`);
  return createNetworkSketch(hash(network), hash(toSenderProvider(address) ?? network));
}

/** A function that returns the result of one call of `compute`. */
function once<T extends {}>(compute: () => T): () => T {
  let result: T | undefined;
  return () => {
    result ??= compute();
    return result;
  };
}

/** One of 65,536 classes of addresses: distinguishes visitors without storing an address. */
function toSenderId({ sha256 }: Services, address: string): string {
  const [first = 0, second = 0] = sha256(address);
  return `${first}.${second}`;
}

/** Responds to the preflight: `application/reports+json` is not a simple content type. */
function respondToPreflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...CORS_HEADERS,
      "Access-Control-Allow-Methods": "POST",
      "Access-Control-Allow-Headers":
        "content-type, content-encoding, authorization, x-sentry-auth, x-requested-with, sentry-trace, baggage",
      "Access-Control-Max-Age": "3600",
    },
  });
}

/** The key whose managed tunnel path this is; null for any other path. GET requests skip this. */
async function resolveTunnelRoute(
  c: AppContext,
  { host, pathname }: URL,
): Promise<IngestRoute | null> {
  if (c.req.method === "GET" || !isTunnelCandidate(pathname)) return null;
  const { config, registry, nowMs } = c.get("services");
  const registryCopy = await registry.readCopy().catch(() => null);
  const keys = [
    ...(config.ingestKey === undefined ? [] : [{ key: config.ingestKey, project: config.project }]),
    ...(registryCopy === null ? [] : listActivePublicKeys(registryCopy, nowMs())),
  ];
  return findTunnelRoute(
    pathname,
    keys.flatMap(({ key, project }) =>
      ["http", "https"].map((protocol) => `${protocol}://${key}@${host}/${project}`),
    ),
  );
}
