/** The index or the registry may be away for a moment: what is asked of it then, and what is answered. The Worker's log is told why. */
import { fail, type Result } from "../core/result.ts";
import type { AppContext } from "./context.ts";
import { type Failure, toFailureResponse } from "./failures.ts";

/** What was asked for; null while the index is away. Never rejects. */
export async function awaitOrNull<T>(c: AppContext, dependency: Promise<T>): Promise<T | null> {
  try {
    return await dependency;
  } catch (cause) {
    c.get("services").logProblem(cause);
    return null;
  }
}

/** What is asked, and may be away. */
export type Dependency = "index" | "registry";

/** What `act` gives; `index-unavailable` where it rejects, or that of whatever else is asked. */
export async function runOrUnavailable<T>(
  c: AppContext,
  perform: () => Promise<Result<T, Failure>>,
  dependency: Dependency = "index",
): Promise<Result<T, Failure>> {
  return (await awaitOrNull(c, perform())) ?? fail({ reason: `${dependency}-unavailable` });
}

/** What `answer` gives, as JSON unless it is a response; 503 where it rejects. For programs: people get a page that says so. */
export async function respondOrUnavailable(
  c: AppContext,
  respond: () => Promise<object>,
  dependency: Dependency = "index",
): Promise<Response> {
  const body = await awaitOrNull(c, respond());
  if (body === null) return toFailureResponse({ reason: `${dependency}-unavailable` });
  return body instanceof Response ? body : c.json(body);
}
