/**
 * The resources that a token may be for (RFC 8707): all of Errata, or the MCP server of one
 * project. A token for the second works at that address only.
 */
import { FIRST_PROJECT_ID, getProjectBasePath } from "../accounts/project-path.ts";

/** The path of MCP within a project. */
export const MCP_PATH = "/mcp";

/** What a token is for. */
export type Resource =
  | { readonly kind: "mcp"; readonly project: string }
  /** The person chooses one project, or all. */
  | { readonly kind: "all" };

/** The path of MCP of a project, as in requests: `/mcp`, `/p/2/mcp`. */
const MCP_ADDRESS = /^(?:\/p\/([1-9]\d{0,8}))?\/mcp$/;

/** The MCP server at a path, with or without the last slash; undefined for other paths. */
export function findMcpResource(
  pathname: string,
): Extract<Resource, { readonly kind: "mcp" }> | undefined {
  const [found, project = FIRST_PROJECT_ID] = MCP_ADDRESS.exec(pathname.replace(/\/$/, "")) ?? [];
  return found === undefined ? undefined : { kind: "mcp", project };
}

/**
 * The resource with this URI; all of Errata without one. Null for any other URI: a token for
 * another server must not come from here (RFC 8707 § 2).
 */
export function parseResource(uri: string | undefined, origin: string): Resource | null {
  if (uri === undefined || uri === origin || uri === `${origin}/`) return { kind: "all" };
  const url = URL.parse(uri);
  if (url === null || url.origin !== origin || url.search !== "" || url.hash !== "") return null;
  // A URL drops dot segments and user names, which no client has to send.
  return `${url.origin}${url.pathname}` === uri ? (findMcpResource(url.pathname) ?? null) : null;
}

/** The URI of a resource: `https://errata.example/p/2/mcp`. */
export function toResourceUri(resource: Resource, origin: string): string {
  if (resource.kind === "all") return origin;
  return `${origin}${getProjectBasePath(resource.project)}${MCP_PATH}`;
}

/** True if both are the same resource. */
export function isSameResource(one: Resource, other: Resource): boolean {
  return (
    one.kind === other.kind &&
    (one.kind === "all" || (other.kind === "mcp" && one.project === other.project))
  );
}
