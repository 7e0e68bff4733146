/** `POST /d/<digest>/annotations`: comments, who looks after it, merging and splitting. A form or JSON; only Errata's own pages may send it. */
import { parseDigest } from "../../../core/grouping/digest.ts";
import { fail, ok } from "../../../core/result.ts";
import { toIssueUrl } from "../../../ui/urls/issue-urls.ts";
import type { AppContext } from "../../context.ts";
import { respondToAction } from "../../forms/respond.ts";
import { toProjectUrl } from "../../project-url.ts";
import { readAnnotationForm } from "./annotation-form.ts";

/** What the page says of each change. */
const FLASH_BY_CHANGE = {
  comment: "commented",
  "delete-comment": "comment-deleted",
  assign: "assigned",
  merge: "merged-into",
  split: "split",
} as const;

/**
 * Leads to the page of the issue, after a merge to the one that has all; JSON: its notes, with its `digest`. 404 where one of the
 * issues is not known, 400, 413 or 415 for fields that ask for nothing; otherwise as `answerChange` says.
 */
export function annotateIssue(c: AppContext): Promise<Response> {
  const { projectStore, newId } = c.get("services");
  const parsedDigest = parseDigest(c.req.param("digest") ?? "");
  let formPath = parsedDigest.ok ? toIssueUrl(parsedDigest.value) : undefined;
  const perform = async () => {
    if (!parsedDigest.ok) return fail({ reason: "unknown-digest" });
    const requested = await readAnnotationForm(c.req.raw, { digest: parsedDigest.value, newId });
    if (!requested.ok) return requested;
    const { digest, change } = requested.value;
    const { name: by } = c.get("principal");
    const annotations = await projectStore.annotate(
      digest,
      by === undefined ? change : { ...change, by },
    );
    if (annotations === null) {
      // Of a merge it may be the other one that nobody knows.
      if ((await projectStore.getFreshIssue(parsedDigest.value)) === null) formPath = "/issues";
      return fail({ reason: "unknown-digest" });
    }
    const url = toIssueUrl(digest);
    const isComment = change.change === "comment" || change.change === "delete-comment";
    return ok({
      body: { digest, url: toProjectUrl(c, url), ...annotations },
      redirectTo: isComment ? `${url}#activity` : url,
      flash: { kind: FLASH_BY_CHANGE[change.change], count: 1 },
    });
  };
  return respondToAction(c, perform, { getFormPath: () => formPath });
}
