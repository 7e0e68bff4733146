/**
 * The metadata by which programs find out how to get a token: of a resource (RFC 9728 § 2) and of
 * the authorization server (RFC 8414 § 2), whose issuer is the origin of Errata.
 */
import { SCOPES, type Scope } from "../accounts/token-scopes.ts";
import { DEVICE_GRANT_TYPE, OAUTH_PATHS } from "./endpoints.ts";
import { type Resource, toResourceUri } from "./resources.ts";

/** Where the metadata of a resource begins; the path of the resource follows (RFC 9728 § 3.1). */
export const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";
/** Where the metadata of the authorization server is (RFC 8414 § 3). */
export const SERVER_METADATA_PATH = "/.well-known/oauth-authorization-server";

/** The scopes that an agent needs for all its tools. */
export const MCP_SCOPES = ["read", "triage"] as const satisfies readonly Scope[];

/** The metadata of a resource. */
export function createResourceMetadata(resource: Resource, origin: string) {
  return {
    resource: toResourceUri(resource, origin),
    authorization_servers: [origin],
    scopes_supported: resource.kind === "mcp" ? MCP_SCOPES : SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: "Errata",
    resource_documentation: `${origin}/docs/${resource.kind === "mcp" ? "mcp" : "api"}`,
  };
}

/** The URL of the metadata of a resource: `…/.well-known/oauth-protected-resource/p/2/mcp`. */
export function toResourceMetadataUrl(resource: Resource, origin: string): string {
  const { pathname } = new URL(toResourceUri(resource, origin));
  return `${origin}${RESOURCE_METADATA_PATH}${pathname === "/" ? "" : pathname}`;
}

/** The metadata of the authorization server. */
export function createServerMetadata(origin: string) {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}${OAUTH_PATHS.authorize}`,
    token_endpoint: `${origin}${OAUTH_PATHS.token}`,
    revocation_endpoint: `${origin}${OAUTH_PATHS.revoke}`,
    device_authorization_endpoint: `${origin}${OAUTH_PATHS.deviceAuthorization}`,
    scopes_supported: SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token", DEVICE_GRANT_TYPE],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${origin}/docs/access-and-roles`,
  };
}
