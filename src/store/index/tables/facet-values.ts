/** The values by which filters find an issue, and their tokens in the table `facet`. Pure. */
import { fnv1a } from "../../../core/fnv1a.ts";
import { isRegressed } from "../../../core/issue/decision.ts";
import { countLevels } from "../../../core/issue/describe-issue.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { FilterKey } from "../../../core/issue/issue-query.ts";
import { toStoredState } from "../../../core/issue/issue-versions.ts";
import type { TopValues } from "../../../core/issue/top-values.ts";

/** A filter key, `is` for the states of an issue (`listStates`), or `noise` for its rule. */
export type FacetKey = FilterKey | "is" | "noise";

/** The values of an issue by `FacetKey`. */
export type FacetValues = Readonly<Record<string, readonly string[]>>;

export type FacetPair = readonly [key: string, value: string];

/** True if the value comes from a decision or an assignment, not from reports. */
export function isSetByMember([key]: FacetPair): boolean {
  return key === "fixed" || key === "assigned" || key === "regressed" || key === "is";
}

/** Every value with its key. */
export function listPairs(values: FacetValues): readonly FacetPair[] {
  return Object.entries(values).flatMap(([key, list]) =>
    list.map((value): FacetPair => [key, value]),
  );
}

/** True if the issue has the value. */
export function hasPair(values: FacetValues, [key, value]: FacetPair): boolean {
  return Object.hasOwn(values, key) && values[key]?.includes(value) === true;
}

/** The values of an issue; none if `issue` is undefined. */
export function toFacetValues(issue: Issue | undefined): FacetValues {
  if (issue === undefined) return {};
  const { decision, assignee, firstRelease, kind, type, trust, noise, tags = {} } = issue;
  const entries: readonly (readonly [FacetKey, readonly string[]])[] = [
    ["release", listNames(issue.releases)],
    ["env", listNames(issue.environments)],
    ["browser", listNames(issue.browsers)],
    ["url", listNames(issue.pages)],
    ["level", listNames(countLevels(issue))],
    ["kind", [kind]],
    ["type", [type]],
    ["trust", [trust]],
    ["new", toList(firstRelease)],
    ["regressed", toList(decision?.regressedInRelease)],
    ["fixed", decision?.state === "resolved" ? toList(decision.release) : []],
    ["assigned", toList(assignee)],
    ["is", listStates(issue)],
    ["noise", toList(noise)],
    ...Object.entries(tags).map(([name, top]) => [`tag.${name}`, listNames(top)] as const),
  ];
  return Object.fromEntries(entries.filter(([, values]) => values.length > 0));
}

/** The state, as it is stored; also `regressed` and `assigned`. */
function listStates(issue: Issue): readonly string[] {
  return [
    toStoredState(issue.state),
    ...(isRegressed(issue) ? ["regressed"] : []),
    ...(issue.assignee === undefined ? [] : ["assigned"]),
  ];
}

function listNames(topValues: TopValues | undefined): readonly string[] {
  return topValues?.values.map(([name]) => name) ?? [];
}

function toList(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [value];
}

/** The token of a value, a hash of 64 bits: FTS5 would fold and split the value itself. */
export function toFacetToken(key: string, value: string): string {
  const hashes = [`${key}\n${value}`, `${value}\n${key}`].map(fnv1a);
  return hashes.map((hash) => hash.toString(36).padStart(7, "0")).join("");
}
