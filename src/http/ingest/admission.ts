/**
 * Admits requests with reports, before anything is written: the project must exist, a key must
 * belong to it, and no limit may be exceeded. The same-origin path needs no key, because pages
 * cannot keep a key secret. A page token raises the trust of reports.
 */

import {
  admitByConfig,
  admitByRegistry,
  admitWithoutKey,
  type IngestAdmission,
  isKeyPaused,
  isServerKey,
  type KeyRefusal,
  type PresentedKey,
} from "../../core/accounts/ingest-keys.ts";
import { FIRST_PROJECT_ID } from "../../core/accounts/project-path.ts";
import type { RegistryState } from "../../core/accounts/registry.ts";
import { toClientNetwork } from "../../core/client-network.ts";
import { toHex } from "../../core/hex.ts";
import { limits } from "../../core/limits.ts";
import type { ParsedReport } from "../../core/report.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { PAGE_TOKEN_PARAMETER } from "../../core/scrubbing/own-secrets.ts";
import { toPolicyHash } from "../../core/trust/page-token-format.ts";
import { isTrusted } from "../../core/trust/trust.ts";
import { toUrlOrigin } from "../../ingest/decode/urls.ts";
import { type FormatItems, toDroppedItem } from "../../ingest/format/ingest-format.ts";
import { type AdmittedItems, admitAll } from "../../ingest/process-items.ts";
import type { Services } from "../context.ts";
import { type AdmissionFailure, RATE_LIMITED } from "../failures.ts";
import { isNetworkWithinLimit } from "../network-limit.ts";
import { findPageOrigin, parseDsnKey, readIngestKeys } from "./credentials.ts";
import type { IngestRoute } from "./endpoints.ts";
import { readAnyCopy, readLastCopy } from "./registry-copy.ts";

/** A request to an ingest path. */
export interface IngestRequest {
  readonly raw: Request;
  readonly url: URL;
  readonly route: IngestRoute;
}

/** Why a project refuses reports without a valid page token: they have no key, or a paused one. */
type TokenlessRefusal = "key-required" | "key-paused" | "origin-not-allowed";

/** The project of a request's reports, and their sender. */
export interface AdmittedSender extends IngestAdmission {
  /** The key, for the rate limit: the hash of a server key; empty without a key. */
  readonly limitKey: string;
  /** Reports stored from one body. */
  readonly maxReports?: number;
  /** Why the reports are refused unless a page token raises them to trust `page`. */
  readonly refusal?: TokenlessRefusal | undefined;
  /** The registry with the settings of the project; null without a copy. */
  readonly registryCopy: RegistryState | null;
}

/** A request before its body is read. */
interface AdmittedHead {
  /** The keys in the URL and the headers: one at most. */
  readonly keys: readonly string[];
  /** Null if the body may contain a key. */
  readonly sender: AdmittedSender | null;
}

/**
 * Checks before the body is read: a server key in the URL or the headers, else the rate limit of
 * the sender's network. A valid server key exempts from that limit, because many servers share one
 * address.
 */
export async function admitHead(
  services: Services,
  request: IngestRequest,
): Promise<Result<AdmittedHead, AdmissionFailure>> {
  const { raw, url, route } = request;
  const keys = readIngestKeys(url, raw.headers, route.key);
  const [key, ...others] = keys;
  const hasServerKey = key !== undefined && others.length === 0 && isServerKey(key);
  const admission = hasServerKey ? await resolveKey(services, request, key) : null;
  if (admission?.ok) return ok({ keys, sender: admission.value });
  if (!(await isNetworkWithinLimit(services, raw, "address"))) return fail(RATE_LIMITED);
  if (admission !== null) return admission;
  return others.length > 0 ? refuseKeys(services, request, keys) : ok({ keys, sender: null });
}

/** Checks the rate limit of receipts for the visitor's network. */
export async function admitVisitor(
  services: Services,
  request: Request,
): Promise<Result<null, AdmissionFailure>> {
  return (await isNetworkWithinLimit(services, request, "receipt")) ? ok(null) : fail(RATE_LIMITED);
}

/**
 * Admits the sender of reports to a project by its id and the ingest key in any form that senders
 * use. `head` is the result of `admitHead`, `dsn` the DSN that the body names.
 */
export async function admitSender(
  services: Services,
  request: IngestRequest,
  { keys, sender }: AdmittedHead,
  dsn: string | undefined,
): Promise<Result<AdmittedSender, AdmissionFailure>> {
  const keyInBody = findKeyInDsn(request.url, dsn);
  const [key = keyInBody] = keys;
  if (key !== undefined && keyInBody !== undefined && keyInBody !== key)
    return refuseKeys(services, request, [key, keyInBody]);
  return sender === null ? resolveKey(services, request, key) : ok(sender);
}

