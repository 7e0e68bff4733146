/**
 * Decides who may send reports: the project must exist, a key must belong to it, and limits must
 * not be exceeded. Checked before anything is written. The same-origin path needs no key, because
 * pages cannot keep one secret.
 */

import {
  admitByConfig,
  admitByRegistry,
  type IngestAdmission,
  type KeyRefusal,
  type PresentedKey,
} from "../../core/accounts/ingest-keys.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { findDsn } from "../../ingest/sentry/envelope.ts";
import type { Services } from "../context.ts";
import type { AdmissionFailure } from "../failures.ts";
import { isNetworkWithinLimit } from "../network-limit.ts";
import { parseDsnKey, readIngestKey } from "./credentials.ts";
import type { IngestRoute } from "./endpoints.ts";

/** The window of the platform's rate limits, in seconds. */
const RETRY_AFTER_SECONDS = 60;

/** Checks the rate limit of the sender's network, before the body is read. */
export async function admitAddress(
  services: Services,
  request: Request,
): Promise<Result<null, AdmissionFailure>> {
  if (await isNetworkWithinLimit(services, request, "address")) return ok(null);
  return fail({ reason: "too-many-requests", retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Checks the rate limit of receipts for the visitor's network. */
export async function admitVisitor(
  services: Services,
  request: Request,
): Promise<Result<null, AdmissionFailure>> {
  if (await isNetworkWithinLimit(services, request, "receipt")) return ok(null);
  return fail({ reason: "too-many-requests", retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/**
 * Admits reports to a project by its id, the ingest key in any form that senders use, and the
 * limits of both.
 */
export async function admitReports(
  services: Services,
  request: { readonly url: URL; readonly headers: Headers },
  route: IngestRoute,
  body: Uint8Array,
): Promise<Result<IngestAdmission, AdmissionFailure>> {
  const key = readIngestKey(request, [route.key, findKeyInBody(request.url, body)]);
  if (!key.ok) return key;
  const origin = request.headers.get("origin") ?? undefined;
  const presentedKey = { project: route.project, key: key.value, origin };
  const admission =
    admitByConfig(presentedKey, {
      isOpen: route.endpoint === "monitoring",
      configuredKey: services.config.ingestKey,
    }) ?? (await admitWithRegistry(services, presentedKey));
  if (typeof admission === "string") return fail({ reason: admission });
  const { limiters } = services;
  const isWithinLimits =
    (await limiters.key(presentedKey.key ?? "", admission.perMinute)) && (await limiters.global());
  if (isWithinLimits) return ok(admission);
  return fail({ reason: "too-many-requests", retryAfterSeconds: RETRY_AFTER_SECONDS });
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
