/**
 * The endpoints of OAuth for programs: tokens (OAuth 2.1 § 3.2), revocation (RFC 7009), and the
 * beginning of the device flow (RFC 8628 § 3.1). They take forms and answer with JSON. Programs are
 * public clients: they prove themselves by codes and verifiers, and have no secret.
 */
import { Buffer } from "node:buffer";
import { listScopes, parseScopes } from "../../core/accounts/token-scopes.ts";
import { toHex } from "../../core/hex.ts";
import { limits } from "../../core/limits.ts";
import { readParameter } from "../../core/oauth/authorization-request.ts";
import { CLI_CLIENT } from "../../core/oauth/client-metadata.ts";
import { DEVICE_GRANT_TYPE, OAUTH_PATHS } from "../../core/oauth/endpoints.ts";
import { DEVICE_CODE_MS, POLL_SECONDS } from "../../core/oauth/pending-codes.ts";
import { parseResource, type Resource } from "../../core/oauth/resources.ts";
import type { IssuedTokens, TokenFailure } from "../../core/ports/oauth-port.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { createAccessToken } from "../auth/access-token.ts";
import { closeLiveSocketsOf } from "../auth/close-live-sockets.ts";
import type { AppContext } from "../context.ts";
import { toFailureResponse } from "../failure-response.ts";
import { RATE_LIMITED } from "../failures.ts";
import { isNetworkWithinLimit } from "../network-limit.ts";
import { readBody } from "../read-body.ts";
import { awaitOrNull } from "../unavailable.ts";
import { getIssuer } from "./availability.ts";

/** Why an endpoint refuses a request. */
type EndpointFailure =
  | TokenFailure
  | {
      readonly reason:
        | "invalid_request"
        | "invalid_client"
        | "unauthorized_client"
        | "unsupported_grant_type"
        | "too_many_devices";
      readonly detail?: string;
    };

/** The status and the sentence of each error. */
const ERRORS: Readonly<
  Record<EndpointFailure["reason"], readonly [status: number, description: string]>
> = {
  invalid_request: [400, "Expected the parameters of the endpoint, each of them once."],
  invalid_client: [401, "Expected client_id, without a secret: there are public clients only."],
  unauthorized_client: [400, "Only the command errata may use the device flow."],
  unsupported_grant_type: [
    400,
    `Expected grant_type to be authorization_code, refresh_token or ${DEVICE_GRANT_TYPE}.`,
  ],
  invalid_grant: [400, "The code or the refresh token is unknown, expired, or used already."],
  invalid_target: [400, "Expected resource to be the one that was authorized."],
  invalid_scope: [400, "Expected scope to name scopes that were granted."],
  authorization_pending: [400, "Nobody has decided yet."],
  slow_down: [400, "Too many requests: wait five seconds longer each time."],
  access_denied: [400, "The person denied it."],
  expired_token: [400, "The device code has expired."],
  too_many_devices: [429, "Too many devices wait. Please try again in ten minutes."],
};

/** Answers of these endpoints must not be kept (OAuth 2.1 § 3.2.3). */
const NO_STORE = { "Cache-Control": "no-store" };

function toErrorResponse({ reason, ...more }: EndpointFailure): Response {
  const [status, description] = ERRORS[reason];
  const error = reason === "too_many_devices" ? "temporarily_unavailable" : reason;
  const detail = "detail" in more && more.detail !== undefined ? more.detail : description;
  return Response.json(
    { error, error_description: detail },
    { status, headers: { ...NO_STORE, ...(status === 429 && { "Retry-After": "600" }) } },
  );
}

type Fields = URLSearchParams;
/** The one value of a parameter. */
type Read = (name: string) => string | undefined;

/** `POST /oauth/token`: exchanges a code, a refresh token or a device code for tokens. */
export function serveToken(c: AppContext): Promise<Response> {
  return respond(c, async (read, client) => {
    const accessToken = await createAccessToken(c);
    const accessHash = toHex(c.get("services").sha256(accessToken));
    const issued = await issueTokens(c, read, { client, accessHash });
    if (!issued.ok) {
      if ("endedProjects" in issued) closeLiveSocketsOf(c, issued.endedProjects);
      return issued;
    }
    const { refreshToken, expiresMs, role, mayUpload, project } = issued.value;
    const { nowMs } = c.get("services");
    return ok({
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: Math.max(0, Math.round((expiresMs - nowMs()) / 1000)),
      refresh_token: refreshToken,
      scope: listScopes(role, mayUpload).join(" "),
      // Not of a standard: the command `errata` begins with this project.
      ...(project !== undefined && { project }),
    });
  });
}

/** `POST /oauth/revoke`: ends the grant of a token. 200 for every token that no longer works. */
export function serveRevocation(c: AppContext): Promise<Response> {
  return respond(c, async (read, client) => {
    const token = read("token");
    if (token === undefined) return invalid("Expected token.");
    const { oauth } = c.get("services").registry;
    const endedProjects = await oauth.revokeToken(token, client);
    if (endedProjects === null) return fail({ reason: "invalid_client" });
    closeLiveSocketsOf(c, endedProjects);
    return ok({});
  });
}