/** Refuses a request with different keys. Records each server key among them that leaked. */
async function refuseKeys(
  services: Services,
  request: IngestRequest,
  keys: readonly string[],
): Promise<Result<never, AdmissionFailure>> {
  const isFromPage = findPageOrigin(request.raw.headers) !== undefined;
  const serverKeys = isFromPage ? keys.filter(isServerKey) : [];
  const results = await Promise.all(serverKeys.map((key) => resolveKey(services, request, key)));
  const leak = results.find((result) => !result.ok && result.reason === "server-key-in-browser");
  return leak?.ok === false ? leak : fail({ reason: "conflicting-keys" });
}

/**
 * Decides which items of a body of `byteCount` bytes are stored: raises the trust of reports with a
 * page token, drops the others if the sender needs one, and charges the sender. A body that could
 * not be parsed has no items.
 */
export async function admitItems(
  services: Services,
  request: IngestRequest,
  sender: AdmittedSender,
  { items, pageToken }: FormatItems,
  byteCount: number,
): Promise<Result<AdmittedItems, AdmissionFailure>> {
  const { refusal } = sender;
  const reports = items.flatMap((item) => ("report" in item ? item.report : []));
  const token = pageToken ?? request.url.searchParams.get(PAGE_TOKEN_PARAMETER) ?? undefined;
  const { raised, own, changed } =
    token === undefined || isTrusted(sender.trust)
      ? admitAll([])
      : await raiseTrust(services, request, sender, token, reports);
  if (refusal !== undefined && raised.size === 0) return fail({ reason: refusal });
  const reportCount = refusal === undefined ? reports.length : raised.size;
  const isFromPage = raised.size > 0 && raised.size === reportCount;
  const charged = await chargeSender(services, request, sender, {
    reportCount,
    isFromPage,
    byteCount,
  });
  if (!charged.ok) return charged;
  const admitted =
    refusal === undefined
      ? items
      : items.map((item) =>
          "report" in item && !raised.has(item.report)
            ? toDroppedItem(item.item, "not-stored")
            : item,
        );
  return ok({ items: admitted, raised, own, changed });
}

/**
 * The reports of a request that a page token raises to trust `page`, up to a rate, and those about
 * a page of Errata itself. A token counts only for reports of browsers, and only for pages of the
 * origin that it was signed for. An invalid token is ignored. Never rejects.
 */
async function raiseTrust(
  { pageTokens, limiters, logProblem, sha256 }: Services,
  { raw: { headers } }: IngestRequest,
  { project }: AdmittedSender,
  token: string,
  reports: readonly ParsedReport[],
): Promise<Pick<AdmittedItems, "raised" | "own" | "changed">> {
  const browserReports = reports.filter(({ side }) => side === "browser");
  const origin = readOrigin(headers) ?? browserReports.map(getPageOrigin).find(Boolean);
  if (origin === undefined || origin.length > limits.maxOriginChars) return admitAll([]);
  try {
    const verified = await pageTokens.verify(token, { project, origin });
    if (!verified.ok) return admitAll([]);
    const { pageId, policyHash, isOwn, raisesTrust } = verified.value;
    const canCompare = policyHash !== undefined && repeatsPolicy(headers);
    const isChanged = ({ originalPolicy: policy }: ParsedReport) =>
      policy !== undefined && toPolicyHash(policy, sha256) !== policyHash;
    const candidates = browserReports
      .filter((report) => (getPageOrigin(report) ?? origin) === origin)
      .slice(0, limits.maxPageTokenReports);
    const granted = await Promise.all(
      candidates.map(() => raisesTrust && limiters.pageToken(toLimitKey(pageId, headers))),
    );
    return {
      raised: new Set(candidates.filter((_, index) => granted[index])),
      own: new Set(isOwn ? candidates : []),
      changed: new Set(canCompare ? candidates.filter(isChanged) : []),
    };
  } catch (cause) {
    logProblem(cause);
    return admitAll([]);
  }
}

/** Chromium repeats the policy of a page word for word. Other browsers may write their own form. */
function repeatsPolicy(headers: Headers): boolean {
  return /Chrome\//.test(headers.get("user-agent") ?? "");
}

/**
 * The limit counts per network too: all visitors of a cached page get the same token, and one of
 * them must not use it up for the others. All reports with page tokens together have another limit.
 */
function toLimitKey(pageId: string, headers: Headers): string {
  const address = headers.get("cf-connecting-ip");
  return address === null ? pageId : `${pageId} ${toClientNetwork(address)}`;
}

/**
 * The `Origin` header. Not every browser sends it with CSP reports, and pages whose referrer policy
 * is `no-referrer` send `null`; then the URL in the report names the origin.
 */
function readOrigin(headers: Headers): string | undefined {
  const origin = headers.get("origin");
  return origin === null || origin === "null" ? undefined : origin;
}

/** The origin of the page that a report names; undefined if it names none. */
function getPageOrigin({ request }: ParsedReport): string | undefined {
  const url = request?.url;
  return url !== undefined && /^https?:/i.test(url) ? toUrlOrigin(url) : undefined;
}

/** The reports of a body, as rate limits count them. */
interface ChargedReports {
  readonly reportCount: number;
  /** A page token raises all of them to trust `page`. */
  readonly isFromPage: boolean;
  readonly byteCount: number;
}

