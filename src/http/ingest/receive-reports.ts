/**
 * Receives reports from browsers, SDKs and servers: parses a body into items, admits these, and
 * processes and stores them. It responds when every report is durable, in the sender's format,
 * never with a redirect. It sends `Retry-After` only to make the sender stop.
 */
import { listActivePublicKeys } from "../../core/accounts/ingest-keys.ts";
import { toSenderNetwork, toSenderProvider } from "../../core/client-network.ts";
import { asText } from "../../core/decode/as-type.ts";
import { decodeText } from "../../core/decode/parse-json.ts";
import { limits } from "../../core/limits.ts";
import type { ProcessingOptions } from "../../core/processing/process-report.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { createNetworkSketch } from "../../core/stats/network-sketch.ts";
import type { Outcome } from "../../core/stats/outcome.ts";
import {
  type EndpointProtocol,
  type IngestFormat,
  type IngestResult,
  type SenderResponse,
  toJsonResponse,
} from "../../ingest/format/ingest-format.ts";
import {
  type IngestBody,
  parseBody,
  type RequestContext,
  toIngestBody,
} from "../../ingest/parse-body.ts";
import { listAboutEvents, processItems, storeItems } from "../../ingest/process-items.ts";
import type { OpenedServices, Services } from "../context.ts";
import { toFailureResponse } from "../failure-response.ts";
import type { BodyFailure, Failure } from "../failures.ts";
import { readPageTrace } from "../page-trace-cookie.ts";
import { readBodyStart } from "../read-body.ts";
import { reportThrown } from "../report-own-failures.ts";
import { createGlobalHeaders, NO_STORE } from "../security-headers.ts";
import {
  type AdmittedSender,
  admitHead,
  admitItems,
  admitSender,
  type IngestRequest,
} from "./admission.ts";
import { KEY_HEADERS } from "./credentials.ts";
import {
  findEndpointFormat,
  findTunnelRoute,
  type IngestRoute,
  isTunnelCandidate,
  parseIngestRoute,
} from "./endpoints.ts";
import { findIssuesOfEvents } from "./issue-of-event.ts";
import { findReportSettings } from "./registry-copy.ts";

type ResponseHeaders = Readonly<Record<string, string>>;

/**
 * Cross-origin clients may post and read the headers that SDKs need
 * (relay-server/src/middlewares/cors.rs).
 */
const CORS_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "X-Sentry-Error, X-Sentry-Rate-Limits, Retry-After, Errata-Outcome",
} as const;

/** For the preflight: `application/reports+json` is not a simple content type. */
const PREFLIGHT_HEADERS = {
  "Access-Control-Allow-Methods": "POST",
  "Access-Control-Allow-Headers": [
    ...["content-type", "content-encoding", "authorization"],
    ...KEY_HEADERS.map(([name]) => name),
    ...["x-requested-with", "sentry-trace", "baggage"],
  ].join(", "),
  "Access-Control-Max-Age": "3600",
} as const;

/**
 * The response to a request to an ingest path; null for other paths. Without services, the response
 * is the failure in the sender's format.
 *
 * Responses to reports have no `Cache-Control: no-store`: with it Chromium counts a `keepalive`
 * request against its quota of 64 KiB until the page has read the response body, which SDKs do not
 * read. Responses to POST are not cached without a lifetime (RFC 9111 § 4.2.2).
 */
export async function receiveReports(
  raw: Request,
  url: URL,
  opened: OpenedServices,
): Promise<Response | null> {
  const route =
    parseIngestRoute(url.pathname, url.searchParams) ??
    (opened.ok ? await findTunnel(raw, url, opened.value) : null);
  if (route === null) return null;
  const { method } = raw;
  const headers: ResponseHeaders = {
    ...CORS_HEADERS,
    ...createGlobalHeaders(url),
    Vary: "Accept",
    ...(!opened.ok && method !== "POST" && { "Cache-Control": NO_STORE }),
  };
  if (method === "OPTIONS")
    return new Response(null, { status: 204, headers: { ...headers, ...PREFLIGHT_HEADERS } });
  const protocol = selectProtocol(route, raw);
  if (!opened.ok) return toFailure(opened, protocol, headers);
  if (method === "POST")
    return respondToReports(opened.value, { raw, url, route }, protocol, headers);
  if (OLD_SCRIPT.test(route.project ?? "")) return redirectToScript(headers);
  const hasScript = route.endpoint === "error-page";
  if (hasScript && method === "GET") return respondWithDialog(opened.value, headers);
  const allow = hasScript ? ["GET", "POST", "OPTIONS"] : ["POST", "OPTIONS"];
  return toFailure({ reason: "method-not-allowed", allow }, null, headers);
}

