/**
 * Reads the ingest keys of a request. Senders put the key in several places, sometimes in two at
 * once; all must be equal. Keys are public, so their comparison needs no timing protection. Source:
 * Sentry develop docs › SDK › Overview § Authentication;
 * relay-server/src/extractors/request_meta.rs.
 */

import { INGEST_FORMATS } from "../../ingest/formats.ts";

/** Headers of formats with an ingest key, and their syntax. */
export const KEY_HEADERS = INGEST_FORMATS.flatMap(({ keyHeaders = {} }) =>
  Object.entries(keyHeaders),
);

/**
 * The different keys of the query (`sentry_key`), of the headers of formats, of `Authorization`
 * (`Sentry sentry_key=…`, `Bearer …`, `Basic` with the key as user), and of the path.
 */
export function readIngestKeys(
  { searchParams }: URL,
  headers: Headers,
  keyInPath: string | undefined,
): readonly string[] {
  const candidates = [
    searchParams.get("sentry_key"),
    ...KEY_HEADERS.map(([name, syntax]) => {
      const value = headers.get(name);
      return syntax === "key" ? value : parseAuthorization(value);
    }),
    parseAuthorization(headers.get("authorization")),
    keyInPath,
  ];
  return [...new Set(candidates.flatMap((key) => key || []))];
}

/**
 * The origin of the page that sent a request, `null` if it is unknown; undefined for a program.
 * Browsers send some reports, such as those of a policy, without `Origin`, but with metadata of
 * Fetch. Node's `fetch` sends only `Sec-Fetch-Mode`.
 */
export function findPageOrigin(headers: Headers): string | undefined {
  const origin = headers.get("origin");
  if (origin !== null) return origin;
  if (!headers.has("sec-fetch-dest") && !headers.has("sec-fetch-site")) return undefined;
  const referrer = headers.get("referer") ?? "";
  return URL.canParse(referrer) ? new URL(referrer).origin : "null";
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
