/** `POST /d/<digest>/state`: a person decides about an issue. A plain form or JSON; only Errata's own pages may send it. */
import { readDigest } from "../core/digest.ts";
import type { Issue } from "../core/issue.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { readChoice } from "./choice.ts";
import { type Failure, failureResponse } from "./failures.ts";
import { readsJson } from "./fields.ts";
import { issueUrl } from "./find.ts";
import { issueFields } from "./issue.tsx";
import { isSameOrigin } from "./same-origin.ts";
import type { AppContext } from "./services.ts";

/**
 * 303 to the issue's page; to who asks for JSON or sent some, the issue as it is then, without its reports. 403 for what another
 * site sent, 404 for a digest without an issue, 400, 413 or 415 for what is no choice, 503 while the index is away: these are
 * JSON, and nothing was changed.
 */
export async function decideState(c: AppContext): Promise<Response> {
  const decided = await decideAsTold(c);
  if (!decided.ok) return failureResponse(decided);
  return readsJson(c)
    ? c.json(issueFields(decided.value, c.get("services").nowMs()))
    : c.redirect(issueUrl(decided.value.digest), 303);
}

async function decideAsTold(c: AppContext): Promise<Result<Issue, Failure>> {
  const { desk, logProblem } = c.get("services");
  if (!isSameOrigin(c.req.raw)) return fail({ reason: "cross-site" });
  const digest = readDigest(c.req.param("digest") ?? "");
  if (!digest.ok) return fail({ reason: "unknown-digest" });
  const choice = await readChoice(c.req.raw);
  if (!choice.ok) return choice;
  try {
    const issue = await desk.decide(digest.value, choice.value);
    return issue === null ? fail({ reason: "unknown-digest" }) : ok(issue);
  } catch (cause) {
    logProblem(cause);
    return fail({ reason: "index-unavailable" });
  }
}
