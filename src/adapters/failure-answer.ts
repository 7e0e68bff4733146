/** Which responses of a server are failures, and what a visitor or a program gets of one. */

import { toHex } from "../core/hex.ts";
import { createNoticePage } from "./notice.ts";
import type { ReadHeader } from "./page-headers.ts";
import { createProblem, PROBLEM_TYPE, wantsPage } from "./problem.ts";
import type { Named } from "./server.ts";

/** The response to a failure. */
export interface FailureAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * True for the status of a response after an error: not for a redirect or a 4xx, with which an
 * application decides how to go on. With a 2xx, the failure is silent.
 */
export function isFailureStatus(status: number): boolean {
  return status < 300 || status >= 500;
}

/** The notice for a visitor, problem details for a program. Neither describes the error. */
export function createFailureAnswer(
  named: Named,
  status: number,
  readHeader: ReadHeader,
): FailureAnswer {
  const shared = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  if (!wantsPage(readHeader("accept"), readHeader("sec-fetch-mode"))) {
    const headers = { ...shared, "content-type": PROBLEM_TYPE };
    return { headers, body: JSON.stringify(createProblem(named, status)) };
  }
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(16)));
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  const headers = {
    ...shared,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
  };
  return { headers, body: createNoticePage({ ...named, nonce }) };
}
