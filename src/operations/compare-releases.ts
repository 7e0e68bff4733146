/** What changed between any two releases: their issues and their sessions. */
import * as v from "valibot";
import { compareReleaseSummaries } from "../core/overview/release-comparison.ts";
import { fail, ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import { releaseText } from "./inputs.ts";
import { issueSummary, number, toIssueListOutput } from "./issue-output.ts";
import { defineRead, orNull } from "./operation.ts";
import {
  createReleaseQuery,
  issueSection,
  isUnseen,
  loadFacts,
  type ReleaseFilter,
  release as releaseSummary,
  toReleaseOutput,
} from "./releases.ts";

/** An issue with its occurrences in both releases. */
const ratedIssue = v.strictObject({
  issue: issueSummary,
  baseCount: number,
  releaseCount: number,
  rate: v.optional(v.pipe(number, v.description("Occurrences in 1,000 sessions"))),
  factor: v.optional(v.pipe(number, v.description("How many times as often as in the base"))),
});

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
    crashFree: v.optional(
      v.strictObject({
        base: number,
        release: number,
        points: number,
        margin: v.pipe(number, v.description("Half of the interval of 95 %")),
        isSignificant: v.boolean(),
        sessions: number,
      }),
    ),
    added: issueSection,
    regressed: issueSection,
    gone: issueSection,
    inBoth: issueSection,
    moreOften: list(ratedIssue),
    lessOften: list(ratedIssue),
  }),
  reasons: ["unknown-release"],
  async load({ base, release }, call) {
    const { services } = call;
    const { projectStore } = services;
    const all = await orNull(services, projectStore.listReleases());
    for (const one of [base, release]) {
      const isKnown = all === null || all.some((known) => known.name === one);
      if (!isKnown && (await isUnseen(projectStore, one)))
        return fail({ reason: "unknown-release" });
    }
    const find = (one: string) => all?.find((known) => known.name === one);
    const compared = await projectStore.compareReleases(base, release);
    return ok({
      all: all ?? [],
      summaries: [find(base), find(release)] as const,
      comparison: compareReleaseSummaries(find(base), find(release), compared, services.nowMs()),
      loadFacts: () => loadFacts(call, [base, release]),
      // Lists that only programs read.
      loadSections: async () => {
        const read = (...filters: readonly (readonly [string, ReleaseFilter])[]) =>
          projectStore.listIssues(createReleaseQuery(filters));
        const [added, regressed, gone, inBoth] = await Promise.all([
          read([release, { key: "release" }], [base, { key: "release", isNegated: true }]),
          read([release, { key: "regressed" }]),
          read([base, { key: "release" }], [release, { key: "release", isNegated: true }]),
          read([base, { key: "release" }], [release, { key: "release" }]),
        ]);
        return { added, regressed, gone, inBoth };
      },
    });
  },
  async toOutput({ summaries: [base, release], comparison, loadSections }, _, { services }) {
    const nowMs = services.nowMs();
    const sections = await loadSections();
    const toSection = (one: typeof sections.added) => toIssueListOutput(one, nowMs);
    const toRated = (rated: typeof comparison.moreOften) => {
      const { issues } = toIssueListOutput({ issues: rated.map(({ issue }) => issue) }, nowMs);
      return rated.map((one, n) => ({ ...one, issue: issues[n] ?? one.issue }));
    };
    return {
      base: base && toReleaseOutput(base),
      release: release && toReleaseOutput(release),
      crashFree: comparison.crashFree,
      added: toSection(sections.added),
      regressed: toSection(sections.regressed),
      gone: toSection(sections.gone),
      inBoth: toSection(sections.inBoth),
      moreOften: toRated(comparison.moreOften),
      lessOften: toRated(comparison.lessOften),
    };
  },
});
