/** `POST /d/<digest>/state`: sets the state of an issue, as a form or as JSON. */
import { parseDigest } from "../../../core/grouping/parse-digest.ts";
import { fail, ok } from "../../../core/result.ts";
import { toIssueUrl } from "../../../ui/urls/issue-urls.ts";
import type { AppContext } from "../../context.ts";
import { toDecisionFlash } from "../../forms/flash-cookie.ts";
import { readForm } from "../../forms/form-body.ts";
import { createUndoId, respondToAction } from "../../forms/respond.ts";
import { toIssueJson } from "../../issue-json.ts";
import { parseDecisionForm } from "./decision-form.ts";
import { toIssueUrlInList } from "./return-path.ts";

/**
 * Redirects to the issue; JSON: the updated issue without its reports. 404 for a digest without an
 * issue, 400, 413 or 415 for an invalid form; otherwise see `respondToAction`.
 */
export function decideIssue(c: AppContext): Promise<Response> {
  const { projectStore } = c.get("services");
  const digest = parseDigest(c.req.param("digest") ?? "");
  let formPath = digest.ok ? toIssueUrl(digest.value) : undefined;
  const perform = async () => {
    if (!digest.ok) return fail({ reason: "unknown-digest" });
    const decision = await readForm(c.req.raw, "bad-decision", parseDecisionForm);
    if (!decision.ok) return decision;
    const by = c.get("principal").name;
    const undoId = createUndoId(c);
    const issue = await projectStore.decide(digest.value, { ...decision.value, by }, undoId);
    if (issue === null) {
      formPath = "/issues";
      return fail({ reason: "unknown-digest" });
    }
    return ok({
      body: toIssueJson(c, issue),
      redirectTo: toIssueUrlInList(c, issue.digest),
      flash: toDecisionFlash([issue.digest], decision.value, undoId),
    });
  };
  return respondToAction(c, perform, { getFormPath: () => formPath });
}
