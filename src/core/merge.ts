/** Two issues that are one: what both have counted, added up. Pure. */
import { newestOfEachKind, withCounts } from "./fold.ts";
import type { DayCounts, Issue } from "./issue.ts";
import { limits } from "./limits.ts";
import { present } from "./present.ts";
import { addTops, type Tops } from "./tops.ts";
import { addVisitors } from "./visitors.ts";

/** `into` with everything that `from` has counted; it keeps its own name, state and digest. */
export function mergeIssues(into: Issue, from: Issue, nowMs: number): Issue {
  const tops = (name: "releases" | "environments" | "browsers" | "pages") =>
    topsOf(into[name], from[name]);
  const first = from.firstSeenMs < into.firstSeenMs ? from : into;
  const newest = from.lastSeenMs > into.lastSeenMs ? from : into;
  const aliases = [...new Set([...into.aliases, ...from.aliases])];
  const merged = [...new Set([...(into.merged ?? []), from.digest, ...(from.merged ?? [])])];
  const parted = [...new Set([...(into.parted ?? []), ...(from.parted ?? [])])].filter(
    (digest) => !merged.includes(digest),
  );
  const isMadeAnew = (into.upTo ?? from.upTo) !== undefined;
  const mergedUpTo = {
    ...into.mergedUpTo,
    ...from.mergedUpTo,
    [from.digest]: from.upTo ?? {},
  };
  return {
    ...into,
    count: into.count + from.count,
    linked: into.linked + from.linked,
    silent: into.silent + from.silent,
    firstSeenMs: first.firstSeenMs,
    lastSeenMs: newest.lastSeenMs,
    latest: newestOfEachKind([...into.latest, ...from.latest]),
    aliases: aliases.slice(0, limits.maxAliasesPerIssue),
    ...withCounts(daysOf(into.days, from.days), daysOf(into.hours ?? [], from.hours ?? [])),
    ...present({
      release: newest.release ?? into.release,
      environment: newest.environment ?? into.environment,
      firstRelease: first.firstRelease ?? into.firstRelease,
      releases: tops("releases"),
      environments: tops("environments"),
      browsers: tops("browsers"),
      pages: tops("pages"),
      tags: tagsOf(into.tags, from.tags),
      visitors:
        from.visitors === undefined ? into.visitors : addVisitors(into.visitors, from.visitors),
    }),
    merged,
    ...(parted.length > 0 && { parted }),
    ...(isMadeAnew && { mergedUpTo }),
    asOfMs: nowMs,
  };
}

function topsOf(a: Tops | undefined, b: Tops | undefined): Tops | undefined {
  return a === undefined ? b : b === undefined ? a : addTops(a, b);
}

function tagsOf(a: Issue["tags"], b: Issue["tags"]): Issue["tags"] {
  if (b === undefined) return a;
  const keys = [...new Set([...Object.keys(a ?? {}), ...Object.keys(b)])];
  return Object.fromEntries(
    keys.slice(0, limits.tagKeysPerIssue).flatMap((key) => {
      const tops = topsOf(ownOf(a, key), ownOf(b, key));
      return tops === undefined ? [] : [[key, tops]];
    }),
  );
}

/** A tag may be called as what every object has. */
function ownOf(tags: Issue["tags"], key: string): Tops | undefined {
  return tags !== undefined && Object.hasOwn(tags, key) ? tags[key] : undefined;
}

function daysOf(a: DayCounts, b: DayCounts): DayCounts {
  const all = new Map(a);
  for (const [moment, count] of b) all.set(moment, (all.get(moment) ?? 0) + count);
  return [...all];
}
