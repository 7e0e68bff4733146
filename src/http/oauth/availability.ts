/**
 * Whether this Errata is an authorization server. Clients that find metadata ignore a token that
 * they were given, so there is none where the flow could not end.
 */
import type { MiddlewareHandler } from "hono";
import { findMcpResource, type Resource } from "../../core/oauth/resources.ts";
import { MCP_SCOPES, toResourceMetadataUrl } from "../../core/oauth/server-metadata.ts";
import { isSecureOrLoopback } from "../auth/session-cookie.ts";
import type { AppContext, AppEnv } from "../context.ts";
import { toProblemResponse } from "../failure-response.ts";

/**
 * True if people sign in here. With `ERRATA_LOCAL=open` nobody does, and Cloudflare Access would
 * answer the requests of programs itself.
 */
export function isOAuthAvailable(c: AppContext): boolean {
  const { config } = c.get("services");
  return !config.isLocalOpen && config.access === undefined && isSecureOrLoopback(c);
}

/** Middleware: 404 as JSON without OAuth, also for a browser. */
export const requireOAuth: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!isOAuthAvailable(c)) return toProblemResponse({ reason: "not-found", what: "resource" });
  await next();
};

/** The issuer (RFC 8414 § 2): the origin of Errata. */
export function getIssuer(c: AppContext): string {
  return new URL(c.req.url).origin;
}

/**
 * Adds to a 401 where a program finds out how to get a token (RFC 9728 § 5.1), and that the one it
 * sent is invalid (RFC 6750 § 3.1).
 */
export function addBearerChallenge(c: AppContext, response: Response): Response {
  if (response.status !== 401 || !isOAuthAvailable(c)) return response;
  const resource: Resource = findMcpResource(c.req.path) ?? { kind: "all" };
  const parameters = {
    ...(c.req.header("authorization") !== undefined && { error: "invalid_token" }),
    resource_metadata: toResourceMetadataUrl(resource, getIssuer(c)),
    ...(resource.kind === "mcp" && { scope: MCP_SCOPES.join(" ") }),
  };
  const list = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  response.headers.set("WWW-Authenticate", `Bearer ${list.join(", ")}`);
  return response;
}
