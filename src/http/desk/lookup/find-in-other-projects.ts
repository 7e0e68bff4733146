/** Looks up codes in the other projects of a person: one read each, in parallel. */
import { getProjectBasePath, toProjectPath } from "../../../core/accounts/project-path.ts";
import { FIRST_PROJECT_ID } from "../../../core/accounts/registry.ts";
import type { IssueSummary } from "../../../core/issue/issue.ts";
import { limits } from "../../../core/limits.ts";
import type { LookupCode } from "../../../core/lookup/parse-codes.ts";
import { parseReportCode } from "../../../core/report/report-code.ts";
import type { Digest } from "../../../core/report.ts";
import type { ProjectStore } from "../../../store/client/project-store.ts";
import type { ProjectMatches } from "../../../ui/lookup/other-projects.tsx";
import { toIssueUrl, toReportUrl } from "../../../ui/urls/issue-urls.ts";
import type { AppContext } from "../../context.ts";
import { awaitOrNull } from "../../unavailable.ts";
import type { LookupResult } from "./look-up.ts";

/** The matches in other projects. */
export interface OtherProjectsResult {
  /** The projects with matches, in order of creation. */
  readonly found: readonly ProjectMatches[];
  /** The number of projects that were searched, and of those that did not answer. */
  readonly searched: number;
  readonly unanswered: number;
}

/**
 * Looks the codes up in the person's other projects, at most `limits.maxOtherProjects`. Without a
 * match of a code, a project searches for `text`. The codes of a misread digest are its possible
 * readings. Never rejects.
 */
export async function lookUpInOtherProjects(
  c: AppContext,
  codes: readonly LookupCode[],
  text?: string,
): Promise<OtherProjectsResult> {
  const current = c.get("project") ?? FIRST_PROJECT_ID;
  const projects = c
    .get("principal")
    .projects.map(({ project }) => project)
    .filter(({ id }) => id !== current)
    .slice(0, limits.maxOtherProjects);
  const { forProject } = c.get("services");
  const answers = await Promise.all(
    projects.map(async ({ id, name }) => {
      const { projectStore } = forProject(id);
      const matches = await awaitOrNull(c, findMatches(projectStore, codes, text));
      const base = getProjectBasePath(id);
      return (
        matches && {
          name,
          matches: matches.map(({ issue, path }) => ({ issue, url: toProjectPath(base, path) })),
        }
      );
    }),
  );
  const answered = answers.filter((answer) => answer !== null);
  return {
    found: answered.filter(({ matches }) => matches.length > 0),
    searched: projects.length,
    unanswered: projects.length - answered.length,
  };
}

/** The matches of a lookup in the person's other projects. Never rejects. */
export async function findInOtherProjects(
  c: AppContext,
  { codes, searchText }: LookupResult,
): Promise<readonly ProjectMatches[]> {
  return (await lookUpInOtherProjects(c, codes, searchText)).found;
}

/** The only match of all projects; undefined if there is none or several. */
export function getOnlyMatch({ found }: OtherProjectsResult) {
  const [match, ...others] = found.flatMap(({ matches }) => matches);
  return others.length === 0 ? match : undefined;
}

/**
 * The path of a page of another project, relative to the path of the request: `authorize` adds the
 * project of the request to absolute paths.
 */
export function toRelativePath(c: AppContext, path: string): string {
  const depth = new URL(c.req.url).pathname.split("/").length - 2;
  return `./${"../".repeat(depth)}${path.slice(1)}`;
}

interface Match {
  readonly issue: IssueSummary;
  readonly path: string;
}

async function findMatches(
  projectStore: ProjectStore,
  codes: readonly LookupCode[],
  text: string | undefined,
): Promise<readonly Match[]> {
  const reportId = codes.find((code) => code.kind === "report-id")?.id;
  const located = reportId === undefined ? null : await projectStore.locateReport(reportId);
  const names = located === null ? codes.flatMap(listNames) : [located.digest];
  if (names.length === 0 && text === undefined) return [];
  const found = await projectStore.findMatches(names, text?.slice(0, limits.maxQueryChars));
  const issues = found.length > 0 ? found : await findByReportCode(projectStore, codes);
  return issues.map((issue) => ({
    issue,
    path:
      issue.digest === located?.digest && located.id !== undefined
        ? toReportUrl(issue.digest, located.id)
        : toIssueUrl(issue.digest),
  }));
}

/** The issues of failures that only the browser saw, by the code in their notices. */
async function findByReportCode(
  projectStore: ProjectStore,
  codes: readonly LookupCode[],
): Promise<readonly IssueSummary[]> {
  const locators = codes.flatMap((code) =>
    code.kind === "digest" ? (parseReportCode(code.digest) ?? []) : [],
  );
  const digests = await Promise.all(locators.map(projectStore.findIssuesByAlias));
  return digests.flat().length === 0 ? [] : projectStore.findMatches(digests.flat());
}

function listNames(code: LookupCode): readonly (Digest | string)[] {
  switch (code.kind) {
    case "digest":
      return [code.digest];
    case "alias":
      return [code.alias];
    case "misread":
      return code.corrections.map(({ digest }) => digest);
    case "report-id":
    case "control-flow":
      return [];
  }
}
