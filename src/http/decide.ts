/** `POST /d/<digest>/state`: a person decides about an issue. A plain form or JSON; only Errata's own pages may send it. */
import { readDigest } from "../core/digest.ts";
import { fail, ok } from "../core/result.ts";
import { issueUrl } from "../ui/issue/issue-url.ts";
import { answerChange } from "./change.ts";
import { readChoice } from "./choice.ts";
import { doneTo } from "./done.ts";
import { issueFields } from "./issue-json.ts";
import type { AppContext } from "./services.ts";

/**
 * Leads to the issue's page; JSON: the issue as it is then, without its reports. 404 for a digest without an issue, 400, 413 or
 * 415 for what is no choice; otherwise as `answerChange` says.
 */
export function decideState(c: AppContext): Promise<Response> {
  const { desk } = c.get("services");
  const digest = readDigest(c.req.param("digest") ?? "");
  let formAt = digest.ok ? issueUrl(digest.value) : undefined;
  const act = async () => {
    if (!digest.ok) return fail({ reason: "unknown-digest" });
    const choice = await readChoice(c.req.raw);
    if (!choice.ok) return choice;
    const by = c.get("visitor").name;
    const issue = await desk.decide(digest.value, { ...choice.value, by });
    if (issue === null) {
      formAt = "/issues";
      return fail({ reason: "unknown-digest" });
    }
    return ok({
      said: issueFields(c, issue),
      leadsTo: issueUrl(issue.digest),
      done: doneTo(1, choice.value),
    });
  };
  return answerChange(c, act, { formAt: () => formAt });
}
