/** The index may be away for a moment: what is asked of it then, and what is answered. The Worker's log is told why. */
import { fail, type Result } from "../core/result.ts";
import { type Failure, failureResponse } from "./failures.ts";
import type { AppContext } from "./services.ts";

/** What was asked for; null while the index is away. Never rejects. */
export async function unlessAway<T>(c: AppContext, asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (cause) {
    c.get("services").logProblem(cause);
    return null;
  }
}

/** What `act` gives; `index-unavailable` where it rejects. */
export async function orUnavailable<T>(
  c: AppContext,
  act: () => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  return (await unlessAway(c, act())) ?? fail({ reason: "index-unavailable" });
}

/** What `ask` gives, as JSON; 503 where it rejects. */
export async function jsonOrUnavailable(
  c: AppContext,
  ask: () => Promise<object>,
): Promise<Response> {
  const said = await unlessAway(c, ask());
  return said === null ? failureResponse({ reason: "index-unavailable" }) : c.json(said);
}
