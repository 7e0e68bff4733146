/**
 * Reads the parameters of an authorization request (OAuth 2.1 § 4.1.1). Until the program and its
 * redirect URI are known to belong together, nothing may be sent to that URI.
 */

import { type Access, parseScopes, SCOPES } from "../accounts/token-scopes.ts";
import { fail, ok, type Result } from "../result.ts";
import { parseResource, type Resource } from "./resources.ts";

/** What a program asks for. */
export interface AuthorizationRequest extends Access {
  readonly clientId: string;
  readonly redirectUri: string;
  /** Given back to the program as it is. */
  readonly state?: string | undefined;
  /** SHA-256 of the verifier, in base64url (RFC 7636 § 4.2). */
  readonly challenge: string;
  readonly resource: Resource;
}

/** A failure that is sent to the program (OAuth 2.1 § 4.1.2.1). */
export interface AuthorizationFailure {
  readonly reason: "invalid-request";
  readonly error:
    | "invalid_request"
    | "unsupported_response_type"
    | "invalid_scope"
    | "invalid_target"
    | "access_denied";
  readonly description: string;
}

const MAX_STATE_CHARS = 2_000;

function refuse(
  error: AuthorizationFailure["error"],
  description: string,
): Result<never, AuthorizationFailure> {
  return fail({ reason: "invalid-request", error, description });
}

/**
 * The one value of a parameter; undefined if it is missing, null if it is sent more than once
 * (OAuth
 * 2.1 § 3.1). An empty value is none.
 */
export function readParameter(query: URLSearchParams, name: string): string | undefined | null {
  const [value, ...others] = query.getAll(name);
  if (others.length > 0) return null;
  return value === "" ? undefined : value;
}

/** The request, if its client and redirect URI have been checked. */
export function parseAuthorizationRequest(
  query: URLSearchParams,
  { clientId, redirectUri, origin }: { clientId: string; redirectUri: string; origin: string },
): Result<AuthorizationRequest, AuthorizationFailure> {
  const read = (name: string) => readParameter(query, name);
  const [type, state, challenge, method, uri, scope] = [
    "response_type",
    "state",
    "code_challenge",
    "code_challenge_method",
    "resource",
    "scope",
  ].map(read);
  for (const value of [type, state, challenge, method, uri, scope])
    if (value === null) return refuse("invalid_request", "Expected each parameter once.");
  if (type !== "code")
    return refuse("unsupported_response_type", "Expected response_type to be code.");
  if ((state ?? "").length > MAX_STATE_CHARS)
    return refuse(
      "invalid_request",
      `Expected state to have at most ${MAX_STATE_CHARS} characters.`,
    );
  if (method !== "S256")
    return refuse("invalid_request", "Expected code_challenge_method to be S256.");
  if (!/^[\w-]{43}$/.test(challenge ?? ""))
    return refuse("invalid_request", "Expected code_challenge to be a SHA-256 in base64url.");
  const resource = parseResource(uri ?? undefined, origin);
  if (resource === null)
    return refuse("invalid_target", "Expected resource to be the address of Errata or of its MCP.");
  const access = parseScopes(scope ?? undefined);
  if (access === null)
    return refuse("invalid_scope", `Expected scope to name ${SCOPES.join(", ")}.`);
  return ok({
    clientId,
    redirectUri,
    state: state ?? undefined,
    challenge: challenge ?? "",
    resource,
    ...access,
  });
}

/** The address to which the program gets its answer (OAuth 2.1 § 4.1.2, RFC 9207). */
export function toRedirectUrl(
  { redirectUri, state }: Pick<AuthorizationRequest, "redirectUri" | "state">,
  answer: Readonly<Record<string, string>>,
  issuer: string,
): string {
  const url = new URL(redirectUri);
  const parameters = { ...answer, ...(state !== undefined && { state }), iss: issuer };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, value);
  return url.href;
}
