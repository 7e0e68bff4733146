/**
 * Why the reports of an issue are together: the parts of its grouping key, and those of the issues
 * merged into it. A digest is a hash of the parts, so any report of a digest has the same. Pure.
 */
import { limits } from "../limits.ts";
import { omitUndefined } from "../omit-undefined.ts";
import type { ReportSummary } from "../report/report-summary.ts";
import type { Digest, ReportGrouping } from "../report.ts";
import { truncateOneLine } from "../truncate.ts";
import type { Issue } from "./issue.ts";

/** The members of an issue about its keys. */
export type IssueGroupings = Pick<Issue, "grouping" | "mergedGroupings">;

/** The first parts of a key, together at most `limits.maxKeyPartChars`. Long ones are truncated. */
export function limitGrouping(grouping: ReportGrouping | undefined): ReportGrouping | undefined {
  if (grouping === undefined) return undefined;
  const parts = grouping.parts.slice(0, limits.maxKeyParts);
  // Short parts leave their room to the long ones.
  const lengths = parts.map(({ value }) => value.length).sort((a, b) => a - b);
  let room: number = limits.maxKeyPartChars;
  let share = room;
  lengths.forEach((length, nth) => {
    share = Math.floor(room / (lengths.length - nth));
    room -= Math.min(length, share);
  });
  return {
    version: grouping.version,
    parts: parts.map((part) => ({ ...part, value: truncateOneLine(part.value, share) })),
  };
}

/**
 * The keys of an issue after a report with a digest of its own, which may be that of a merged
 * issue.
 */
export function addGrouping(
  issue: IssueGroupings & Pick<Issue, "digest">,
  { isLinked, grouping }: Pick<ReportSummary, "isLinked" | "grouping">,
  ownDigest: Digest,
): IssueGroupings {
  const known = { grouping: issue.grouping, mergedGroupings: issue.mergedGroupings };
  if (isLinked || grouping === undefined) return omitUndefined(known);
  if (ownDigest === issue.digest)
    return omitUndefined({ ...known, grouping: known.grouping ?? grouping });
  return combineGroupings(issue, { digest: ownDigest, grouping });
}

/** The keys of an issue after another one was merged into it. */
export function combineGroupings(
  into: IssueGroupings,
  from: IssueGroupings & Pick<Issue, "digest">,
): IssueGroupings {
  const all = {
    ...into.mergedGroupings,
    ...(from.grouping && { [from.digest]: from.grouping }),
    ...from.mergedGroupings,
  };
  const kept = Object.entries(all).slice(0, limits.mergedGroupingsPerIssue);
  return omitUndefined({ grouping: into.grouping, mergedGroupings: toRecord(kept) });
}

/** The keys of merged issues without that of one, which was split off. */
export function removeGrouping(
  mergedGroupings: Issue["mergedGroupings"],
  digest: Digest,
): Issue["mergedGroupings"] {
  return toRecord(Object.entries(mergedGroupings ?? {}).filter(([name]) => name !== digest));
}

function toRecord(entries: readonly (readonly [Digest, ReportGrouping])[]) {
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
