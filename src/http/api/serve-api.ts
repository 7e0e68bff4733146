/**
 * `/api/v1`: every operation for programs, always as JSON. Failures are problem details (RFC 9457).
 * Tokens authenticate, and the session of a person on pages of the same origin.
 */
import { API_PATH } from "../../core/accounts/project-path.ts";
import { toHex } from "../../core/hex.ts";
import { isAtLeast, type Trust } from "../../core/trust/trust.ts";
import { listLiveReports, selectLiveReports } from "../../operations/live.ts";
import { type Operation, type OperationFailure, takesQuery } from "../../operations/operation.ts";
import { selectDeclared, toNode } from "../../operations/provenance.ts";
import { applyTrustFloor } from "../../operations/trust-floor.ts";
import { expectNewMarks } from "../alert-marks.ts";
import { checkAccess, selectProject } from "../auth/authorize.tsx";
import type { AppContext, Principal } from "../context.ts";
import { toProblemResponse } from "../failure-response.ts";
import { type Failure, RATE_LIMITED } from "../failures.ts";
import { addBearerChallenge } from "../oauth/availability.ts";
import { toCall } from "../operation-call.ts";
import { reportThrown } from "../report-own-failures.ts";
import { NO_STORE } from "../security-headers.ts";
import { readApiInput } from "./api-input.ts";
import { toApiValue } from "./api-output.ts";
import { matchApiRoute } from "./api-routes.ts";
import { acceptsEvents, streamLiveReports } from "./live-stream.ts";

/** How many requests of the limit a request counts as. */
export const RATE_COSTS = { read: 1, search: 5, change: 2 } as const;
/** Letters, digits and signs, as a UUID has. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

/** Serves a request below `/api/v1`. */
export async function serveApi(c: AppContext): Promise<Response> {
  const response = await respond(c).catch((thrown: unknown) => {
    const digest = reportThrown(c.get("services"), c.req.raw, thrown, c.req.routePath);
    return toProblemResponse({ reason: "internal-error", status: 500, digest });
  });
  if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", NO_STORE);
  return response;
}

async function respond(c: AppContext): Promise<Response> {
  const { pathname } = new URL(c.req.url);
  const path = pathname.slice(pathname.indexOf(API_PATH) + API_PATH.length);
  const route = matchApiRoute(c.req.method, path);
  if (route.reason !== undefined) return toProblemResponse(route);
  const { operation } = route;
  const mode = operation.effect === "read" ? "read-only-post" : "operation";
  const acceptsUploads = operation.scope === "upload";
  const access = await checkAccess(c, operation.role, mode, acceptsUploads);
  if (!access.ok) return addBearerChallenge(c, toProblemResponse(access));
  const isWithinLimit = await c
    .get("services")
    .limiters.api(readActorKey(c), RATE_COSTS[operation.rate]);
  if (!isWithinLimit) return toProblemResponse(RATE_LIMITED);
  selectProject(c);
  const input = await readApiInput(c.req.raw, route);
  if (!input.ok) return toProblemResponse(input);
  const key = c.req.header("idempotency-key");
  if (key !== undefined && !IDEMPOTENCY_KEY.test(key)) {
    const expected = "Idempotency-Key to be at most 128 printable characters";
    return toProblemResponse({ reason: "bad-request", expected });
  }
  const call = toCall(c);
  const floor = findFloor(c.get("principal"), input.value.trust);
  if (floor === null) return toProblemResponse({ reason: "trust-forbidden" });
  const retryId = key === undefined ? undefined : toRetryId(c, operation, key);
  if (operation.isStream && acceptsEvents(c.req.raw)) return stream(c, input.value.input, floor);
  const done = await operation.perform(input.value.input, { ...call, retryId });
  if (done.ok && operation.effect !== "read") expectNewMarks(call);
  return done.ok
    ? respondWithValue(c, operation, applyFloor(operation, done.value, floor))
    : toProblemResponse(toApiFailure(done), "fields" in done ? done.fields : undefined);
}

