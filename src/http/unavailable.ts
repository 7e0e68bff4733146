/** Turns an unavailable Durable Object into `null` or 503, and logs the cause. */
import { fail, type Result } from "../core/result.ts";
import type { AppContext } from "./context.ts";
import { toFailureResponse } from "./failure-response.ts";
import type { Failure } from "./failures.ts";

/** The value; null if the promise rejects. Never rejects. */
export async function awaitOrNull<T>(c: AppContext, dependency: Promise<T>): Promise<T | null> {
  try {
    return await dependency;
  } catch (cause) {
    c.get("services").logProblem(cause);
    return null;
  }
}

/** The Durable Object that a request depends on. */
export type Dependency = "index" | "registry" | "source-maps" | "alerts";

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
