/**
 * What releases say about an issue: the commits that may have caused it, and whether its fix holds.
 */
import * as v from "valibot";
import { findFixProof } from "../core/issue/fix-proof.ts";
import type { Issue } from "../core/issue/issue.ts";
import type { ReleaseCommit } from "../core/release/release-facts.ts";
import { findSuspectCommits, type SuspectCommit } from "../core/release/suspect-commits.ts";
import type { Report } from "../core/report.ts";
import { list } from "../core/schema/stored-object.ts";
import {
  getResolutions,
  type Symbolication,
  toOriginalReport,
} from "../core/symbolication/report/original-stack.ts";
import { number } from "./issue-output.ts";
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

/** The proof of an issue that is resolved in a release; absent without sessions. Never rejects. */
export async function loadProof(
  { services }: Pick<Call, "services">,
  issue: Issue,
): Promise<v.InferOutput<typeof fixProof>> {
  const { state, release } = issue.decision ?? {};
  if (state !== "resolved" || release === undefined) return undefined;
  const releases = await orNull(services, services.projectStore.listReleases());
  return releases === null ? undefined : findFixProof(issue, releases, services.nowMs());
}
