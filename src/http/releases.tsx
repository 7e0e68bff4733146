/** `/releases`: what came with each release; `/releases/<name>`: what got worse since one. As pages and as JSON. */
import { crashFreePercent } from "../core/crash-free.ts";
import { type FilterKey, type IssuePage, type IssueQuery, readQuery } from "../core/issue-query.ts";
import { limits } from "../core/limits.ts";
import type { Desk } from "../core/ports.ts";
import type { ReleaseSummary } from "../core/release-summary.ts";
import { compareReleases, productOf } from "../core/releases.ts";
import { Layout } from "../ui/layout.tsx";
import { MissingReleasePage, ReleasePage } from "../ui/pages/release-page.tsx";
import { ReleasesPage } from "../ui/pages/releases-page.tsx";
import type { Chapter, ChapterName } from "../ui/releases/chapter.tsx";
import { releaseUrl } from "../ui/releases/release-url.ts";
import { failureResponse } from "./failures.ts";
import { here } from "./here.ts";
import { listFields } from "./issue-json.ts";
import { optional, sendPage, wantsJson } from "./page.tsx";
import type { AppContext } from "./services.ts";
import { answerOrUnavailable, unlessAway } from "./unless-away.ts";

/** The newest releases; with `?name=…` the one of this name. JSON: `{"releases":[…]}`; 503 while the index is away. */
export async function releases(c: AppContext): Promise<Response> {
  const { desk, nowMs } = c.get("services");
  const asked = c.req.query("name");
  if (asked) return oneRelease(c, asked.slice(0, limits.maxReleaseChars));
  if (wantsJson(c))
    return answerOrUnavailable(c, async () => ({
      releases: (await desk.releases()).map((one) => releaseFields(c, one)),
    }));
  return sendPage(c, {
    title: "Releases",
    route: "/releases",
    content: (
      <Layout current="releases" deskOpen>
        <ReleasesPage releases={optional(desk.releases())} nowMs={nowMs()} />
      </Layout>
    ),
  });
}

/**
 * One release, by its name as a path writes it: what is new in it, what came back, what was resolved in it and what else was
 * seen; 404 where neither a report nor a session has named it. JSON, by `Accept` or `.json`: `{"release","previous","next",…}` with
 * the issues of each; 503 while the index is away.
 */
export function release(c: AppContext): Promise<Response> {
  const asked = (c.req.param("name") ?? "").replace(/\.json$/, "");
  return oneRelease(c, asked.slice(0, limits.maxReleaseChars));
}

async function oneRelease(c: AppContext, name: string): Promise<Response> {
  const { desk, nowMs } = c.get("services");
  const all = optional(desk.releases());
  const known = await unlessAway(c, all);
  if (known === null && wantsJson(c)) return failureResponse({ reason: "index-unavailable" });
  const chapters = chaptersOf(desk, name);
  const isUnknown =
    known !== null && !known.some((one) => one.name === name) && (await isInNoReport(desk, name));
  if (wantsJson(c)) {
    return isUnknown
      ? failureResponse({ reason: "unknown-release" })
      : releaseJson(c, neighbourhood(known ?? [], name), chapters);
  }
  return sendPage(c, {
    title: isUnknown ? "Unknown release" : name,
    route: "/releases/:name",
    ...(isUnknown && { status: 404 }),
    content: (
      <Layout current="releases" deskOpen>
        {isUnknown ? (
          <MissingReleasePage />
        ) : (
          <ReleasePage
            name={name}
            place={optional(all.then((those) => neighbourhood(those, name)))}
            chapters={chapters}
            nowMs={nowMs()}
          />
        )}
      </Layout>
    ),
  });
}

/** A release too old to be listed may still be in reports that are kept. */
async function isInNoReport(desk: Desk, name: string): Promise<boolean> {
  const { total } = await desk.list(inRelease(name, [{ key: "release" }]));
  return total === 0;
}

/** A key that the list is asked, and whether what it says must not be so. */
interface Asked {
  readonly key: FilterKey;
  readonly isNot?: true;
}

/** What each part of the page asks the list for, in the order of the page. */
const CHAPTERS: readonly (readonly [ChapterName, readonly Asked[]])[] = [
  ["new", [{ key: "new" }]],
  ["regressed", [{ key: "regressed" }]],
  ["fixed", [{ key: "fixed" }]],
  [
    "also",
    [
      { key: "release" },
      { key: "new", isNot: true },
      { key: "regressed", isNot: true },
      { key: "fixed", isNot: true },
    ],
  ],
];

function chaptersOf(desk: Desk, release: string): readonly Chapter[] {
  return CHAPTERS.map(([name, asked]) => {
    const query = inRelease(release, asked);
    return { name, query, page: optional(desk.list(query)) };
  });
}

function inRelease(release: string, asked: readonly Asked[]): IssueQuery {
  return {
    ...readQuery("", "count"),
    filters: asked.map(({ key, isNot = false }) => ({ key, value: release, isExact: true, isNot })),
  };
}

/** A release with those before and after it. */
function neighbourhood(all: readonly ReleaseSummary[], name: string) {
  const seenMs = new Map(all.map((one) => [one.name, one.firstSeenMs]));
  // Of several programs each has releases of its own.
  const own = all
    .filter((one) => productOf(one.name) === productOf(name))
    .sort((a, b) => compareReleases(b.name, a.name, (release) => seenMs.get(release)));
  const at = own.findIndex((one) => one.name === name);
  return { release: own[at], next: own[at - 1], previous: at < 0 ? undefined : own[at + 1] };
}

function releaseFields(c: AppContext, summary: ReleaseSummary) {
  const percent = summary.sessions && crashFreePercent(summary.sessions);
  const url = here(c, releaseUrl(summary.name));
  return { ...summary, ...(percent !== undefined && { crashFreePercent: percent }), url };
}

function releaseJson(
  c: AppContext,
  { release: it, next, previous }: ReturnType<typeof neighbourhood>,
  chapters: readonly Chapter[],
): Promise<Response> {
  const { nowMs } = c.get("services");
  return answerOrUnavailable(c, async () => {
    const lists = await Promise.all(
      chapters.map(async ({ name, page }) => [name, fieldsOf(await page, nowMs())] as const),
    );
    return {
      ...(it && { release: releaseFields(c, it) }),
      ...(previous && { previous: releaseFields(c, previous) }),
      ...(next && { next: releaseFields(c, next) }),
      ...Object.fromEntries(lists),
    };
  });
}

function fieldsOf(page: IssuePage, nowMs: number) {
  const { issues, total } = listFields(page, nowMs);
  return { issues, total };
}
