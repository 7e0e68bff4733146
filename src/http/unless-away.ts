/** The index or the registry may be away for a moment: what is asked of it then, and what is answered. The Worker's log is told why. */
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

/** What is asked, and may be away. */
export type Asked = "index" | "registry";

/** What `act` gives; `index-unavailable` where it rejects, or that of whatever else is asked. */
export async function orUnavailable<T>(
  c: AppContext,
  act: () => Promise<Result<T, Failure>>,
  asked: Asked = "index",
): Promise<Result<T, Failure>> {
  return (await unlessAway(c, act())) ?? fail({ reason: `${asked}-unavailable` });
}

/** What `answer` gives, as JSON unless it is a response; 503 where it rejects. For programs: people get a page that says so. */
export async function answerOrUnavailable(
  c: AppContext,
  answer: () => Promise<object>,
  asked: Asked = "index",
): Promise<Response> {
  const said = await unlessAway(c, answer());
  if (said === null) return failureResponse({ reason: `${asked}-unavailable` });
  return said instanceof Response ? said : c.json(said);
}