/**
 * Charges a body to the rate limits. The limit of the network has already counted one of its
 * reports. An exceeded limit ends the charges, so that one sender cannot use up the limits of all.
 * Trusted reports have separate limits, so that public ones cannot use these up.
 */
async function chargeSender(
  services: Services,
  { raw }: IngestRequest,
  { limitKey, perMinute, trust }: AdmittedSender,
  { reportCount, isFromPage, byteCount }: ChargedReports,
): Promise<Result<null, AdmissionFailure>> {
  const bySize = trust === "server" ? 0 : Math.ceil(byteCount / limits.bytesPerCountedReport);
  const count = Math.min(Math.max(reportCount, bySize, 1), limits.maxCountedReportsPerBody);
  const { limiters } = services;
  const isWithinLimits =
    (trust === "server" ||
      count === 1 ||
      (await isNetworkWithinLimit(services, raw, "address", { count: count - 1 }))) &&
    (isFromPage
      ? await limiters.key(PAGE_LIMIT_KEY, undefined, count)
      : await limiters.key(limitKey, perMinute, count)) &&
    (await limiters.global(isFromPage ? "page" : trust, count));
  return isWithinLimits ? ok(null) : fail(RATE_LIMITED);
}

/** Cannot be a key, because keys contain no spaces. */
const PAGE_LIMIT_KEY = "page tokens";

/** Finds the project and the trust of a key. Records a server key that a browser has sent. */
async function resolveKey(
  services: Services,
  { raw: { headers }, url, route }: IngestRequest,
  key: string | undefined,
): Promise<Result<AdmittedSender, AdmissionFailure>> {
  const { config, registry, sha256 } = services;
  const hash = key !== undefined && isServerKey(key) ? toHex(sha256(key)) : undefined;
  const origin =
    hash === undefined ? (headers.get("origin") ?? undefined) : findPageOrigin(headers);
  const presentedKey = { project: route.project, key, hash, origin };
  const configured = { key: config.ingestKey, serverKeyHash: config.serverKeyHash };
  const isKeyless = key === undefined && route.endpoint === "monitoring";
  const admission =
    admitByConfig(presentedKey, configured) ??
    (isKeyless
      ? await admitKeyless(services, presentedKey, url.origin)
      : await admitWithRegistry(services, presentedKey));
  const { maxReportsPerKeylessBody, maxReportsPerPublicBody } = limits;
  if (typeof admission !== "string") {
    const registryCopy = await readLastCopy(services);
    const sender = { ...admission, limitKey: hash ?? key ?? "", registryCopy };
    if (admission.trust === "server") return ok(sender);
    const maxReports = key === undefined ? maxReportsPerKeylessBody : maxReportsPerPublicBody;
    const isPaused = registryCopy !== null && isKeyPaused(registryCopy, admission);
    return ok({ ...sender, maxReports, refusal: isPaused ? "key-paused" : undefined });
  }
  const isRefusedWithoutToken =
    isKeyless && (admission === "key-required" || admission === "origin-not-allowed");
  if (isRefusedWithoutToken) {
    return ok({
      project: FIRST_PROJECT_ID,
      trust: "public",
      limitKey: "",
      refusal: admission,
      maxReports: maxReportsPerKeylessBody,
      registryCopy: await readLastCopy(services),
    });
  }
  if (admission === "server-key-in-browser" && hash !== undefined && origin !== undefined)
    registry.recordKeyLeak({ hash, origin });
  return fail({ reason: admission });
}

async function admitKeyless(
  services: Services,
  presentedKey: PresentedKey,
  ownOrigin: string,
): Promise<IngestAdmission | KeyRefusal | "registry-unavailable"> {
  const registryCopy = await readAnyCopy(services);
  if (registryCopy === null) return "registry-unavailable";
  return admitWithoutKey(registryCopy, presentedKey, ownOrigin);
}

/** Uses the cached registry. An unknown key may be newer, so it is checked against a fresh copy. */
async function admitWithRegistry(
  { registry, nowMs, logProblem }: Services,
  presentedKey: PresentedKey,
): Promise<IngestAdmission | KeyRefusal | "registry-unavailable"> {
  // Without a key, the registry cannot admit the request.
  if (presentedKey.key === undefined) return "unknown-key";
  try {
    const admission = admitByRegistry(await registry.readCopy(), presentedKey, nowMs());
    if (admission !== "unknown-key") return admission;
    return admitByRegistry(await registry.readFresh(), presentedKey, nowMs());
  } catch (cause) {
    logProblem(cause);
    return "registry-unavailable";
  }
}

/**
 * The key of the DSN in an envelope's header: SDKs with a tunnel send it only there. A DSN of
 * another host belongs to another service and is ignored.
 */
function findKeyInDsn({ host }: URL, dsn: string | undefined): string | undefined {
  if (dsn === undefined || !URL.canParse(dsn)) return undefined;
  return new URL(dsn).host === host ? parseDsnKey(dsn) : undefined;
}
