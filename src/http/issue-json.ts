/** JSON of issues: in lists, alone, and as lookup matches. */

import { formatGrouping } from "../core/grouping/explain-grouping.ts";
import { getCurrentState } from "../core/issue/decision.ts";
import type { Issue, IssueSummary } from "../core/issue/issue.ts";
import { type CountedPlace, toPlaceKey } from "../core/place/issue-place.ts";
import { listPlaces } from "../core/place/stack-counts.ts";
import { formatTitle } from "../core/report/title.ts";
import { countNetworks } from "../core/stats/network-sketch.ts";
import { countUsers } from "../core/stats/trust-counts.ts";
import type { ProjectMatches } from "../ui/lookup/other-projects.tsx";
import { toIssueUrl, toPlaceUrl } from "../ui/urls/issue-urls.ts";
import type { AppContext } from "./context.ts";
import { toProjectUrl } from "./project-url.ts";

/** A list; `state` is the state at `nowMs`, `decision` the stored decision. */
export function toIssueListJson<List extends { readonly issues: readonly IssueSummary[] }>(
  list: List,
  nowMs: number,
): List {
  return {
    ...list,
    issues: list.issues.map((issue) => ({ ...issue, state: getCurrentState(issue, nowMs) })),
  };
}

/**
 * A single issue, with `state` as in lists, its places in the original source, and `groupedBy`, the
 * sentence about its key.
 */
export function toIssueJson(c: AppContext, issue: Issue) {
  const { nowMs } = c.get("services");
  const { serverUserSketch: _s, pageUserSketch: _p, publicUserSketch: _u, ...rest } = issue;
  const { watermarks: _w, stacks, networkSketch, ...issueFields } = rest;
  const places = listPlaces(stacks);
  const userCount = countUsers(issue);
  const networkCount = countNetworks(networkSketch);
  return {
    ...toSeenFields(issueFields),
    url: toProjectUrl(c, toIssueUrl(issueFields.digest)),
    ...issueFields,
    state: getCurrentState(issueFields, nowMs()),
    ...(userCount > 0 && { userCount }),
    ...(networkCount > 0 && { networkCount }),
    ...(issue.grouping && { groupedBy: formatGrouping(issue.grouping) }),
    ...(places.length > 0 && { places: places.map((place) => toPlaceJson(c, issue, place)) }),
  };
}

function toPlaceJson(c: AppContext, { digest }: Issue, counted: CountedPlace) {
  const { firstMs, lastMs, reports, ...place } = counted;
  return {
    ...place,
    firstSeen: new Date(firstMs).toISOString(),
    lastSeen: new Date(lastMs).toISOString(),
    reportIds: reports.map(([id]) => id),
    url: toProjectUrl(c, toPlaceUrl(digest, toPlaceKey(place))),
  };
}

/** An issue that a lookup found at `url`. */
export function toMatchJson(issue: IssueSummary, url: string) {
  const { digest, trust, count, publicCount } = issue;
  return { digest, trust, count, publicCount, ...toSeenFields(issue), url };
}

/** The matches of a lookup in other projects. */
export function toOtherProjectsJson(found: readonly ProjectMatches[]) {
  return found.map(({ name, matches }) => ({
    project: name,
    hits: matches.map(({ issue, url }) => toMatchJson(issue, url)),
  }));
}

/** Title and times in readable form. */
function toSeenFields(issue: IssueSummary) {
  return {
    title: formatTitle(issue),
    firstSeen: new Date(issue.firstSeenMs).toISOString(),
    lastSeen: new Date(issue.lastSeenMs).toISOString(),
  };
}
