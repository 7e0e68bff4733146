/**
 * `/.well-known/…`: the metadata of OAuth. 404 as JSON for every path without any, because clients
 * would read a page as metadata too.
 */
import { findMcpResource, type Resource } from "../../core/oauth/resources.ts";
import {
  createResourceMetadata,
  createServerMetadata,
  RESOURCE_METADATA_PATH,
  SERVER_METADATA_PATH,
} from "../../core/oauth/server-metadata.ts";
import type { AppContext } from "../context.ts";
import { toProblemResponse } from "../failure-response.ts";
import { getIssuer, isOAuthAvailable } from "./availability.ts";

/**
 * Where clients look: RFC 9728 § 3, RFC 8414 § 3, OpenID Connect Discovery 1.0 § 4. Errata has no
 * OpenID Connect.
 */
export const METADATA_PATHS: readonly string[] = [
  RESOURCE_METADATA_PATH,
  SERVER_METADATA_PATH,
  "/.well-known/openid-configuration",
].flatMap((path) => [path, `${path}/*`]);

/** The metadata at a path of `METADATA_PATHS`. */
export function serveMetadata(c: AppContext): Response {
  if (c.req.method !== "GET" && isOAuthAvailable(c))
    return toProblemResponse({ reason: "method-not-allowed", allow: ["GET"] });
  const metadata = isOAuthAvailable(c) ? findMetadata(c) : undefined;
  if (metadata === undefined) return toProblemResponse({ reason: "not-found", what: "resource" });
  // Anyone may read it, as browsers of other sites do for programs in them.
  return c.json(metadata, 200, {
    "Cache-Control": "public, max-age=300",
    "Access-Control-Allow-Origin": "*",
  });
}

function findMetadata(c: AppContext): object | undefined {
  const { path } = c.req;
  const origin = getIssuer(c);
  if (path === SERVER_METADATA_PATH) return createServerMetadata(origin);
  if (!path.startsWith(RESOURCE_METADATA_PATH)) return undefined;
  const of = path.slice(RESOURCE_METADATA_PATH.length);
  const resource: Resource | undefined = of === "" ? { kind: "all" } : findMcpResource(of);
  return resource && createResourceMetadata(resource, origin);
}