/** The key whose managed tunnel path this is; null for any other path. GET requests skip this. */
async function findTunnel(
  { method }: Request,
  { host, pathname }: URL,
  { config, registry, nowMs }: Services,
): Promise<IngestRoute | null> {
  if (method === "GET" || !isTunnelCandidate(pathname)) return null;
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

/** The protocol of an endpoint, which decides about its responses. */
interface SelectedProtocol extends EndpointProtocol {
  readonly format: IngestFormat;
}

function selectProtocol({ endpoint }: IngestRoute, { headers }: Request): SelectedProtocol | null {
  const format = findEndpointFormat(endpoint);
  const protocol = format?.selectProtocol?.(headers.get("content-type") ?? "");
  return format && protocol ? { ...protocol, format } : null;
}

/**
 * Responds with these headers and those of the result. A thrown error is reported and gets a
 * response like an expected one.
 */
async function respondToReports(
  services: Services,
  request: IngestRequest,
  protocol: SelectedProtocol | null,
  headers: ResponseHeaders,
): Promise<Response> {
  const ingested = await ingest(services, request, protocol).catch((thrown: unknown) => {
    const digest = reportThrown(services, request.raw, thrown, request.route.endpoint);
    return fail({ reason: "internal-error" as const, status: 503 as const, digest });
  });
  if (!ingested.ok) return toFailure(ingested, protocol, headers);
  const { result, format } = ingested.value;
  const response = protocol?.respond(result) ?? createResponse(result, format);
  const outcome = { "Errata-Outcome": formatOutcomeHeader(result.outcomes) };
  return new Response(response.body, {
    status: response.status,
    headers: { ...headers, ...response.headers, ...outcome },
  });
}

/**
 * The response in the sender's format; 400 or 413 if an item is invalid, although valid ones are
 * stored.
 */
function createResponse(result: IngestResult, format: IngestFormat): SenderResponse {
  const { outcomes, id } = result;
  const invalid = outcomes.find((outcome) => outcome.outcome === "invalid");
  if (invalid === undefined) return format.respond(result);
  const { reason, expected } = invalid;
  const acceptedCount = outcomes.filter(({ outcome }) => outcome === "accepted").length;
  const value = { reason, detail: `Expected ${expected}.`, acceptedCount, id };
  return toJsonResponse(value, reason === "too-large" ? 413 : 400);
}

/** The response to a failed request, in the protocol of its endpoint. */
async function toFailure(
  failure: Failure,
  protocol: EndpointProtocol | null,
  shared: ResponseHeaders,
): Promise<Response> {
  const response = toFailureResponse(failure);
  const { status, headers } = response;
  const own = protocol?.fail(status, (await response.json<{ detail: string }>()).detail);
  for (const [name, value] of Object.entries({ ...own?.headers, ...shared }))
    headers.set(name, value);
  return own === undefined ? response : new Response(own.body, { status, headers });
}

/** What became of a body, and its format. */
interface IngestedBody {
  readonly format: IngestFormat;
  readonly result: IngestResult;
}

async function ingest(
  opened: Services,
  request: IngestRequest,
  protocol: SelectedProtocol | null,
): Promise<Result<IngestedBody, Failure>> {
  const head = await admitHead(opened, request);
  if (!head.ok) return head;
  const received = await readIngestBody(request, protocol);
  if (!received.ok) return received;
  const { firstLine } = received.value;
  const admission = await admitSender(opened, request, head.value, asText(firstLine?.dsn));
  if (!admission.ok) return admission;
  const sender = admission.value;
  const { project, maxReports } = sender;
  const services = project === opened.config.project ? opened : opened.forProject(project);
  const body = sender.limitKey === "" ? cutKeylessBody(received.value) : received.value;
  const nowMs = services.nowMs();

  const parsed = parseBody(body, { ...readContext(request), nowMs, maxReports });
  const admitted = await admitItems(
    opened,
    request,
    sender,
    parsed.ok ? parsed.value : { items: [] },
    body.bytes.length,
  );
  if (!admitted.ok) {
    if (admitted.reason === "key-paused") countRefused(services);
    return admitted;
  }
  if (!parsed.ok) {
    // The sender gets the parse failure even if it cannot be counted.
    const counters = [[["invalid", "body", parsed.reason], 1]] as const;
    await services.reportWriter.append([], counters).catch(() => undefined);
    return parsed;
  }
  const eventIds = listAboutEvents(admitted.value.items);
  const digestsOfEvents =
    eventIds.length === 0 ? undefined : await findIssuesOfEvents(services.projectStore, eventIds);
  const options = createProcessingOptions(services, request, sender, nowMs);
  const processed = processItems(admitted.value, options, digestsOfEvents);
  const stored = await storeItems(processed, services.reportWriter);
  if (!stored.ok) {
    services.logProblem(stored.cause);
    return stored;
  }
  const { format, id = stored.value.id } = parsed.value;
  return ok({ format, result: { ...stored.value, id } });
}

async function readIngestBody(
  { raw, url, route }: IngestRequest,
  protocol: SelectedProtocol | null,
): Promise<Result<IngestBody, BodyFailure>> {
  const body = await readBodyStart(raw);
  // An empty body is a complete message of every exporter: an empty export.
  if (!body.ok && !(body.reason === "empty" && protocol !== null)) return body;
  const { bytes, cutBy } = body.ok ? body.value : { bytes: new Uint8Array() };
  const isEmpty = bytes.length <= MAX_EMPTY_BYTES && EMPTY_EXPORT.test(decodeText(bytes));
  const decode = protocol?.decode ?? (isEmpty ? () => ok({}) : undefined);
  if (route.endpoint === "error-page")
    return ok(toIngestBody(toUserReport(bytes, url.searchParams)));
  const encoding = protocol && decode && { format: protocol.format, decode };
  return ok({ ...toIngestBody(bytes, cutBy), encoding: encoding ?? undefined });
}

/**
 * An export without data, and what Cloudflare sends to an endpoint to test it (Logpush › HTTP
 * destination).
 */
const MAX_EMPTY_BYTES = 30;
const EMPTY_EXPORT = /^\s*(?:\{\s*\}|\{"content":"tests"\})?\s*$/;

/** A body without a key may be smaller. Of a larger one, only the beginning is read. */
function cutKeylessBody(body: IngestBody): IngestBody {
  const max = limits.maxKeylessBodyBytes;
  if (body.bytes.length <= max) return body;
  const ownLimit = { reason: "too-large", limit: "maxKeylessBodyBytes", max } as const;
  return { ...body, bytes: body.bytes.subarray(0, max), cutBy: body.cutBy ?? ownLimit };
}

/**
 * What the request says about its browser reports: the page trace of the browser and, for CSP
 * reports, the release and environment in the query (relay-server/src/endpoints/security_report.rs).
 */
function readContext({ raw: { headers }, url: { searchParams } }: IngestRequest): RequestContext {
  return {
    userAgent: headers.get("user-agent") ?? undefined,
    rayId: headers.get("cf-ray") ?? undefined,
    referer: headers.get("referer") ?? undefined,
    defaults: {
      pageTraceId: readPageTrace(headers),
      release: readParam(searchParams, "sentry_release"),
      environment: readParam(searchParams, "sentry_environment"),
    },
  };
}

function readParam(searchParams: URLSearchParams, name: string): string | undefined {
  return searchParams.get(name)?.slice(0, limits.maxStringChars);
}

function createProcessingOptions(
  services: Services,
  { raw: { headers } }: IngestRequest,
  { project, trust, keyId, registryCopy }: AdmittedSender,
  nowMs: number,
): ProcessingOptions {
  const address = headers.get("cf-connecting-ip") ?? "";
  // Hashes on demand: reports with an id do not need the first, those of servers not the second.
  const getSender = once(() => toSenderId(services, address));
  const getPublicSender = once(() => ({
    networkSketch: toNetworkSketch(services, address, registryCopy?.secret),
    senderKey: keyId,
  }));
  return {
    nowMs,
    newId: services.newId,
    sha256: services.sha256,
    scrub: services.config.scrub,
    trust,
    ...findReportSettings(registryCopy, project),
    get sender() {
      return getSender();
    },
    userKey: `${address} ${headers.get("user-agent") ?? ""}`,
    get publicSender() {
      return getPublicSender();
    },
  };
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

const COUNT_INTERVAL_MS = 60_000;

interface RefusedRequests {
  count: number;
  writtenMs: number;
}

/** By project. */
const refused = new Map<string, RefusedRequests>();

/**
 * Counts a request that a paused key refused, in the memory of the isolate: each count would cost a
 * row, and a flood has many. They are written with the first request of a minute. `services` are
 * those of the project.
 */
function countRefused({ config, reportWriter, nowMs, waitUntil, logProblem }: Services): void {
  const known = refused.get(config.project) ?? { count: 0, writtenMs: 0 };
  refused.set(config.project, known);
  known.count += 1;
  // The clock can be set back.
  if (Math.abs(nowMs() - known.writtenMs) < COUNT_INTERVAL_MS) return;
  const { count } = known;
  [known.count, known.writtenMs] = [0, nowMs()];
  const written = reportWriter.append([], [[["dropped", "body", "key-paused"], count]]);
  waitUntil(written.catch(logProblem));
}

/**
 * The script of `Sentry.showReportDialog()`. It reads its texts from the query of its own URL, so it is
 * the same for all. Source: @sentry/core 11.12 `api.js` (`getReportDialogEndpoint`).
 */
async function respondWithDialog(
  { readFile }: Services,
  headers: ResponseHeaders,
): Promise<Response> {
  const script = await readFile("/report-dialog.js");
  if (script === null) return new Response(null, { status: 503, headers });
  return new Response(script.body, {
    headers: {
      ...headers,
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "public, max-age=3600",
    },
  });
}

/** The browser reporter of another deployment. That of this one is a static asset. */
const OLD_SCRIPT = /^errata-\w+\.js$/;

/** Pages that name an older script keep reporting, unless they check its integrity. */
function redirectToScript(headers: ResponseHeaders): Response {
  const own = { Location: "errata.js", "Cache-Control": "public, max-age=300" };
  return new Response(null, { status: 302, headers: { ...headers, ...own } });
}

/** The form of the dialog, in URL encoding, as an envelope. The query names the event. */
function toUserReport(form: Uint8Array, query: URLSearchParams): Uint8Array {
  const fields = new URLSearchParams(decodeText(form.subarray(0, limits.maxFormBytes)));
  const payload = {
    event_id: query.get("eventId"),
    name: fields.get("name"),
    email: fields.get("email"),
    comments: fields.get("comments")?.trim(),
  };
  const lines = [{}, { type: "user_report" }, payload].map((line) => JSON.stringify(line));
  return new TextEncoder().encode(`${lines.join("\n")}\n`);
}

/** Maximum number of outcomes in the header. */
const MAX_OUTCOMES_IN_HEADER = 20;

/**
 * `accepted;item="event";id="…";digest="7F3K-Q2M9", counted;item="session"`: a list of RFC 9651.
 */
export function formatOutcomeHeader(outcomes: readonly Outcome[]): string {
  return outcomes.slice(0, MAX_OUTCOMES_IN_HEADER).map(formatOutcome).join(", ");
}

function formatOutcome(outcome: Outcome): string {
  const item = outcome.item.replace(/[^a-z0-9_.-]/gi, "").slice(0, 40) || "item";
  const member = `${outcome.outcome};item="${item}"`;
  switch (outcome.outcome) {
    case "accepted": {
      const duplicate = outcome.isDuplicate ? ";duplicate" : "";
      const spooled = outcome.isSpooled ? ";spooled" : "";
      return `${member};id="${outcome.id}";digest="${outcome.digest}"${duplicate}${spooled}`;
    }
    case "counted":
      return outcome.id === undefined
        ? member
        : `${member};id="${outcome.id}";digest="${outcome.digest}"`;
    case "dropped":
    case "invalid":
      return `${member};why=${outcome.reason}`;
  }
}
