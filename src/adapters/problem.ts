/**
 * `errata/problem`: the answer of an API that failed, so that the program that called it can quote
 * the digest. Source: RFC 9457, sections 3.1 and 3.2.
 */

import type { Named } from "./server.ts";

/** The media type of problem details. */
export const PROBLEM_TYPE = "application/problem+json";

/** Problem details of a failure. No member describes the error itself. */
export interface Problem {
  readonly type: "about:blank";
  readonly title: string;
  readonly status: number;
  /** The receipt of this failure. */
  readonly instance?: string;
  /** `7F3K-Q2M9`. */
  readonly digest: string;
}

/** The problem details of a named failure. */
export function createProblem({ digest, receiptUrl }: Named, status = 500): Problem {
  return {
    type: "about:blank",
    title: STATUS_TEXTS[status] ?? "Internal Server Error",
    status,
    ...(receiptUrl !== undefined && { instance: receiptUrl }),
    digest,
  };
}

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/** The response with the problem details. */
export function createProblemResponse(named: Named, status = 500): Response {
  const headers = { "content-type": PROBLEM_TYPE, "cache-control": "no-store" };
  return new Response(JSON.stringify(createProblem(named, status)), { status, headers });
}

/**
 * True if a client asks for a page rather than data. `accept` and `secFetchMode` are headers of the
 * request; browsers send the second one.
 */
export function wantsPage(
  accept: string | null | undefined,
  secFetchMode?: string | null | undefined,
): boolean {
  return secFetchMode === "navigate" || /\btext\/html\b/.test(accept ?? "");
}
