/** The request during which something happened, from the shapes that senders give it. */
import { keepHeaders } from "../core/kept-headers.ts";
import { limits } from "../core/limits.ts";
import { present } from "../core/present.ts";
import type { RequestFacts } from "../core/report.ts";
import type { Cuts } from "./cuts.ts";
import { pairsOf } from "./decode.ts";

/** What a sender said of a request, still undecoded. `headers` may be an object or a list of pairs. */
export interface RequestClaims {
  readonly method?: unknown;
  readonly url?: unknown;
  readonly route?: unknown;
  readonly headers?: unknown;
  readonly userAgent?: unknown;
}

/**
 * The facts that are kept: only headers of the allow list, the user agent from its header unless it is given. Undefined
 * when nothing is known.
 */
export function requestOf(claims: RequestClaims, cuts: Cuts): RequestFacts | undefined {
  const headers = keepHeaders(pairsOf(claims.headers)).map(
    ([name, value]) => [name, cuts.text("headers", value, limits.maxStringChars) ?? ""] as const,
  );
  const header = headers.find(([name]) => name === "user-agent")?.[1];
  const text = (value: unknown) => cuts.text("request", value, limits.maxStringChars);
  const facts: RequestFacts = present({
    method: cuts.text("request", claims.method, MAX_METHOD_CHARS),
    url: text(claims.url),
    route: text(claims.route),
    headers: headers.length === 0 ? undefined : headers,
    userAgent: text(claims.userAgent) ?? header,
  });
  return Object.keys(facts).length === 0 ? undefined : facts;
}

const MAX_METHOD_CHARS = 20;
