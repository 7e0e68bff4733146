/** Starts or ends the split of an issue by stack, a setting of the project (`splitDigests`). */
import { findProject } from "../../../core/accounts/registry.ts";
import { canSplitByStack } from "../../../core/grouping/stack-identity.ts";
import type { Digest } from "../../../core/report.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import { toIssueUrl } from "../../../ui/urls/issue-urls.ts";
import type { AppContext } from "../../context.ts";
import type { Failure } from "../../failures.ts";
import { toActionFlash } from "../../forms/flash-cookie.ts";
import type { ActionResult } from "../../forms/respond.ts";
import { toProjectUrl } from "../../project-url.ts";
import type { StackChange } from "./annotation-form.ts";
import { toIssueUrlInList } from "./return-path.ts";

/**
 * Changes the setting, which the registry authorizes and records. Only an existing issue can be
 * split, but a split whose issue was erased can be ended. Rejects while the index is unavailable.
 */
export async function changeStackSplit(
  c: AppContext,
  digest: Digest,
  change: StackChange,
): Promise<Result<ActionResult, Failure>> {
  const { projectStore, registry, logProblem } = c.get("services");
  const isSplit = change.do === "split-by-stack";
  if (isSplit) {
    const issue = await projectStore.getFreshIssue(digest);
    if (issue?.digest !== digest) return fail({ reason: "unknown-digest" });
    const expected = "an issue with a grouping key, without a stack in it";
    if (!canSplitByStack(issue)) return fail({ reason: "bad-annotation", expected });
  }
  const { actor } = c.get("principal");
  const changed = await registry
    .applyChange(actor, { do: change.do, project: c.get("project"), digest })
    .catch((cause: unknown) => {
      logProblem(cause);
      return fail({ reason: "registry-unavailable" as const });
    });
  if (!changed.ok) return changed;
  return ok({
    body: { digest, url: toProjectUrl(c, toIssueUrl(digest)), splitByStack: isSplit },
    redirectTo: toIssueUrlInList(c, digest),
    flash: toActionFlash(change.do, [digest]),
  });
}

/** The digests that the page's project splits by stack, in the copy that authentication read. */
export function listSplitDigests(c: AppContext): readonly Digest[] {
  const known = c.get("services").registry.getLastCopy();
  return (known && findProject(known, c.get("project"))?.splitDigests) ?? [];
}
