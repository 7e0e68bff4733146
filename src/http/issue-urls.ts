/** Adds URLs to what operations say about issues: they know none. */
import { getProjectBasePath, toProjectPath } from "../core/accounts/project-path.ts";
import type { LookupMatch, lookUpIssues, OtherProjectsResult } from "../operations/lookup.ts";
import type { OutputOf } from "../operations/operation.ts";
import { toIssueUrl, toPlaceUrl, toReportUrl } from "../ui/urls/issue-urls.ts";
import type { AppContext } from "./context.ts";
import { toProjectUrl } from "./project-url.ts";

/** The output with `url`, if it is about an issue, and with the `url` of each of its places. */
export function addIssueUrls(c: AppContext, output: object): object {
  const { digest, places }: { readonly digest?: unknown; readonly places?: unknown } = output;
  if (typeof digest !== "string") return output;
  const withUrl = { ...output, url: toProjectUrl(c, toIssueUrl(digest)) };
  if (!Array.isArray(places)) return withUrl;
  const addUrl = (place: { readonly key: string }) => {
    return { ...place, url: toProjectUrl(c, toPlaceUrl(digest, place.key)) };
  };
  return { ...withUrl, places: places.map(addUrl) };
}

/** The path of an issue that a lookup found, or of the report that the text names. */
export function toFoundPath({ issue, report }: LookupMatch): string {
  return report === undefined ? toIssueUrl(issue.digest) : toReportUrl(issue.digest, report);
}

/** The matches in other projects, each with its URL. */
export function addProjectUrls({ found, ...counts }: OtherProjectsResult) {
  return {
    ...counts,
    found: found.map(({ id, name, matches }) => ({
      name,
      matches: matches.map((match) => ({
        issue: match.issue,
        url: toProjectPath(getProjectBasePath(id), toFoundPath(match)),
      })),
    })),
  };
}

/** The output of a lookup, each hit with its `url`. */
export function addLookupUrls<
  Output extends Pick<OutputOf<typeof lookUpIssues.output>, "hits" | "otherProjects">,
>(c: AppContext, output: Output) {
  const addUrls = (hits: Output["hits"], project: string) =>
    hits.map((hit) => {
      const path = toFoundPath({ issue: hit, report: hit.report });
      return { ...hit, url: toProjectPath(getProjectBasePath(project), path) };
    });
  return {
    ...output,
    hits: addUrls(output.hits, c.get("project")),
    otherProjects: output.otherProjects?.map((one) => {
      return { ...one, hits: addUrls(one.hits, one.id) };
    }),
  };
}
