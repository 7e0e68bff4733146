/** `/releases`: all releases; `/releases/<name>`: what changed in one. As pages and as JSON. */
import type { IssueListPage } from "../../core/issue/issue-list-page.ts";
import { type FilterKey, type IssueQuery, parseIssueQuery } from "../../core/issue/issue-query.ts";
import { limits } from "../../core/limits.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { ReleaseFacts, ScriptCoverage } from "../../core/ports/source-maps-port.ts";
import { compareReleases, parseReleasePackage } from "../../core/release/compare-releases.ts";
import type { ReleaseSummary } from "../../core/release/release-summary.ts";
import { getCrashFreePercent } from "../../core/stats/crash-free.ts";
import type { ProjectStore } from "../../store/client/project-store.ts";
import { Layout } from "../../ui/layout/layout.tsx";
import type { ReleaseSection, ReleaseSectionName } from "../../ui/releases/issue-section.tsx";
import { ReleasePage, UnknownReleasePage } from "../../ui/releases/release-page.tsx";
import { ReleasesPage } from "../../ui/releases/releases-page.tsx";
import { toReleaseUrl } from "../../ui/urls/release-urls.ts";
import type { AppContext, Services } from "../context.ts";
import { toFailureResponse } from "../failure-response.ts";
import { toIssueListJson } from "../issue-json.ts";
import { toProjectUrl } from "../project-url.ts";
import { ignoreRejection, sendPage, wantsJson } from "../send-page.tsx";
import { awaitOrNull, respondOrUnavailable } from "../unavailable.ts";

/**
 * Serves the newest releases, or with `?name=…` the named one. JSON: `{"releases":[…]}`, with
 * `withoutReports` if build tools have named others; 503 while the index is unavailable.
 */
