/** What changed between any two releases: their issues and their sessions. */
import * as v from "valibot";
import { fail, ok } from "../core/result.ts";
import { releaseText } from "./inputs.ts";
import { toIssueListOutput } from "./issue-output.ts";
import { defineRead, orNull } from "./operation.ts";
import {
  createReleaseQuery,
  issueSection,
  isUnseen,
  type ReleaseFilter,
  release as releaseSummary,
  toReleaseOutput,
} from "./releases.ts";

export const compareTwoReleases = defineRead({
  name: "releases.compare",
  summary: "Compare two releases: issues that came, went, regressed and stayed, and the sessions.",
  role: "viewer",
  rate: "search",
  route: "GET /release-comparison",
  input: v.strictObject({
    base: releaseText("the release to compare with, of"),
    release: releaseText("the other release, of"),
  }),
  output: v.strictObject({
    base: v.optional(releaseSummary),
    release: v.optional(releaseSummary),
    added: issueSection,
    regressed: issueSection,
    gone: issueSection,
    inBoth: issueSection,
  }),
  reasons: ["unknown-release"],
  async load({ base, release }, { services }) {
    const { projectStore } = services;
    const all = await orNull(services, projectStore.listReleases());
    for (const one of [base, release]) {
      const isKnown = all === null || all.some((known) => known.name === one);
      if (!isKnown && (await isUnseen(projectStore, one)))
        return fail({ reason: "unknown-release" });
    }
    const list = (...filters: readonly (readonly [string, ReleaseFilter])[]) =>
      projectStore.listIssues(createReleaseQuery(filters));
    const [added, regressed, gone, inBoth] = await Promise.all([
      list([release, { key: "release" }], [base, { key: "release", isNegated: true }]),
      list([release, { key: "regressed" }]),
      list([base, { key: "release" }], [release, { key: "release", isNegated: true }]),
      list([base, { key: "release" }], [release, { key: "release" }]),
    ]);
    const find = (one: string) => all?.find((known) => known.name === one);
    return ok({ summaries: [find(base), find(release)], added, regressed, gone, inBoth });
  },
  toOutput({ summaries: [base, release], ...sections }, _, { services }) {
    const toSection = (one: typeof sections.added) => toIssueListOutput(one, services.nowMs());
    return {
      base: base && toReleaseOutput(base),
      release: release && toReleaseOutput(release),
      added: toSection(sections.added),
      regressed: toSection(sections.regressed),
      gone: toSection(sections.gone),
      inBoth: toSection(sections.inBoth),
    };
  },
});
