/**
 * Programs that ask for a token. A program is identified by the address of its metadata (OAuth
 * Client ID Metadata Document, draft-ietf-oauth-client-id-metadata-document): whoever controls the
 * address vouches for it. There is no registration. The command `errata` is built in.
 */
import * as v from "valibot";
import { limits } from "../limits.ts";
import { parseName } from "../plain-text.ts";
import { fail, ok, type Result } from "../result.ts";
import { truncateText } from "../truncate.ts";
import { CLI_CLIENT_ID } from "./endpoints.ts";

const CLI_CLIENT_NAME = "Errata command line";

/** A program, as its metadata describes it. */
export interface Client {
  readonly id: string;
  /** The name that the program has of itself. Anyone may choose any name. */
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/** The command `errata`. */
export const CLI_CLIENT: Client = { id: CLI_CLIENT_ID, name: CLI_CLIENT_NAME, redirectUris: [] };

/** Why a program is refused; `detail` is a sentence for people. */
export interface ClientFailure {
  readonly reason: "bad-client";
  readonly detail: string;
}

export function refuseClient(detail: string): Result<never, ClientFailure> {
  return fail({ reason: "bad-client", detail });
}

/**
 * Checks the form of a `client_id`: a URL with a path, without a fragment, a user name and dot
 * segments (§ 3 of the draft). It must be written as URLs are serialized, because it is compared as
 * text. Which hosts and schemes are allowed, the reader of the document decides.
 */
export function parseClientId(clientId: string): URL | null {
  const url = clientId.length <= limits.maxClientIdChars ? URL.parse(clientId) : null;
  if (url === null || url.href !== clientId) return null;
  const hasPath = url.pathname !== "/" && url.hash === "" && !clientId.includes("#");
  return hasPath && url.username === "" && url.password === "" ? url : null;
}

const metadataSchema = v.object({
  client_id: v.string(),
  client_name: v.optional(v.string()),
  redirect_uris: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(50)),
  token_endpoint_auth_method: v.optional(v.string()),
  client_secret: v.optional(v.undefined()),
  grant_types: v.optional(v.array(v.string())),
  response_types: v.optional(v.array(v.string())),
});

/** Decodes the document at the address `clientId`. */
export function decodeClientMetadata(
  json: unknown,
  clientId: string,
): Result<Client, ClientFailure> {
  const parsed = v.safeParse(metadataSchema, json);
  if (!parsed.success)
    return refuseClient("Its metadata is not a valid Client ID Metadata Document.");
  const {
    client_id: id,
    client_name: name,
    redirect_uris: redirectUris,
    token_endpoint_auth_method: method = "none",
    grant_types: grants = ["authorization_code"],
    response_types: responses = ["code"],
  } = parsed.output;
  if (id !== clientId) return refuseClient("Its metadata is that of another client_id.");
  if (method !== "none")
    return refuseClient("It is a confidential client. Errata supports public clients only.");
  if (!grants.includes("authorization_code") || !responses.includes("code"))
    return refuseClient("It does not use authorization codes.");
  return ok({
    id,
    name: parseName(truncateText(name ?? "", limits.maxClientNameChars), 80) ?? new URL(id).host,
    redirectUris,
  });
}

/**
 * An HTTP address of this machine, split into its host and what follows the port. `localhost`
 * counts as well: clients in use register it.
 */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(\/[^#\\]*)?$/;

/**
 * True if the program may receive its code at `requested`: it is one of `registered`, character by
 * character. On this machine, any port may be used, because native programs get a free one from the
 * system (RFC 8252 § 7.3).
 */
export function isRegisteredRedirect(requested: string, registered: readonly string[]): boolean {
  if (!isSafeRedirect(requested)) return false;
  const [, host, rest] = LOOPBACK.exec(requested) ?? [];
  return registered.some((one) => {
    const [, knownHost, knownRest] = LOOPBACK.exec(one) ?? [];
    return one === requested || (host !== undefined && host === knownHost && rest === knownRest);
  });
}

/** True for an HTTP address of this machine. */
export function isLoopbackRedirect(uri: string): boolean {
  return LOOPBACK.test(uri);
}

/**
 * HTTPS, HTTP on this machine, or a scheme of an application, which has a dot (RFC 8252 § 7.1). Not
 * `javascript:` and the like, and without a fragment (RFC 6749 § 3.1.2).
 */
function isSafeRedirect(uri: string): boolean {
  const url = uri.length <= limits.maxRedirectUriChars ? URL.parse(uri) : null;
  if (url === null || uri.includes("#") || url.username !== "" || url.password !== "") return false;
  const isOfApplication = /^[a-z][a-z0-9+-]*\.[a-z0-9.+-]+:$/.test(url.protocol);
  return url.protocol === "https:" || isLoopbackRedirect(uri) || isOfApplication;
}