/** `POST /oauth/device`: the codes of a device, and the page where its person types one of them. */
export function serveDeviceAuthorization(c: AppContext): Promise<Response> {
  return respond(
    c,
    async (read, client) => {
      if (client !== CLI_CLIENT.id) return fail({ reason: "unauthorized_client" });
      const resource = parseResource(read("resource"), getIssuer(c));
      if (resource === null) return fail({ reason: "invalid_target" });
      const access = parseScopes(read("scope"));
      if (access === null) return fail({ reason: "invalid_scope" });
      const started = await c.get("services").registry.oauth.startDevice({
        client: CLI_CLIENT,
        ...access,
        resource,
        address: c.req.header("cf-connecting-ip") ?? "",
      });
      if (!started.ok) return fail({ reason: "too_many_devices" });
      const { deviceCode, userCode } = started.value;
      const page = `${getIssuer(c)}${OAUTH_PATHS.device}`;
      return ok({
        device_code: deviceCode,
        user_code: userCode,
        verification_uri: page,
        verification_uri_complete: `${page}?user_code=${userCode}`,
        expires_in: DEVICE_CODE_MS / 1000,
        interval: POLL_SECONDS,
      });
    },
    "signIn",
  );
}

async function issueTokens(
  c: AppContext,
  read: Read,
  { client, accessHash }: { readonly client: string; readonly accessHash: string },
): Promise<Result<IssuedTokens, EndpointFailure>> {
  const { oauth } = c.get("services").registry;
  const uri = read("resource");
  const resource: Resource | null = uri === undefined ? null : parseResource(uri, getIssuer(c));
  if (uri !== undefined && resource === null) return fail({ reason: "invalid_target" });
  switch (read("grant_type")) {
    case "authorization_code": {
      const [code, redirectUri, verifier] = [
        read("code"),
        read("redirect_uri"),
        read("code_verifier"),
      ];
      if (code === undefined || redirectUri === undefined || verifier === undefined)
        return invalid("Expected code, redirect_uri and code_verifier.");
      // RFC 7636 § 4.1.
      if (!/^[\w.~-]{43,128}$/.test(verifier))
        return invalid("Expected code_verifier to have 43 to 128 letters, digits and -._~.");
      const challenge = toChallenge(c, verifier);
      return oauth.exchangeCode(code, { client, redirectUri, challenge, resource }, accessHash);
    }
    case "refresh_token": {
      const token = read("refresh_token");
      if (token === undefined) return invalid("Expected refresh_token.");
      const scope = read("scope");
      const access = scope === undefined ? null : parseScopes(scope);
      if (scope !== undefined && access === null) return fail({ reason: "invalid_scope" });
      return oauth.refreshTokens(token, { client, resource, access }, accessHash);
    }
    case DEVICE_GRANT_TYPE: {
      const code = read("device_code");
      return code === undefined
        ? invalid("Expected device_code.")
        : oauth.pollDevice(code, client, accessHash);
    }
    case undefined:
      return invalid("Expected grant_type.");
    default:
      return fail({ reason: "unsupported_grant_type" });
  }
}

/** RFC 7636 § 4.6. */
function toChallenge(c: AppContext, verifier: string): string {
  return Buffer.from(c.get("services").sha256(verifier)).toString("base64url");
}

function invalid(detail: string) {
  return fail({ reason: "invalid_request" as const, detail });
}

/** Reads the form and the client, calls `answer`, and responds. 503 without the registry. */
async function respond(
  c: AppContext,
  answer: (read: Read, client: string) => Promise<Result<object, EndpointFailure>>,
  limit: "receipt" | "signIn" = "receipt",
): Promise<Response> {
  const services = c.get("services");
  if (!(await isNetworkWithinLimit(services, c.req.raw, limit, { use: "oauth " })))
    return toFailureResponse(RATE_LIMITED);
  const fields = await readFields(c.req.raw);
  if (!fields.ok) return toErrorResponse(fields);
  const known = fields.value;
  for (const name of new Set(known.keys()))
    if (readParameter(known, name) === null) return toErrorResponse({ reason: "invalid_request" });
  const read = (name: string) => readParameter(known, name) ?? undefined;
  const client = read("client_id");
  const hasSecret = c.req.header("authorization") !== undefined || known.has("client_secret");
  if (client === undefined || hasSecret) return toErrorResponse({ reason: "invalid_client" });
  const result = await awaitOrNull(c, answer(read, client));
  if (result === null) return toFailureResponse({ reason: "registry-unavailable" });
  return result.ok ? Response.json(result.value, { headers: NO_STORE }) : toErrorResponse(result);
}

async function readFields(request: Request): Promise<Result<Fields, EndpointFailure>> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get("content-type") ?? ""))
    return invalid("Expected Content-Type: application/x-www-form-urlencoded.");
  const body = await readBody(request);
  if (!body.ok) return invalid("Expected a form.");
  if (body.value.length > limits.maxOAuthBodyBytes)
    return invalid(`Expected at most ${limits.maxOAuthBodyBytes} bytes.`);
  return ok(new URLSearchParams(new TextDecoder().decode(body.value)));
}
