/** Merges the counts of two issues. Pure. */

import { mergeUserSketches } from "../hyperloglog.ts";
import { limits } from "../limits.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { listLatestPerCategory, trimCounts } from "./aggregate-report.ts";
import type { DayCounts, Issue } from "./issue.ts";
import { mergeTopValues, type TopValues } from "./top-values.ts";

/** `into` plus everything that `from` counted. Keeps the title, state and digest of `into`. */
export function combineIssues(into: Issue, from: Issue, nowMs: number): Issue {
  const topValues = (name: "releases" | "environments" | "browsers" | "pages") =>
    mergeOptionalTopValues(into[name], from[name]);
  const earlier = from.firstSeenMs < into.firstSeenMs ? from : into;
  const later = from.lastSeenMs > into.lastSeenMs ? from : into;
  const aliases = [...new Set([...into.aliases, ...from.aliases])];
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
  return {
    ...into,
    count: into.count + from.count,
    linkedCount: into.linkedCount + from.linkedCount,
    silent200Count: into.silent200Count + from.silent200Count,
    firstSeenMs: earlier.firstSeenMs,
    lastSeenMs: later.lastSeenMs,
    latestReports: listLatestPerCategory([...into.latestReports, ...from.latestReports]),
    aliases: aliases.slice(0, limits.maxAliasesPerIssue),
    ...trimCounts(mergeDays(into.days, from.days), mergeDays(into.hours ?? [], from.hours ?? [])),
    ...omitUndefined({
      release: later.release ?? into.release,
      environment: later.environment ?? into.environment,
      firstRelease: earlier.firstRelease ?? into.firstRelease,
      releases: topValues("releases"),
      environments: topValues("environments"),
      browsers: topValues("browsers"),
      pages: topValues("pages"),
      tags: mergeTags(into.tags, from.tags),
      userSketch:
        from.userSketch === undefined
          ? into.userSketch
          : mergeUserSketches(into.userSketch, from.userSketch),
    }),
    mergedDigests,
    ...(splitOff.length > 0 && { splitOff }),
    ...(hasWatermarks && { mergedWatermarks }),
    asOfMs: nowMs,
  };
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

function mergeDays(a: DayCounts, b: DayCounts): DayCounts {
  const all = new Map(a);
  for (const [bucket, count] of b) all.set(bucket, (all.get(bucket) ?? 0) + count);
  return [...all];
}
