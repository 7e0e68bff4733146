/**
 * Records what happens to the fixes of issues, in their annotations. Synchronous; each call is one
 * transaction.
 */
import {
  type FixEvent,
  fixEventLimits,
  limitFixEvent,
  type SentFixEvent,
  toChangeKey,
} from "../../../core/issue/fix-event.ts";
import {
  addFixEvent,
  type FixRecord,
  listCurrentEvents,
  toFixMark,
} from "../../../core/issue/fix-record.ts";
import type { Digest } from "../../../core/report.ts";
import { type ChangeResult, createDirtyKeys } from "../state/dirty-keys.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { decide } from "./triage.ts";

/**
 * Records events of changes. Returns the issues that exist: an issue that was merged into another
 * one counts as that one. An event that is known changes nothing, and one without a URL or a commit
 * is ignored.
 */
export function recordFixEvents(
  tables: IndexTables,
  sent: readonly SentFixEvent[],
  nowMs: number,
): ChangeResult<readonly Digest[]> {
  const { issues, annotations, merges, awaitedCommits } = tables;
  const found = new Set<Digest>();
  const changed = new Set<Digest>();
  tables.transaction(() => {
    for (const { digests, ...one } of sent.slice(0, fixEventLimits.maxEventsPerCall)) {
      const event = limitFixEvent(one);
      if (event === null) continue;
      const named = digests.slice(0, fixEventLimits.maxDigestsPerEvent);
      for (const digest of new Set(named.map((code) => merges.resolve(code)))) {
        const issue = issues.get(digest);
        if (issue === undefined) continue;
        found.add(digest);
        const before = annotations.getOrEmpty(digest);
        const fix = addFixEvent(before.fix ?? {}, event);
        if (fix === before.fix) continue;
        annotations.save(digest, { ...before, fix });
        changed.add(digest);
        const fixMark = toFixMark(fix);
        if (fixMark !== issue.fixMark) issues.save({ ...issue, fixMark, asOfMs: nowMs });
        if (event.kind === "merged" && event.commit !== undefined)
          awaitedCommits.add(event.commit, digest, nowMs);
      }
    }
  });
  return { result: [...found], dirtyKeys: createDirtyKeys({ issues: changed }) };
}

/**
 * A release has these commits: the issues that merged ones among them fix are resolved in it, by
 * the author of the change, unless they are resolved in a release already. Returns these issues.
 */
export function recordReleasedCommits(
  tables: IndexTables,
  release: string,
  commits: readonly string[],
  nowMs: number,
  undoId?: string,
): ChangeResult<readonly Digest[]> {
  const ids = new Set(commits.map((id) => id.toLowerCase()));
  return tables.transaction(() => {
    const fixed: Digest[] = [];
    for (const digest of tables.awaitedCommits.take([...ids])) {
      const before = tables.annotations.getOrEmpty(digest);
      const event = findMerged(before.fix, ids);
      if (event === undefined) continue;
      const deployed = { release, atMs: nowMs, commit: event.commit };
      const fix = { ...before.fix, deployed };
      tables.annotations.save(digest, { ...before, fix });
      const { decision } = tables.issues.get(digest) ?? {};
      if (decision?.state === "resolved" && decision.release !== undefined) continue;
      const by = event.author ?? toChangeKey(event).slice(0, fixEventLimits.maxAuthorChars);
      decide(tables, [digest], { state: "resolved", release, by }, nowMs, undoId);
      fixed.push(digest);
    }
    return { result: fixed, dirtyKeys: createDirtyKeys({ issues: fixed }) };
  });
}

/** The last merge of the current fix whose commit is one of these. */
function findMerged(record: FixRecord = {}, commits: ReadonlySet<string>): FixEvent | undefined {
  const isMerged = ({ kind, commit = "" }: FixEvent) => kind === "merged" && commits.has(commit);
  return listCurrentEvents(record).findLast(isMerged);
}
