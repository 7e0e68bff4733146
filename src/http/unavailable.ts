/** Turns an unavailable Durable Object into `null` or 503, and logs the cause. */
import { fail, type Result } from "../core/result.ts";
import { type Dependency, orNull } from "../operations/operation.ts";
import type { AppContext } from "./context.ts";
import { toFailureResponse } from "./failure-response.ts";
import type { Failure } from "./failures.ts";

/** The value; null if the promise rejects. Never rejects. */
export function awaitOrNull<T>(c: AppContext, dependency: Promise<T>): Promise<T | null> {
  return orNull(c.get("services"), dependency);
}

/** The result of `perform`; the failure `<dependency>-unavailable` if it rejects. */
export async function runOrUnavailable<T>(
  c: AppContext,
  perform: () => Promise<Result<T, Failure>>,
  dependency: Dependency = "index",
): Promise<Result<T, Failure>> {
  return (await awaitOrNull(c, perform())) ?? fail({ reason: `${dependency}-unavailable` });
}

/**
 * The value of `respond` as JSON, or its response; 503 if it rejects. For programs; pages show the
 * problem in place.
 */
export async function respondOrUnavailable(
  c: AppContext,
  respond: () => Promise<object>,
  dependency: Dependency = "index",
): Promise<Response> {
  const body = await awaitOrNull(c, respond());
  if (body === null) return toFailureResponse({ reason: `${dependency}-unavailable` });
  return body instanceof Response ? body : c.json(body);
}
