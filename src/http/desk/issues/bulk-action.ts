/** `POST /issues/state`: changes the selected issues, and `POST /undo`: undoes an action. */
import type { IssueCursor } from "../../../core/issue/issue-list-page.ts";
import type { IssueQuery } from "../../../core/issue/issue-query.ts";
import { limits } from "../../../core/limits.ts";
import { omitUndefined } from "../../../core/omit-undefined.ts";
import type { ProjectStore } from "../../../core/ports/storage-ports.ts";
import type { Digest } from "../../../core/report.ts";
import { fail, ok } from "../../../core/result.ts";
import type { Flash } from "../../../ui/layout/flash-message.tsx";
import type { AppContext } from "../../context.ts";
import { toActionFlash, toAssignmentFlash, toDecisionFlash } from "../../forms/flash-cookie.ts";
import { expected, readForm } from "../../forms/form-body.ts";
import { createUndoId, respondToAction } from "../../forms/respond.ts";
import { isReportId } from "../../forms/validators.ts";
import { type BulkAction, parseBulkActionForm } from "./bulk-action-form.ts";
import { isMember } from "./is-member.ts";
import { toReturnPath } from "./return-path.ts";

/**
 * Sets the state of the selected issues, assigns them, or merges them into the first. Redirects to
 * the page that the form was on; JSON: `{"digests":[…]}`, the changed issues. 400, 413 or 415 for
 * an invalid form; otherwise see `respondToAction`.
 */
export function changeSelectedIssues(c: AppContext): Promise<Response> {
  const perform = async () => {
    const selection = await readForm(c.req.raw, "bad-bulk-action", parseBulkActionForm, "digest");
    if (!selection.ok) return selection;
    const { target, action, returnTo } = selection.value;
    if (action.kind === "assign" && action.to !== undefined && !(await isMember(c, action.to)))
      return fail({ reason: "unknown-member" });
    const { projectStore } = c.get("services");
    const digests =
      "query" in target ? await listMatching(projectStore, target.query) : target.digests;
    const { changed, flash } = await applyAction(c, digests, action);
    return ok({ body: { digests: changed }, redirectTo: toReturnPath(returnTo), flash });
  };
  return respondToAction(c, perform, { getFormPath: () => "/issues" });
}

/**
 * Takes `undo`, the id of an action. Redirects to the page that the button was on; JSON:
 * `{"digests":[…]}`, the restored issues. 400 for an invalid form; otherwise see `respondToAction`.
 */
export function undoAction(c: AppContext): Promise<Response> {
  let returnPath = "/issues";
  const perform = async () => {
    const form = await readForm(c.req.raw, "bad-bulk-action", (fields) => {
      const id = fields.get("undo");
      return isReportId(id)
        ? ok({ id, returnTo: fields.get("returnTo") })
        : expected("the id of an action in the field undo");
    });
    if (!form.ok) return form;
    returnPath = toReturnPath(form.value.returnTo);
    const undone = await c.get("services").projectStore.undo(form.value.id);
    const digests = undone?.digests ?? [];
    const flash: Flash =
      undone === null || digests.length === 0
        ? { kind: "not-undone", count: 0 }
        : toActionFlash(undone.change === "merge" ? "split" : "undone", digests);
    return ok({ body: { digests }, redirectTo: returnPath, flash });
  };
  return respondToAction(c, perform, { getFormPath: () => returnPath });
}

/** The maximum of pages read for one action. Pages of a search in a long list may be empty. */
const MAX_READ_PAGES = 20;

/** The first `limits.maxMatchesPerAction` issues of a query. */
async function listMatching(store: ProjectStore, query: IssueQuery): Promise<readonly Digest[]> {
  const { maxMatchesPerAction, maxIssuesPerDecision } = limits;
  const digests: Digest[] = [];
  let from: IssueCursor | undefined;
  for (let n = 0; n < MAX_READ_PAGES && digests.length < maxMatchesPerAction; n++) {
    const { issues, next } = await store.listIssues(query, from, maxIssuesPerDecision);
    digests.push(...issues.map(({ digest }) => digest));
    if (next === undefined) break;
    from = next;
  }
  return digests.slice(0, maxMatchesPerAction);
}

async function applyAction(
  c: AppContext,
  digests: readonly Digest[],
  action: BulkAction["action"],
): Promise<{ readonly changed: readonly Digest[]; readonly flash: Flash }> {
  const { projectStore } = c.get("services");
  const by = omitUndefined({ by: c.get("principal").name });
  const undoId = createUndoId(c);
  switch (action.kind) {
    case "decide": {
      const { decision } = action;
      const changed = await inParts(digests, (part) =>
        projectStore.decideMany(part, { ...decision, ...by }, undoId),
      );
      return { changed, flash: toDecisionFlash(changed, decision, undoId) };
    }
    case "assign": {
      const change = { change: "assign", ...omitUndefined({ to: action.to }), ...by } as const;
      const changed = await inParts(digests, (part) =>
        projectStore.assignMany(part, change, undoId),
      );
      return { changed, flash: toAssignmentFlash(action.to, changed, undoId) };
    }
    case "merge": {
      const [into, ...from] = digests;
      const isMerged =
        into !== undefined &&
        from.length > 0 &&
        (await projectStore.annotate(into, { change: "merge", from, ...by }, undoId)) !== null;
      if (!isMerged) return { changed: [], flash: { kind: "nothing-merged", count: 0 } };
      return { changed: digests, flash: toActionFlash("merged", digests, undoId) };
    }
  }
}

/** Changes at most `limits.maxIssuesPerDecision` issues in one call. */
async function inParts(
  digests: readonly Digest[],
  change: (part: readonly Digest[]) => Promise<readonly Digest[]>,
): Promise<readonly Digest[]> {
  const changed: Digest[] = [];
  for (let at = 0; at < digests.length; at += limits.maxIssuesPerDecision)
    changed.push(...(await change(digests.slice(at, at + limits.maxIssuesPerDecision))));
  return changed;
}