/** The reports of `reports.live` as they arrive. */
async function stream(
  c: AppContext,
  input: Readonly<Record<string, unknown>>,
  floor: Trust | undefined,
): Promise<Response> {
  const admitted = listLiveReports.admit(input, toCall(c));
  if (!admitted.ok) return toProblemResponse(toApiFailure(admitted));
  const { text, after } = admitted.value;
  const node = toNode(listLiveReports.output);
  return streamLiveReports(c, readActorKey(c), (events, lastId = after) =>
    selectLiveReports(events, { text, after: lastId }).reports.map((report) => {
      const value = selectDeclared(node, { reports: [report] });
      const shown = toApiValue(node, applyFloor(listLiveReports, value, floor));
      return {
        id: report.id,
        value: (shown as { readonly reports: readonly unknown[] }).reports[0],
      };
    }),
  );
}

/** Identifies the token or the person, for the rate limit and for ids of changes. */
export function readActorKey(c: AppContext): string {
  return JSON.stringify(c.get("principal").actor);
}

/** The same for the same caller, operation, project and key. */
function toRetryId(c: AppContext, { name }: Operation, key: string): string {
  const { sha256 } = c.get("services");
  const text = [readActorKey(c), c.get("project"), name, key].join("\n");
  return toHex(sha256(`idempotency\n${text}`).subarray(0, 16));
}

/** The greatest length of a text that a program asked for although no server sent it. */
export const MAX_QUOTED_CHARS = 2_000;

/**
 * The lowest level whose text is shown: by default only a server's to tokens, and everything to
 * people. Null if the token may not read the level that was asked for.
 */
function findFloor({ lowestTrust }: Principal, asked: Trust | undefined): Trust | undefined | null {
  if (lowestTrust === undefined || asked === undefined)
    return asked ?? (lowestTrust === undefined ? undefined : "server");
  return isAtLeast(asked, lowestTrust) ? asked : null;
}

function applyFloor({ output }: Operation, value: unknown, floor: Trust | undefined): unknown {
  if (floor === undefined) return value;
  return applyTrustFloor(toNode(output), value, { floor, maxChars: MAX_QUOTED_CHARS });
}

function toApiFailure(failure: OperationFailure): Failure {
  if (failure.reason !== "invalid-input") return failure;
  const [expected = "valid members"] = Object.values(failure.fields);
  return { reason: "bad-request", expected };
}

/** When the index answered, which differs although nothing else does. */
const AS_OF = /"asOf":"[^"]*"/;

function respondWithValue(c: AppContext, operation: Operation, value: unknown): Response {
  const body = JSON.stringify(toApiValue(toNode(operation.output), value));
  const headers = new Headers({ "Content-Type": "application/json" });
  const link = createLinks(c, operation, value);
  if (link !== "") headers.set("Link", link);
  if (!takesQuery(operation)) return new Response(body, { headers });
  const { sha256 } = c.get("services");
  const tag = `W/"${toHex(sha256(body.replace(AS_OF, "")).subarray(0, 12))}"`;
  headers.set("ETag", tag);
  headers.set("Cache-Control", "private, no-cache");
  const known = c.req
    .header("if-none-match")
    ?.split(",")
    .map((one) => one.trim());
  const isKnown = known?.some((one) => one === tag || `W/${one}` === tag || one === "*");
  return isKnown === true
    ? new Response(null, { status: 304, headers })
    : new Response(body, { headers });
}

/** The next and the previous page of a list, by its cursors (RFC 8288). */
function createLinks(c: AppContext, { input }: Operation, value: unknown): string {
  if (!Object.hasOwn(input.entries, "from") || typeof value !== "object" || value === null)
    return "";
  const links = (["next", "previous"] as const).flatMap((rel) => {
    const cursor: unknown = Reflect.get(value, rel);
    if (typeof cursor !== "string") return [];
    const url = new URL(c.req.url);
    url.searchParams.set("from", cursor);
    return [`<${url.pathname}${url.search}>; rel="${rel === "next" ? "next" : "prev"}"`];
  });
  return links.join(", ");
}
