/**
 * The paths at which clients of MCP look for OAuth (RFC 9728 § 3, RFC 8414 § 3, OpenID Connect
 * Discovery 1.0 § 4). Errata has none: a client that found metadata would ignore the token that it
 * was given. 404 as JSON, because a page would be read as metadata too.
 */
import type { AppContext } from "../context.ts";
import { toProblemResponse } from "../failure-response.ts";

export const OAUTH_PATHS: readonly string[] = [
  "oauth-protected-resource",
  "oauth-authorization-server",
  "openid-configuration",
].flatMap((name) => [`/.well-known/${name}`, `/.well-known/${name}/*`]);

/** 404 for every method. */
export function serveNoOAuth(_: AppContext): Response {
  return toProblemResponse({ reason: "not-found", what: "resource" });
}
