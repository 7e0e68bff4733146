/**
 * Reads the ingest key of a request. Senders put it in several places, sometimes in two at once;
 * all must agree. Keys are public, so they are compared without timing protection.
 * Source: Sentry develop docs › SDK › Overview § Authentication;
 * relay-server/src/extractors/request_meta.rs.
 */
import { fail, ok, type Result } from "../../core/result.ts";

/** The request contains different keys. */
type CredentialFailure = { readonly reason: "conflicting-keys" };

/**
 * The key of the query (`sentry_key`), of `X-Sentry-Auth` or `Authorization` (`Sentry
 * sentry_key=…`, `Bearer …`, `Basic` with the key as user), of the path, or of a DSN in the body;
 * undefined without one.
 */
export function readIngestKey(
  request: { readonly url: URL; readonly headers: Headers },
  others: readonly (string | undefined)[],
): Result<string | undefined, CredentialFailure> {
  const query = request.url.searchParams.get("sentry_key") ?? undefined;
  const candidates = [
    query,
    parseAuthorization(request.headers.get("x-sentry-auth")),
    parseAuthorization(request.headers.get("authorization")),
    ...others,
  ];
  const [key, ...otherKeys] = new Set(
    candidates.filter((name) => name !== undefined && name !== ""),
  );
  return otherKeys.length > 0 ? fail({ reason: "conflicting-keys" }) : ok(key);
}

/** The public key of a DSN, `https://<key>@host/1`; undefined for other text. */
export function parseDsnKey(dsn: string): string | undefined {
  return /^https?:\/\/(\w{1,64})(?::\w*)?@/.exec(dsn)?.[1];
}

function parseAuthorization(header: string | null): string | undefined {
  const [, scheme = "", rest = ""] = /^(\w+)\s+(.{1,2000})$/.exec(header?.trim() ?? "") ?? [];
  switch (scheme.toLowerCase()) {
    case "sentry":
      return /(?:^|[\s,])sentry_key\s*=\s*"?(\w+)/.exec(rest)?.[1];
    case "bearer":
      return /^\w+$/.test(rest) ? rest : undefined;
    case "basic":
      return parseBasicUser(rest);
    default:
      return undefined;
  }
}

function parseBasicUser(basic: string): string | undefined {
  try {
    return /^(\w+):/.exec(atob(basic))?.[1];
  } catch {
    // Invalid base64.
    return undefined;
  }
}
