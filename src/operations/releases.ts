/** Releases: their issues and sessions, and what build tools said about them. */
import * as v from "valibot";
import { type FilterKey, type IssueQuery, parseIssueQuery } from "../core/issue/issue-query.ts";
import type { ReleaseFacts, ScriptCoverage } from "../core/ports/source-maps-port.ts";
import { compareReleases, parseReleasePackage } from "../core/release/compare-releases.ts";
import type { ReleaseSummary } from "../core/release/release-summary.ts";
import { fail, ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import { getCrashFreePercent } from "../core/stats/crash-free.ts";
import { releaseText } from "./inputs.ts";
import { flag, issueList, number, timeCounts, toIssueListOutput } from "./issue-output.ts";
import { type Call, defineRead, type OperationServices, orNull } from "./operation.ts";
import { byMember, reported, reportedByAnyone, time, trustLevel } from "./provenance.ts";

const READ = { role: "viewer", rate: "read" } as const;

/** A release as build tools describe it. */
export const releaseFacts = v.strictObject({
  version: byMember(),
  createdMs: time,
  releasedMs: v.optional(time),
  deploys: list(
    v.strictObject({
      environment: byMember(),
      name: v.optional(byMember()),
      url: v.optional(byMember()),
      startedMs: v.optional(time),
      finishedMs: v.optional(time),
    }),
  ),
  commits: list(
    v.strictObject({
      id: byMember(),
      repository: v.optional(byMember()),
      message: v.optional(byMember()),
      author: v.optional(byMember()),
      atMs: v.optional(time),
      url: v.optional(byMember()),
      files: v.optional(list(byMember("The path of a changed file"))),
    }),
  ),
});

const releaseMembers = {
  name: reported(),
  trust: trustLevel,
  firstSeenMs: v.optional(time),
  issueCount: number,
  newIssueCount: number,
  regressedCount: number,
  fixedCount: number,
  sessions: v.optional(
    v.strictObject({
      started: number,
      errored: number,
      crashed: number,
      days: timeCounts,
      isPublic: v.optional(flag),
    }),
  ),
  crashFreePercent: v.optional(number),
};
/** A release without what build tools said about it. */
export const release = v.strictObject(releaseMembers);

export function toReleaseOutput(summary: ReleaseSummary) {
  return { ...summary, crashFreePercent: getCrashFreePercent(summary) };
}

/** What build tools sent about the named releases, or the newest ones. Never rejects. */
export async function loadFacts(
  { services }: Call,
  versions?: readonly string[],
): Promise<readonly ReleaseFacts[]> {
  return (await orNull(services, services.sourceMaps.listReleaseFacts(versions))) ?? [];
}

export const listReleases = defineRead({
  ...READ,
  name: "releases.list",
  summary: "List the newest releases, and those that only build tools have named.",
  route: "GET /releases",
  input: v.strictObject({}),
  output: v.strictObject({
    releases: list(v.strictObject({ ...releaseMembers, facts: v.optional(releaseFacts) })),
    withoutReports: v.optional(list(releaseFacts)),
  }),
  reasons: [],
  load: async (_, call) =>
    ok({ releases: call.services.projectStore.listReleases(), facts: loadFacts(call) }),
  async toOutput(loaded) {
    const releases = await loaded.releases;
    const known = await loaded.facts;
    const names = new Set(releases.map(({ name }) => name));
    const withoutReports = known.filter(({ version }) => !names.has(version));
    return {
      releases: releases.map((one) => ({
        ...toReleaseOutput(one),
        facts: known.find(({ version }) => version === one.name),
      })),
      withoutReports: withoutReports.length > 0 ? withoutReports : undefined,
    };
  },
});

/** Issues of a release. */
export const issueSection = v.strictObject(issueList);

export const getRelease = defineRead({
  ...READ,
  name: "releases.get",
  summary: "Read a release: its issues, the releases around it, and which scripts have maps.",
  rate: "search",
  route: "GET /releases/{name}",
  input: v.strictObject({
    name: releaseText(),
  }),
  output: v.strictObject({
    release: v.optional(release),
    previous: v.optional(release),
    next: v.optional(release),
    facts: v.optional(releaseFacts),
    new: issueSection,
    regressed: issueSection,
    fixed: issueSection,
    other: issueSection,
    scripts: v.nullable(list(v.strictObject({ file: reportedByAnyone(), hasMap: v.boolean() }))),
  }),
  reasons: ["unknown-release"],
  async load({ name }, call) {
    const { services } = call;
    const { projectStore } = services;
    const all = projectStore.listReleases();
    const known = await orNull(services, all);
    const sections = loadSections(projectStore, name);
    // A page may end before it reads them.
    void Promise.allSettled(sections.map(({ page }) => page));
    const ofTools = loadFacts(call, [name]).then(([found]) => found);
    const isUnknown =
      known !== null &&
      !known.some((one) => one.name === name) &&
      (await ofTools) === undefined &&
      (await isUnseen(projectStore, name));
    if (isUnknown) return fail({ reason: "unknown-release" });
    return ok({
      neighbors: all.then((releases) => findNeighbors(releases, name)),
      facts: ofTools,
      sections,
      coverage: orNull(services, loadScriptCoverage(services, name)),
    });
  },
  async toOutput(loaded, _, { services }) {
    const { release: own, previous, next } = await loaded.neighbors;
    const lists = await Promise.all(
      loaded.sections.map(
        async ({ name, page }) => [name, toIssueListOutput(await page, services.nowMs())] as const,
      ),
    );
    return {
      release: own && toReleaseOutput(own),
      previous: previous && toReleaseOutput(previous),
      next: next && toReleaseOutput(next),
      facts: await loaded.facts,
      ...(Object.fromEntries(lists) as Record<SectionName, (typeof lists)[number][1]>),
      scripts: await loaded.coverage,
    };
  },
});

type ProjectStore = OperationServices["projectStore"];

/** A release too old for the list, or of Errata itself, may still occur in stored reports. */
export async function isUnseen(projectStore: ProjectStore, name: string): Promise<boolean> {
  const query = createReleaseQuery([[name, { key: "release" }]]);
  for (const isNoise of [false, true]) {
    const { total, isTotalCapped } = await projectStore.listIssues({ ...query, isNoise });
    if (total > 0 || isTotalCapped) return false;
  }
  return true;
}

/** A filter key, and whether it is negated. */
export interface ReleaseFilter {
  readonly key: FilterKey;
  readonly isNegated?: true;
}

/** The queries of the sections, in the order of the page. */
const SECTIONS = [
  { name: "new", filters: [{ key: "new" }] },
  { name: "regressed", filters: [{ key: "regressed" }] },
  { name: "fixed", filters: [{ key: "fixed" }] },
  {
    name: "other",
    filters: [
      { key: "release" },
      { key: "new", isNegated: true },
      { key: "regressed", isNegated: true },
      { key: "fixed", isNegated: true },
    ],
  },
] as const satisfies readonly { name: string; filters: readonly ReleaseFilter[] }[];

type SectionName = (typeof SECTIONS)[number]["name"];

function loadSections(projectStore: ProjectStore, version: string) {
  return SECTIONS.map(({ name, filters }) => {
    const query = createReleaseQuery(filters.map((filter) => [version, filter]));
    return { name, query, page: projectStore.listIssues(query) };
  });
}

/** A query for the issues that match every filter of its release. */
export function createReleaseQuery(
  filters: readonly (readonly [release: string, filter: ReleaseFilter])[],
): IssueQuery {
  return {
    ...parseIssueQuery("", "count"),
    filters: filters.map(([value, { key, isNegated = false }]) => ({
      key,
      value,
      isExact: true,
      isNegated,
    })),
  };
}

/** A release with the previous and next one of the same package. */
function findNeighbors(all: readonly ReleaseSummary[], name: string) {
  const seenMs = new Map(all.map((one) => [one.name, one.firstSeenMs]));
  // Each package has its own order of releases.
  const samePackage = all
    .filter((one) => parseReleasePackage(one.name) === parseReleasePackage(name))
    .sort((a, b) => compareReleases(b.name, a.name, (one) => seenMs.get(one)));
  const index = samePackage.findIndex((one) => one.name === name);
  return {
    release: samePackage[index],
    next: samePackage[index - 1],
    previous: index < 0 ? undefined : samePackage[index + 1],
  };
}

/**
 * The built scripts that the stacks of the release name. Rejects while the index or the object with
 * the maps is unavailable.
 */
async function loadScriptCoverage(
  { projectStore, sourceMaps }: Pick<OperationServices, "projectStore" | "sourceMaps">,
  version: string,
): Promise<readonly ScriptCoverage[]> {
  const scripts = await projectStore.listScripts(version);
  return scripts.length === 0 ? [] : sourceMaps.getCoverage(version, scripts);
}
