/**
 * Who may report: the project must exist, a key must be its own, and there must not be too much of it. Decided before
 * anything is written. The path of the same origin needs no key, because a page knows no secret anyway.
 */
import { networkOf } from "../core/network.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { dsnOf } from "../ingest.ts";
import { keyOfDsn, readKey } from "./credentials.ts";
import type { ReportingRoute } from "./reporting-route.ts";
import type { Services } from "./services.ts";

/** Why a request is not admitted. */
export type AdmissionFailure =
  | { readonly reason: "unknown-project" }
  | { readonly reason: "unknown-key" }
  | { readonly reason: "keys-disagree" }
  | { readonly reason: "too-many-requests"; readonly retryAfterSeconds: number };

/** The window of the platform's rate limits. */
const RETRY_AFTER_SECONDS = 60;

/** Whether the address that a request came from may send it; asked before its body is read. */
export async function admitAddress(
  { limiters }: Services,
  request: Request,
): Promise<Result<null, AdmissionFailure>> {
  const address = request.headers.get("cf-connecting-ip");
  if (address === null || (await limiters.address(address))) return ok(null);
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

/** Whether the project takes these reports, and from whom: its id, its key in any of the forms that senders use, and its limits. */
export async function admitReports(
  { config, limiters }: Services,
  request: { readonly url: URL; readonly headers: Headers },
  route: ReportingRoute,
  body: Uint8Array,
): Promise<Result<Admitted, AdmissionFailure>> {
  if (route.project !== undefined && route.project !== config.project) {
    return fail({ reason: "unknown-project" });
  }
  const key = readKey(request, [route.key, keyInBody(request.url, body)]);
  if (!key.ok) return key;
  // A page of the same origin needs none; everyone else shows one.
  const isOpen = route.endpoint === "monitoring" && key.value === undefined;
  if (!isOpen && (config.ingestKey === undefined || key.value !== config.ingestKey)) {
    return fail({ reason: "unknown-key" });
  }
  const isWithin = (await limiters.key(key.value ?? "")) && (await limiters.global());
  if (isWithin) return ok({ keyed: key.value !== undefined });
  return fail({ reason: "too-many-requests", retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** What is known of an admitted sender: whether it showed the project's key. */
export interface Admitted {
  readonly keyed: boolean;
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
