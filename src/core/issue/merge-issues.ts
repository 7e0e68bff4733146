/** Merges the counts of two issues. Pure. */

import { mergeSkew } from "../deploy-skew/deploy-skew.ts";
import { limits } from "../limits.ts";
import { mergeStackCounts, selectPlace } from "../place/stack-counts.ts";
import { mergeNetworkSketches } from "../stats/network-sketch.ts";
import { mergeUsers, sumCounts } from "../stats/trust-counts.ts";
import { maxTrust } from "../trust/trust.ts";
import { joinAliases, splitAliases, sumSteps, toLowerSteps } from "./aggregate-report.ts";
import {
  combineGroupings,
  type IssueDescription,
  pickDescription,
  toDescriptionRank,
  type ValueName,
} from "./describe-issue.ts";
import type { Issue } from "./issue.ts";
import { listLatestPerCategory } from "./latest-reports.ts";
import { mergeTopValues, type TopValues } from "./top-values.ts";

/**
 * `into` plus everything that `from` counted, with the state and digest of `into`. If the reports
 * of `from` rank higher (`describe-issue.ts`), it also has the names and values of `from`.
 */
export function combineIssues(into: Issue, from: Issue, nowMs: number): Issue {
  const mergedDigests = [
    ...new Set([...(into.mergedDigests ?? []), from.digest, ...(from.mergedDigests ?? [])]),
  ];
  const splitOff = [...new Set([...(into.splitOff ?? []), ...(from.splitOff ?? [])])].filter(
    (digest) => !mergedDigests.includes(digest),
  );
  const hasWatermarks = (into.watermarks ?? from.watermarks) !== undefined;
  const mergedWatermarks = {
    ...into.mergedWatermarks,
    ...from.mergedWatermarks,
    [from.digest]: from.watermarks ?? {},
  };
  const both = [into, from];
  const rank = Math.max(...both.map(toDescriptionRank));
  const occurred = both.filter(({ count }) => count > 0);
  return {
    ...into,
    ...combineDescriptions(into, from),
    ...sumCounts(into, from),
    linkedCount: into.linkedCount + from.linkedCount,
    lastSeenMs: Math.max(
      ...(occurred.length > 0 ? occurred : both).map(({ lastSeenMs }) => lastSeenMs),
    ),
    latestReports: listLatestPerCategory([...into.latestReports, ...from.latestReports]),
    ...combineAliases(into, from),
    ...combineGroupings(into, from),
    ...sumSteps(both.map((one) => (toDescriptionRank(one) === rank ? one : toLowerSteps(one)))),
    ...mergeUsers(into, from),
    networkSketch: mergeNetworkSketches(into.networkSketch, from.networkSketch),
    mergedDigests,
    ...(splitOff.length > 0 && { splitOff }),
    ...(hasWatermarks && { mergedWatermarks }),
    asOfMs: nowMs,
  };
}

/** The description of the issue with the higher rank; of both if they have the same. */
function combineDescriptions(into: Issue, from: Issue): IssueDescription {
  const difference = toDescriptionRank(from) - toDescriptionRank(into);
  if (difference !== 0) return pickDescription(difference > 0 ? from : into);
  const topValues = (name: ValueName) => mergeOptionalTopValues(into[name], from[name]);
  const earlier = from.firstSeenMs < into.firstSeenMs ? from : into;
  const later = from.lastSeenMs > into.lastSeenMs ? from : into;
  const release = later.release ?? into.release;
  const stacks = mergeStackCounts(into.stacks, from.stacks);
  return {
    ...pickDescription(into),
    trust: maxTrust(into.trust, from.trust),
    silent200Count: into.silent200Count + from.silent200Count,
    skew: later === into ? mergeSkew(from.skew, into.skew) : mergeSkew(into.skew, from.skew),
    firstSeenMs: earlier.firstSeenMs,
    release,
    environment: later.environment ?? into.environment,
    firstRelease: earlier.firstRelease ?? into.firstRelease,
    releases: topValues("releases"),
    environments: topValues("environments"),
    browsers: topValues("browsers"),
    pages: topValues("pages"),
    levels: topValues("levels"),
    tags: mergeTags(into.tags, from.tags),
    stacks,
    place: selectPlace(stacks, release) ?? into.place,
  };
}

function combineAliases(into: Issue, from: Issue) {
  const [a, b] = [splitAliases(into), splitAliases(from)];
  return joinAliases({
    server: [...a.server, ...b.server],
    page: [...a.page, ...b.page],
    public: [...a.public, ...b.public],
  });
}

function mergeOptionalTopValues(
  a: TopValues | undefined,
  b: TopValues | undefined,
): TopValues | undefined {
  return a === undefined ? b : b === undefined ? a : mergeTopValues(a, b);
}

function mergeTags(a: Issue["tags"], b: Issue["tags"]): Issue["tags"] {
  if (b === undefined) return a;
  const keys = [...new Set([...Object.keys(a ?? {}), ...Object.keys(b)])];
  return Object.fromEntries(
    keys.slice(0, limits.tagKeysPerIssue).flatMap((key) => {
      const topValues = mergeOptionalTopValues(getOwnTag(a, key), getOwnTag(b, key));
      return topValues === undefined ? [] : [[key, topValues]];
    }),
  );
}

/** A tag can have the name of an inherited property, such as `toString`. */
function getOwnTag(tags: Issue["tags"], key: string): TopValues | undefined {
  return tags !== undefined && Object.hasOwn(tags, key) ? tags[key] : undefined;
}
