/**
 * Who may report: the project must exist, a key must be its own, and there must not be too much of it. Decided before
 * anything is written. The path of the same origin needs no key, because a page knows no secret anyway.
 */

import {
  admitByConfig,
  admitByRegistry,
  type IngestAdmission,
  type KeyRefusal,
  type PresentedKey,
} from "../../core/accounts/ingest-keys.ts";
import { toClientNetwork } from "../../core/client-network.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { findDsn } from "../../ingest/sentry/envelope.ts";
import type { Services } from "../context.ts";
import type { AdmissionFailure } from "../failures.ts";
import { parseDsnKey, readIngestKey } from "./credentials.ts";
import type { IngestRoute } from "./endpoints.ts";

/** The window of the platform's rate limits. */
const RETRY_AFTER_SECONDS = 60;

/** Whether the address that a request came from may send it; asked before its body is read. */
export async function admitAddress(
  { limiters }: Services,
  request: Request,
): Promise<Result<null, AdmissionFailure>> {
  const address = request.headers.get("cf-connecting-ip");
  if (address === null || (await limiters.address(toClientNetwork(address)))) return ok(null);
  return fail({ reason: "too-many-requests", retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Whether the network that a request came from may ask for one more receipt, or comment on one. */
export async function admitVisitor(
  { limiters }: Services,
  request: Request,
): Promise<Result<null, AdmissionFailure>> {
  const address = request.headers.get("cf-connecting-ip");
  if (address === null || (await limiters.receipt(toClientNetwork(address)))) return ok(null);
  return fail({ reason: "too-many-requests", retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Which project takes these reports: by its id, a key in any of the forms that senders use, and the limits of both. */
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

/** By the copy at hand; a key that it does not know may be newer than the copy. */
async function admitWithRegistry(
  { registry, nowMs, logProblem }: Services,
  presentedKey: PresentedKey,
): Promise<IngestAdmission | KeyRefusal | "registry-unavailable"> {
  // What has no key opens nothing, whatever the registry knows.
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
 * The key of the DSN in an envelope's header: an SDK that is pointed at a tunnel shows it nowhere else. A DSN of another
 * host belongs to another service, whose tunnel this path replaces, and proves nothing here.
 */
function findKeyInBody({ host }: URL, body: Uint8Array): string | undefined {
  const dsn = findDsn(body);
  if (dsn === undefined || !URL.canParse(dsn)) return undefined;
  return new URL(dsn).host === host ? parseDsnKey(dsn) : undefined;
}
