/**
 * Decides who may send reports: the project must exist, a key must belong to it, and limits must
 * not be exceeded. Checked before anything is written. The same-origin path needs no key, because
 * pages cannot keep one secret.
 */

import {
  admitByConfig,
  admitByRegistry,
  type IngestAdmission,
  isServerKey,
  type KeyRefusal,
  type PresentedKey,
} from "../../core/accounts/ingest-keys.ts";
import { toHex } from "../../core/hex.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { findDsn } from "../../ingest/sentry/envelope.ts";
import type { Services } from "../context.ts";
import { type AdmissionFailure, RATE_LIMITED } from "../failures.ts";
import { isNetworkWithinLimit } from "../network-limit.ts";
import { parseDsnKey, readIngestKey } from "./credentials.ts";
import type { IngestRoute } from "./endpoints.ts";

/** The request of a sender, without its body. */
export interface IngestRequest {
  readonly url: URL;
  readonly headers: Headers;
  readonly route: IngestRoute;
}

/** Where a request's reports go, and who sent them. */
export interface AdmittedSender extends IngestAdmission {
  /** The key, for the rate limit: the hash of a server key; empty without a key. */
  readonly limitKey: string;
}

/**
 * Checks what can be checked before the body is read: a server key in the URL or the headers, else
 * the rate limit of the sender's network. Many servers share one address, so a valid server key
 * exempts from that limit. Null if the body is needed for more.
 */
export async function admitHead(
  services: Services,
  request: IngestRequest,
): Promise<Result<AdmittedSender | null, AdmissionFailure>> {
  const key = readIngestKey(request, [request.route.key]);
  const hasServerKey = key.ok && key.value !== undefined && isServerKey(key.value);
  const admission = hasServerKey ? await resolveKey(services, request, key.value) : null;
  if (admission?.ok) return admission;
  if (!(await isNetworkWithinLimit(services, request, "address"))) return fail(RATE_LIMITED);
  return admission ?? (key.ok ? ok(null) : key);
}

/** Checks the rate limit of receipts for the visitor's network. */
export async function admitVisitor(
  services: Services,
  request: Request,
): Promise<Result<null, AdmissionFailure>> {
  return (await isNetworkWithinLimit(services, request, "receipt")) ? ok(null) : fail(RATE_LIMITED);
}

/**
 * Admits reports to a project by its id, the ingest key in any form that senders use, and the
 * limits of both. `head` is the result of `admitHead`.
 */
export async function admitReports(
  services: Services,
  request: IngestRequest,
  head: AdmittedSender | null,
  body: Uint8Array,
): Promise<Result<AdmittedSender, AdmissionFailure>> {
  const key = readIngestKey(request, [request.route.key, findKeyInBody(request.url, body)]);
  if (!key.ok) return key;
  const admission = head === null ? await resolveKey(services, request, key.value) : ok(head);
  if (!admission.ok) return admission;
  const { limitKey, perMinute } = admission.value;
  const { limiters } = services;
  const isWithinLimits = (await limiters.key(limitKey, perMinute)) && (await limiters.global());
  return isWithinLimits ? admission : fail(RATE_LIMITED);
}

/** Finds the project and the trust of a key. Records a server key that a browser has sent. */
async function resolveKey(
  services: Services,
  { route, headers }: IngestRequest,
  key: string | undefined,
): Promise<Result<AdmittedSender, AdmissionFailure>> {
  const { config, registry, sha256 } = services;
  const hash = key !== undefined && isServerKey(key) ? toHex(sha256(key)) : undefined;
  const origin = headers.get("origin") ?? undefined;
  const presentedKey = { project: route.project, key, hash, origin };
  const admission =
    admitByConfig(presentedKey, {
      isOpen: route.endpoint === "monitoring",
      ...omitUndefined({ key: config.ingestKey, serverKeyHash: config.serverKeyHash }),
    }) ?? (await admitWithRegistry(services, presentedKey));
  if (typeof admission !== "string") return ok({ ...admission, limitKey: hash ?? key ?? "" });
  if (admission === "server-key-in-browser" && hash !== undefined && origin !== undefined)
    registry.recordKeyLeak({ hash, origin });
  return fail({ reason: admission });
}

/** Uses the cached registry; an unknown key may be newer, so it is checked against a fresh copy. */
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
function findKeyInBody({ host }: URL, body: Uint8Array): string | undefined {
  const dsn = findDsn(body);
  if (dsn === undefined || !URL.canParse(dsn)) return undefined;
  return new URL(dsn).host === host ? parseDsnKey(dsn) : undefined;
}
