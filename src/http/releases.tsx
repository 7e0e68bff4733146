/** `/releases`: what came with each release; `/releases/<name>`: what got worse since one. As pages and as JSON. */
import { crashFreePercent } from "../core/crash-free.ts";
import { type IssuePage, type IssueQuery, readQuery } from "../core/issue-query.ts";
import { limits } from "../core/limits.ts";
import type { Desk } from "../core/ports.ts";
import type { ReleaseSummary } from "../core/release-summary.ts";
import { Layout } from "../ui/layout.tsx";
import { MissingReleasePage, ReleasePage } from "../ui/pages/release-page.tsx";
import { ReleasesPage } from "../ui/pages/releases-page.tsx";
import type { Chapter, ChapterName } from "../ui/releases/chapter.tsx";
import { releaseUrl } from "../ui/releases/release-url.ts";
import { listFields } from "./desk.tsx";
import { failureResponse } from "./failures.ts";
import { optional, sendPage, wantsJson } from "./page.tsx";
import type { AppContext } from "./services.ts";

/** The newest releases. JSON: `{"releases":[…]}`; 503 while the index is away. */
export async function releases(c: AppContext): Promise<Response> {
  const { desk, nowMs, logProblem } = c.get("services");
  if (wantsJson(c)) {
    try {
      return c.json({ releases: (await desk.releases()).map(releaseFields) });
    } catch (cause) {
      logProblem(cause);
      return failureResponse({ reason: "index-unavailable" });
    }
  }
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
 * One release, by its name as an address writes it: what is new in it, what came back, what was resolved in it and what else was
 * seen; 404 where neither a report nor a session has named it. JSON: `{"release","previous","next",…}` with the issues of each;
 * 503 while the index is away.
 */
export async function release(c: AppContext): Promise<Response> {
  const { desk, nowMs, logProblem } = c.get("services");
  const asked = (c.req.param("name") ?? "").slice(0, limits.maxReleaseChars + ".json".length);
  const all = optional(desk.releases());
  const known = await all.catch((cause: unknown) => {
    logProblem(cause);
    return undefined;
  });
  const isNamed = known?.some(({ name }) => name === asked) === true;
  const name = isNamed ? asked : asked.replace(/\.json$/, "");
  if (known === undefined && wantsJson(c)) return failureResponse({ reason: "index-unavailable" });
  const chapters = chaptersOf(desk, name);
  const isUnknown =
    known !== undefined &&
    !known.some((one) => one.name === name) &&
    (await isInNoReport(desk, name));
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
  const { total } = await desk.list(inRelease(name, ["release"]));
  return total === 0;
}

/** What each part of the page asks the list for; `-` before a key: none of these. */
const ASKED: Readonly<Record<ChapterName, readonly string[]>> = {
  new: ["new"],
  regressed: ["regressed"],
  fixed: ["fixed"],
  also: ["release", "-new", "-regressed", "-fixed"],
};

function chaptersOf(desk: Desk, name: string): readonly Chapter[] {
  return Object.entries(ASKED).map(([chapter, keys]) => {
    const query = inRelease(name, keys);
    return { name: chapter as ChapterName, query, page: optional(desk.list(query)) };
  });
}

function inRelease(name: string, keys: readonly string[]): IssueQuery {
  return {
    ...readQuery("", "count"),
    filters: keys.map((key) => ({
      key: key.replace("-", "") as "new",
      value: name,
      isExact: true,
      isNot: key.startsWith("-"),
    })),
  };
}

/** A release with those before and after it. */
function neighbourhood(all: readonly ReleaseSummary[], name: string) {
  const at = all.findIndex((one) => one.name === name);
  return { release: all[at], next: all[at - 1], previous: at < 0 ? undefined : all[at + 1] };
}

function releaseFields(summary: ReleaseSummary) {
  const percent = summary.sessions && crashFreePercent(summary.sessions);
  const url = releaseUrl(summary.name);
  return { ...summary, ...(percent !== undefined && { crashFreePercent: percent }), url };
}

async function releaseJson(
  c: AppContext,
  { release: it, next, previous }: ReturnType<typeof neighbourhood>,
  chapters: readonly Chapter[],
): Promise<Response> {
  const { nowMs, logProblem } = c.get("services");
  try {
    const lists = await Promise.all(
      chapters.map(async ({ name, page }) => [name, fieldsOf(await page, nowMs())] as const),
    );
    return c.json({
      ...(it && { release: releaseFields(it) }),
      ...(previous && { previous: releaseFields(previous) }),
      ...(next && { next: releaseFields(next) }),
      ...Object.fromEntries(lists),
    });
  } catch (cause) {
    logProblem(cause);
    return failureResponse({ reason: "index-unavailable" });
  }
}

function fieldsOf(page: IssuePage, nowMs: number) {
  const { issues, total } = listFields(page, nowMs);
  return { issues, total };
}
