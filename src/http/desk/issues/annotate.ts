/** `POST /d/<digest>/annotations`: comments, assigns, merges and splits, as a form or as JSON. */
import { parseDigest } from "../../../core/grouping/parse-digest.ts";
import type { AnnotationChange } from "../../../core/issue/annotations.ts";
import type { Digest } from "../../../core/report.ts";
import { fail, ok } from "../../../core/result.ts";
import type { Flash } from "../../../ui/layout/flash-message.tsx";
import { toIssueUrl } from "../../../ui/urls/issue-urls.ts";
import type { AppContext } from "../../context.ts";
import { toActionFlash, toAssignmentFlash } from "../../forms/flash-cookie.ts";
import { readForm } from "../../forms/form-body.ts";
import { createUndoId, respondToAction } from "../../forms/respond.ts";
import { toProjectUrl } from "../../project-url.ts";
import { parseAnnotationForm } from "./annotation-form.ts";
import { isMember } from "./is-member.ts";
import { toIssueUrlInList } from "./return-path.ts";
import { changeStackSplit } from "./split-by-stack.ts";

/** The flash message of each change. */
const FLASH_BY_CHANGE = {
  comment: "commented",
  "delete-comment": "comment-deleted",
  merge: "merged-into",
  split: "split",
} as const;

/** Changes that can be undone. */
const UNDOABLE = { assign: true, merge: true };

function toFlash(change: AnnotationChange, digest: Digest, undoId: string | undefined): Flash {
  return change.change === "assign"
    ? toAssignmentFlash(change.to, [digest], undoId)
    : toActionFlash(FLASH_BY_CHANGE[change.change], [digest], undoId);
}

/**
 * Redirects to the issue, after a merge to the merged one; JSON: its annotations with its `digest`.
 * 404 if an issue is unknown, 400, 413 or 415 for an invalid form; otherwise see `respondToAction`.
 */
export function annotateIssue(c: AppContext): Promise<Response> {
  const { projectStore, newId } = c.get("services");
  const parsedDigest = parseDigest(c.req.param("digest") ?? "");
  let formPath = parsedDigest.ok ? toIssueUrl(parsedDigest.value) : undefined;
  const perform = async () => {
    if (!parsedDigest.ok) return fail({ reason: "unknown-digest" });
    const issueDigest = parsedDigest.value;
    const requested = await readForm(c.req.raw, "bad-annotation", (fields) =>
      parseAnnotationForm(fields, { digest: issueDigest, newId }),
    );
    if (!requested.ok) return requested;
    const { digest, change } = requested.value;
    if (change.change === "stack") return changeStackSplit(c, digest, change);
    if (change.change === "assign" && change.to !== undefined && !(await isMember(c, change.to)))
      return fail({ reason: "unknown-member" });
    const { name: by } = c.get("principal");
    const undoId = change.change in UNDOABLE ? createUndoId(c) : undefined;
    const annotations = await projectStore.annotate(
      digest,
      by === undefined ? change : { ...change, by },
      undoId,
    );
    if (annotations === null) {
      // For a merge, the other issue may be the unknown one.
      if ((await projectStore.getFreshIssue(issueDigest)) === null) formPath = "/issues";
      return fail({ reason: "unknown-digest" });
    }
    const url = toIssueUrlInList(c, digest);
    const isComment = change.change === "comment" || change.change === "delete-comment";
    return ok({
      body: { digest, url: toProjectUrl(c, toIssueUrl(digest)), ...annotations },
      redirectTo: isComment ? `${url}#activity` : url,
      flash: toFlash(change, digest, undoId),
    });
  };
  return respondToAction(c, perform, { getFormPath: () => formPath });
}
