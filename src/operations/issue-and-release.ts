/**
 * What releases say about an issue: the commits that may have caused it, and whether its fix holds.
 */
import * as v from "valibot";
import type { Annotations } from "../core/issue/annotations.ts";
import { formatProof } from "../core/issue/fix-proof.ts";
import {
  FIX_STATES,
  type FixStatus,
  getFixStatus,
  needsReleasesForFix,
} from "../core/issue/fix-status.ts";
import type { Issue } from "../core/issue/issue.ts";
import type { ReleaseCommit } from "../core/release/release-facts.ts";
import { wasSeen } from "../core/release/release-summary.ts";
import { findSuspectCommits, type SuspectCommit } from "../core/release/suspect-commits.ts";
import type { Report } from "../core/report.ts";
import { list } from "../core/schema/stored-object.ts";
import {
  getResolutions,
  type Symbolication,
  toOriginalReport,
} from "../core/symbolication/report/original-stack.ts";
import { flag, number } from "./issue-output.ts";
import { type Call, orNull } from "./operation.ts";
import { byMember, time } from "./provenance.ts";

/** The suspects among the commits of a release, by the stacks of a report in the original source. */
export function findSuspects(
  commits: readonly ReleaseCommit[],
  report: Report | null,
  symbolication: Symbolication | null,
): readonly SuspectCommit[] {
  if (commits.length === 0 || report === null) return [];
  const { frames, causes = [] } = toOriginalReport(report, getResolutions(symbolication));
  return findSuspectCommits([...frames, ...causes.flatMap((cause) => cause.frames)], commits);
}

/** Suspect commits in an output. */
export const suspectCommits = v.optional(
  list(
    v.strictObject({
      id: byMember(),
      file: byMember("The path of the changed file in the repository, which is in the stack"),
      repository: v.optional(byMember()),
      message: v.optional(byMember()),
      author: v.optional(byMember()),
      atMs: v.optional(time),
      url: v.optional(byMember()),
    }),
  ),
);

/** The suspects in an output; absent without any. */
export function toSuspectOutput(
  suspects: readonly SuspectCommit[],
): v.InferOutput<typeof suspectCommits> {
  return suspects.length === 0
    ? undefined
    : suspects.map(({ commit: { files: _, ...commit }, file }) => ({ ...commit, file }));
}

const occurrences = v.strictObject({ reports: number, sessions: number });

/** What the sessions say about a fix, in an output. */
export const fixProof = v.optional(
  v.strictObject({
    release: byMember("The release in which the issue was resolved"),
    since: v.pipe(occurrences, v.description("In that release and later ones")),
    before: v.optional(occurrences),
  }),
);

/** The life of a fix, in an output. */
export const fixStatus = v.strictObject({
  state: v.pipe(
    v.picklist(FIX_STATES),
    v.description(
      "none; proposed: a change is open; merged; deployed: a release with it was seen; " +
        "proven: its sessions show it; came-back: the issue occurred again",
    ),
  ),
  change: v.optional(
    v.strictObject({
      url: v.optional(byMember("The pull or merge request, or the commit")),
      title: v.optional(byMember()),
      commit: v.optional(byMember()),
      author: v.optional(byMember()),
    }),
  ),
  proposedMs: v.optional(time),
  mergedMs: v.optional(time),
  deployedMs: v.optional(time),
  release: v.optional(byMember("The release with the fix")),
  proof: fixProof,
  proofText: v.optional(byMember("The proof in words: 0 in 4,102 sessions of 1.4.2; before 3.1 %")),
  cameBackMs: v.optional(time),
  handOff: v.optional(
    v.strictObject({
      atMs: time,
      name: byMember("The destination of alerts that leads to the agent"),
      by: v.optional(byMember()),
      isReturn: v.optional(flag),
    }),
  ),
});

/** The status in an output. */
export function toFixOutput(status: FixStatus): v.InferOutput<typeof fixStatus> {
  const { proof } = status;
  return { ...status, ...(proof !== undefined && { proofText: formatProof(proof) }) };
}

/** The life of the fix of an issue. Without the releases, its state is that without any. */
export async function loadFix(
  { services }: Pick<Call, "services">,
  issue: Issue,
  annotations: Annotations | null,
): Promise<FixStatus> {
  const { fix } = annotations ?? {};
  const releases = needsReleasesForFix(fix, issue)
    ? await orNull(services, services.projectStore.listReleases())
    : null;
  return getFixStatus(fix, issue, (releases ?? []).filter(wasSeen), services.nowMs());
}
