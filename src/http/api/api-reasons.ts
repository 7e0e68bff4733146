/** Why a request to an operation can fail, as a closed list: for `/openapi.json` and its tests. */
import { limits } from "../../core/limits.ts";
import { type Operation, type OperationFailure, takesQuery } from "../../operations/operation.ts";
import { toNode } from "../../operations/provenance.ts";
import { hasReportedText } from "../../operations/trust-floor.ts";
import { toProblemResponse } from "../failure-response.ts";
import { type AuthorizationFailure, type Failure, RATE_LIMITED } from "../failures.ts";
import type { ApiInputFailure } from "./api-input.ts";

/** The reasons of `/api/v1`. An input that is not accepted is a `bad-request`. */
export type ApiReason =
  | Exclude<OperationFailure["reason"], "invalid-input">
  | AuthorizationFailure["reason"]
  | ApiInputFailure["reason"]
  | typeof RATE_LIMITED.reason
  | "trust-forbidden"
  | "bad-config"
  | "internal-error";

/** Before the input is read. */
const ACCESS_REASONS = [
  ...(["unauthenticated", "not-set-up", "https-required", "cross-site"] as const),
  ...(["no-such-project", "forbidden", "registry-unavailable"] as const),
  ...([RATE_LIMITED.reason, "bad-config", "internal-error"] as const),
] satisfies readonly ApiReason[];

const QUERY_REASONS = ["bad-request", "unknown-parameter"] satisfies readonly ApiReason[];

const BODY_REASONS = [
  ...QUERY_REASONS,
  ...(["too-large", "truncated-body", "bad-encoding", "bad-media-type"] as const),
] satisfies readonly ApiReason[];

/** Every reason for which a request to the operation can fail. */
export function listApiReasons(operation: Operation): readonly ApiReason[] {
  const { reasons, output } = operation;
  const own = reasons.filter((reason) => reason !== "invalid-input");
  const ofInput = takesQuery(operation) ? QUERY_REASONS : BODY_REASONS;
  const ofTrust = hasReportedText(toNode(output)) ? (["trust-forbidden"] as const) : [];
  return [...new Set([...ofInput, ...ACCESS_REASONS, ...ofTrust, ...own])];
}

const expected = "…";

/** A failure of each reason that has further members. */
const EXAMPLES: {
  readonly [Reason in ApiReason]?: Extract<Failure, { readonly reason: Reason }>;
} = {
  "bad-request": { reason: "bad-request", expected },
  "unknown-parameter": { reason: "unknown-parameter", expected },
  "bad-media-type": { reason: "bad-media-type", expected },
  "bad-encoding": { reason: "bad-encoding", expected },
  "too-large": { reason: "too-large", limit: "maxFormBytes", max: limits.maxFormBytes },
  "too-many-requests": RATE_LIMITED,
  "too-many": { reason: "too-many", limit: "…", max: 0 },
  "not-found": { reason: "not-found", what: "resource" },
  "not-confirmed": { reason: "not-confirmed", expected },
  "invalid-tracker": { reason: "invalid-tracker", detail: "…" },
  "tracker-refused": { reason: "tracker-refused", detail: "…" },
  "bad-config": { reason: "bad-config", problems: [] },
  "internal-error": { reason: "internal-error", status: 500 },
};

/** The response to a failure with this reason, with `…` in place of what differs. */
export function createExampleProblem(reason: ApiReason): Response {
  return toProblemResponse(EXAMPLES[reason] ?? ({ reason } as Failure));
}
