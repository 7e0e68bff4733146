/**
 * Loads the issue of a page. The issue is read from the index and from its snapshot
 * in KV at the same time. The page begins with the first of the two. Near the index, this is the
 * current issue, which is rendered once; elsewhere it is the snapshot, which the current issue
 * replaces.
 */
import type { WithSentAlerts } from "../../../core/alerts/sent-alert.ts";
import type { Comparison } from "../../../core/differences/find-differences.ts";
import type { Annotations } from "../../../core/issue/annotations.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { CurrentIssue, SimilarIssue } from "../../../core/ports/storage-ports.ts";
import type { Digest } from "../../../core/report.ts";
import type { CodeSettings } from "../../../core/repositories/repository.ts";
import { NO_CODE } from "../../../operations/code.ts";
import { noteArrival } from "../../../ui/failure/note-arrival.ts";
import type { AppContext } from "../../context.ts";
import { ignoreRejection } from "../../send-page.tsx";
import { awaitOrNull } from "../../unavailable.ts";

/** An issue to begin a page with, and the data that follows. */
export interface LoadedIssue {
  /** The current issue if it came first, otherwise the snapshot. */
  readonly issue: Issue;
  /** The current issue; the snapshot while the index is unavailable, null if erased. */
  readonly freshIssue: Promise<Issue | null>;
  /** Null while the index is unavailable. */
  readonly annotations: Promise<(Annotations & WithSentAlerts) | null>;
  /** Null while the index is unavailable. */
  readonly similar: Promise<readonly SimilarIssue[] | null>;
  /** What is different and what is usual about the reports; none while the index is unavailable. */
  readonly comparison: Promise<Comparison>;
  /** The repositories and the owners of the project; none while the index is unavailable. */
  readonly code: Promise<CodeSettings>;
  /** The state of its fix, and agents; null while the index is unavailable. */
  readonly fix: Promise<Pick<CurrentIssue, "fix" | "agents"> | null>;
  /** Resolves when the read of the snapshot has ended, even if it failed. The page begins then. */
  readonly snapshotRead: Promise<unknown>;
}

/** Null if the issue is unknown. Rejects if neither the index nor KV answers. */
export async function loadIssue(c: AppContext, digest: Digest): Promise<LoadedIssue | null> {
  const { projectStore } = c.get("services");
  const current = awaitOrNull(c, projectStore.getCurrentIssue(digest));
  const known = ignoreRejection(projectStore.getIssue(digest));
  const snapshotRead = known.then(
    () => null,
    () => null,
  );
  const first = await Promise.race([current, snapshotRead]);
  const issue = first?.issue ?? (await known);
  if (issue === null) return null;
  return {
    issue,
    freshIssue: noteArrival(current.then((answer) => (answer === null ? issue : answer.issue))),
    annotations: noteArrival(current.then((answer) => answer?.annotations ?? null)),
    comparison: noteArrival(
      current.then((answer) => ({
        differences: answer?.differences ?? [],
        usual: answer?.usual ?? [],
      })),
    ),
    code: noteArrival(current.then((answer) => answer?.code ?? NO_CODE)),
    fix: noteArrival(current),
    similar: noteArrival(current.then((answer) => answer?.similar ?? null)),
    snapshotRead,
  };
}
