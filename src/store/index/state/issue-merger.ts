/**
 * Issues that are merged into others, and split off again, in the ledger: their counts, the codes that lead to them, and what was said
 * of them. Every method is synchronous, and stands within a transaction of the caller's.
 */

import { appendActivity } from "../../../core/issue/annotations.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { combineIssues } from "../../../core/issue/merge-issues.ts";
import { omitUndefined } from "../../../core/omit-undefined.ts";
import type { Digest } from "../../../core/report.ts";
import { createDirtyKeys, type DirtyKeys } from "./dirty-keys.ts";
import type { ProjectState } from "./project-state.ts";

/** The merging of one ledger. */
export class IssueMerger {
  readonly #state: ProjectState;

  constructor(state: ProjectState) {
    this.#state = state;
  }

  /** What the others have counted counts here from now on, and so does what comes of them. */
  merge(
    { digest }: Issue,
    from: readonly Digest[],
    by: string | undefined,
    nowMs: number,
  ): DirtyKeys {
    const { annotations, merges } = this.#state;
    const movedAliases: string[] = [];
    const moved: Digest[] = [];
    const others = [...new Set(from)].filter((other) => other !== digest);
    for (const other of others) {
      const theirs = this.#state.triage.getAnnotations(other);
      const ours = this.#state.triage.getAnnotations(digest);
      const activity = [...ours.activity, ...theirs.activity].sort((a, b) => a.atMs - b.atMs);
      const merged = {
        atMs: nowMs,
        action: "merged",
        from: other,
        ...omitUndefined({ by }),
      } as const;
      // What had been merged into that one comes with it.
      for (const one of [other, ...(this.#state.issues.get(other)?.mergedDigests ?? [])]) {
        const { splitOff } = this.#state.triage.getAnnotations(one);
        annotations.save(one, {
          v: 1,
          mergedInto: digest,
          activity: [],
          ...omitUndefined({ splitOff }),
        });
        moved.push(one);
      }
      annotations.save(digest, appendActivity({ ...ours, activity }, merged));
      movedAliases.push(...this.mergePair(digest, other, nowMs));
    }
    merges.clearCache();
    return createDirtyKeys({
      issues: [digest],
      decisions: others,
      aliases: movedAliases,
      annotations: [digest, ...moved],
    });
  }

  /** Adds one issue to another, with the codes that lead to it; gives those. Where one of them is missing nothing is done. */
  mergePair(digest: Digest, other: Digest, nowMs: number): readonly string[] {
    const { issues, aliases, search, decisions, tombstones } = this.#state;
    const [target, merged] = [issues.get(digest), issues.get(other)];
    if (target === undefined || merged === undefined) return [];
    issues.save(combineIssues(target, merged, nowMs));
    const movedAliases = [...aliases.move(other, digest), other];
    aliases.add(other, digest, nowMs);
    search.merge(other, digest);
    decisions.remove(other);
    issues.remove(other);
    // Their copies in KV are deleted when what they had counted is there in another.
    tombstones.add("issue", other);
    tombstones.add("decision", other);
    return movedAliases;
  }

  /** What was counted stays where it is; what comes of `off`, one of those that it took in, is an issue of its own again. */
  split(
    { mergedDigests = [], ...issue }: Issue,
    off: Digest,
    by: string | undefined,
    nowMs: number,
  ): DirtyKeys {
    const { issues, aliases, annotations, merges } = this.#state;
    const remaining = mergedDigests.filter((digest) => digest !== off);
    const splitOff = [...(issue.splitOff ?? []), off];
    issues.save({
      ...issue,
      ...(remaining.length > 0 && { mergedDigests: remaining }),
      splitOff,
      asOfMs: nowMs,
    });
    aliases.removeLink(off, issue.digest);
    const { mergedInto: _, ...ours } = this.#state.triage.getAnnotations(off);
    const splitPoint = { into: issue.digest, watermarks: issues.getWatermarks() };
    annotations.save(off, { ...ours, splitOff: [...(ours.splitOff ?? []), splitPoint] });
    this.#state.triage.addActivity(issue.digest, {
      atMs: nowMs,
      action: "split",
      digest: off,
      ...omitUndefined({ by }),
    });
    merges.clearCache();
    return createDirtyKeys({
      issues: [issue.digest],
      aliases: [off],
      annotations: [issue.digest, off],
    });
  }
}
