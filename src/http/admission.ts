/**
 * Who may report: the project must exist, a key must be its own, and there must not be too much of it. Decided before
 * anything is written. The path of the same origin needs no key, because a page knows no secret anyway.
 */
import { networkOf } from "../core/network.ts";
import {
  type Admission,
  admissionByConfig,
  admissionOf,
  type KeyRefusal,
  type ShownKey,
} from "../core/registry/keyring.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { dsnOf } from "../ingest.ts";
import { keyOfDsn, readKey } from "./credentials.ts";
import type { AdmissionFailure } from "./failures.ts";
import type { ReportingRoute } from "./reporting-route.ts";
import type { Services } from "./services.ts";

/** The window of the platform's rate limits. */
const RETRY_AFTER_SECONDS = 60;

/** Whether the address that a request came from may send it; asked before its body is read. */
export async function admitAddress(
  { limiters }: Services,
  request: Request,
): Promise<Result<null, AdmissionFailure>> {
  const address = request.headers.get("cf-connecting-ip");
  if (address === null || (await limiters.address(networkOf(address)))) return ok(null);
  return fail({ reason: "too-many-requests", retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Whether the network that a request came from may ask for one more receipt, or comment on one. */
export async function admitStranger(
  { limiters }: Services,
  request: Request,
): Promise<Result<null, AdmissionFailure>> {
  const address = request.headers.get("cf-connecting-ip");
  if (address === null || (await limiters.receipt(networkOf(address)))) return ok(null);
  return fail({ reason: "too-many-requests", retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Which project takes these reports: by its id, a key in any of the forms that senders use, and the limits of both. */
export async function admitReports(
  services: Services,
  request: { readonly url: URL; readonly headers: Headers },
  route: ReportingRoute,
  body: Uint8Array,
): Promise<Result<Admission, AdmissionFailure>> {
  const key = readKey(request, [route.key, keyInBody(request.url, body)]);
  if (!key.ok) return key;
  const origin = request.headers.get("origin") ?? undefined;
  const shown = { project: route.project, key: key.value, origin };
  const admission =
    admissionByConfig(shown, {
      isOpen: route.endpoint === "monitoring",
      ownKey: services.config.ingestKey,
    }) ?? (await byRegistry(services, shown));
  if (typeof admission === "string") return fail({ reason: admission });
  const { limiters } = services;
  const isWithin =
    (await limiters.key(shown.key ?? "", admission.perMinute)) && (await limiters.global());
  if (isWithin) return ok(admission);
  return fail({ reason: "too-many-requests", retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** By the copy at hand; a key that it does not know may be newer than the copy. */
async function byRegistry(
  { registry, nowMs, logProblem }: Services,
  shown: ShownKey,
): Promise<Admission | KeyRefusal | "registry-unavailable"> {
  // What has no key opens nothing, whatever the registry knows.
  if (shown.key === undefined) return "unknown-key";
  try {
    const admission = admissionOf(await registry.copy(), shown, nowMs());
    if (admission !== "unknown-key") return admission;
    return admissionOf(await registry.now(), shown, nowMs());
  } catch (cause) {
    logProblem(cause);
    return "registry-unavailable";
  }
}

/**
 * The key of the DSN in an envelope's header: an SDK that is pointed at a tunnel shows it nowhere else. A DSN of another
 * host belongs to another service, whose tunnel this path replaces, and proves nothing here.
 */
function keyInBody({ host }: URL, body: Uint8Array): string | undefined {
  const dsn = dsnOf(body);
  if (dsn === undefined || !URL.canParse(dsn)) return undefined;
  return new URL(dsn).host === host ? keyOfDsn(dsn) : undefined;
}