export async function serveReleases(c: AppContext): Promise<Response> {
  const { projectStore, nowMs } = c.get("services");
  const name = c.req.query("name");
  if (name) return respondWithRelease(c, name.slice(0, limits.maxReleaseChars));
  const facts = loadFacts(c);
  if (wantsJson(c))
    return respondOrUnavailable(c, async () => {
      const releases = await projectStore.listReleases();
      const known = await facts;
      const names = new Set(releases.map(({ name }) => name));
      const withoutReports = known.filter(({ version }) => !names.has(version));
      return {
        releases: releases.map((one) => toReleaseJson(c, one, known)),
        ...(withoutReports.length > 0 && { withoutReports }),
      };
    });
  return sendPage(c, {
    title: "Releases",
    route: "/releases",
    content: (
      <Layout current="releases" isSignedIn>
        <ReleasesPage
          releases={ignoreRejection(projectStore.listReleases())}
          facts={facts}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  });
}

/**
 * Serves one release: new, regressed, fixed and other issues. 404 if no report, session or build
 * tool names it. JSON: `{"release","previous","next","facts","scripts",…}` with the issues of each
 * section; 503 while the index is unavailable.
 */
export function serveRelease(c: AppContext): Promise<Response> {
  const name = (c.req.param("name") ?? "").replace(/\.json$/, "");
  return respondWithRelease(c, name.slice(0, limits.maxReleaseChars));
}

async function respondWithRelease(c: AppContext, name: string): Promise<Response> {
  const { projectStore, nowMs } = c.get("services");
  const all = ignoreRejection(projectStore.listReleases());
  const known = await awaitOrNull(c, all);
  if (known === null && wantsJson(c)) return toFailureResponse({ reason: "index-unavailable" });
  const sections = loadSections(projectStore, name);
  const facts = loadFacts(c, [name]).then(([found]) => found);
  const isUnknown =
    known !== null &&
    !known.some((one) => one.name === name) &&
    (await facts) === undefined &&
    (await isUnseen(projectStore, name));
  if (wantsJson(c)) {
    return isUnknown
      ? toFailureResponse({ reason: "unknown-release" })
      : respondWithReleaseJson(c, name, findNeighbors(known ?? [], name), sections, await facts);
  }
  return sendPage(c, {
    title: isUnknown ? "Unknown release" : name,
    route: "/releases/:name",
    ...(isUnknown && { status: 404 }),
    content: (
      <Layout current="releases" isSignedIn>
        {isUnknown ? (
          <UnknownReleasePage />
        ) : (
          <ReleasePage
            name={name}
            neighbors={ignoreRejection(all.then((releases) => findNeighbors(releases, name)))}
            facts={facts}
            sections={sections}
            coverage={awaitOrNull(c, loadScriptCoverage(c.get("services"), name))}
            nowMs={nowMs()}
          />
        )}
      </Layout>
    ),
  });
}

/** A release too old for the list, or of Errata itself, may still occur in stored reports. */
async function isUnseen(projectStore: ProjectStore, name: string): Promise<boolean> {
  const query = createReleaseQuery(name, [{ key: "release" }]);
  for (const isNoise of [false, true]) {
    const { total, isTotalCapped } = await projectStore.listIssues({ ...query, isNoise });
    if (total > 0 || isTotalCapped) return false;
  }
  return true;
}

/** A filter key, and whether it is negated. */
interface ReleaseFilter {
  readonly key: FilterKey;
  readonly isNegated?: true;
}

/** The queries of the sections, in the order of the page. */
const SECTIONS: readonly (readonly [ReleaseSectionName, readonly ReleaseFilter[]])[] = [
  ["new", [{ key: "new" }]],
  ["regressed", [{ key: "regressed" }]],
  ["fixed", [{ key: "fixed" }]],
  [
    "other",
    [
      { key: "release" },
      { key: "new", isNegated: true },
      { key: "regressed", isNegated: true },
      { key: "fixed", isNegated: true },
    ],
  ],
];

function loadSections(projectStore: ProjectStore, release: string): readonly ReleaseSection[] {
  return SECTIONS.map(([name, filters]) => {
    const query = createReleaseQuery(release, filters);
    return { name, query, page: ignoreRejection(projectStore.listIssues(query)) };
  });
}

function createReleaseQuery(release: string, filters: readonly ReleaseFilter[]): IssueQuery {
  return {
    ...parseIssueQuery("", "count"),
    filters: filters.map(({ key, isNegated = false }) => ({
      key,
      value: release,
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
    .sort((a, b) => compareReleases(b.name, a.name, (release) => seenMs.get(release)));
  const index = samePackage.findIndex((one) => one.name === name);
  return {
    release: samePackage[index],
    next: samePackage[index - 1],
    previous: index < 0 ? undefined : samePackage[index + 1],
  };
}

function toReleaseJson(
  c: AppContext,
  summary: ReleaseSummary,
  known: readonly ReleaseFacts[] = [],
) {
  const crashFreePercent = getCrashFreePercent(summary);
  const url = toProjectUrl(c, toReleaseUrl(summary.name));
  const facts = known.find(({ version }) => version === summary.name);
  return { ...summary, ...omitUndefined({ crashFreePercent, facts }), url };
}

/** Facts that build tools sent, about the named releases or the newest ones. Never rejects. */
async function loadFacts(
  c: AppContext,
  versions?: readonly string[],
): Promise<readonly ReleaseFacts[]> {
  const { sourceMaps } = c.get("services");
  return (await awaitOrNull(c, sourceMaps.listReleaseFacts(versions))) ?? [];
}

function respondWithReleaseJson(
  c: AppContext,
  name: string,
  { release, next, previous }: ReturnType<typeof findNeighbors>,
  sections: readonly ReleaseSection[],
  facts: ReleaseFacts | undefined,
): Promise<Response> {
  const { nowMs } = c.get("services");
  return respondOrUnavailable(c, async () => {
    const scripts = awaitOrNull(c, loadScriptCoverage(c.get("services"), name));
    const lists = await Promise.all(
      sections.map(async (section) => {
        return [section.name, toListJson(await section.page, nowMs())] as const;
      }),
    );
    return {
      ...(release && { release: toReleaseJson(c, release) }),
      ...(previous && { previous: toReleaseJson(c, previous) }),
      ...(next && { next: toReleaseJson(c, next) }),
      ...(facts && { facts }),
      ...Object.fromEntries(lists),
      scripts: await scripts,
    };
  });
}

function toListJson(page: IssueListPage, nowMs: number) {
  const { issues, total, isTotalCapped } = toIssueListJson(page, nowMs);
  return { issues, total, ...omitUndefined({ isTotalCapped }) };
}

/**
 * The built scripts that the stacks of the release name. Rejects while the index or the object with
 * the maps is unavailable.
 */
async function loadScriptCoverage(
  { projectStore, sourceMaps }: Pick<Services, "projectStore" | "sourceMaps">,
  release: string,
): Promise<readonly ScriptCoverage[]> {
  const scripts = await projectStore.listScripts(release);
  return scripts.length === 0 ? [] : sourceMaps.getCoverage(release, scripts);
}
