/**
 * `/releases`: all releases; `/releases/<name>`: what changed in one; `/releases/compare/…`: two. As
 * pages and as JSON.
 */

import { limits } from "../../core/limits.ts";
import { compareReleases } from "../../core/release/compare-releases.ts";
import { compareTwoReleases } from "../../operations/compare-releases.ts";
import { getRelease, listReleases } from "../../operations/releases.ts";
import { Layout } from "../../ui/layout/layout.tsx";
import { ComparePage } from "../../ui/releases/compare-page.tsx";
import { ReleasePage, UnknownReleasePage } from "../../ui/releases/release-page.tsx";
import { ReleasesPage } from "../../ui/releases/releases-page.tsx";
import {
  COMPARE_URL,
  parseCompareRange,
  toCompareUrl,
  toReleaseUrl,
} from "../../ui/urls/release-urls.ts";
import type { AppContext } from "../context.ts";
import { respondWithOutput, serveRead, toCall, toReadFailureResponse } from "../operation-call.ts";
import { toProjectUrl } from "../project-url.ts";
import { ignoreRejection, sendPage, wantsJson } from "../send-page.tsx";
import { awaitOrNull } from "../unavailable.ts";

/** Serves the newest releases, or with `?name=…` the named one; JSON adds the URL of each. */
export function serveReleases(c: AppContext): Promise<Response> {
  const name = c.req.query("name");
  if (name) return serveNamed(c, name);
  return serveRead(
    c,
    listReleases,
    {},
    ({ releases, facts }) =>
      sendPage(c, {
        title: "Releases",
        route: "/releases",
        content: (
          <Layout current="releases" isSignedIn scoped="releases">
            <ReleasesPage
              releases={ignoreRejection(releases)}
              facts={facts}
              nowMs={c.get("services").nowMs()}
            />
          </Layout>
        ),
      }),
    ({ releases, ...others }) => ({
      releases: releases.map((one) => addUrl(c, one)),
      ...others,
    }),
  );
}

/**
 * The form that compares releases: redirects to the page of two, given as `base` and `release`, or
 * as several `release`, of which the oldest and the newest are compared. Names that cannot be in a
 * path are compared here.
 */
async function serveCompareForm(c: AppContext): Promise<Response> {
  const names = [...new Set(c.req.queries("release") ?? [])];
  const base = c.req.query("base");
  const ordered = base === undefined ? await sortByAge(c, names) : [base, ...names];
  const [first, last] = [ordered[0], ordered.at(-1)];
  if (!first || !last || ordered.length < 2) return c.redirect("/releases", 303);
  const url = toCompareUrl(first, last);
  const isHere = url.startsWith(`${COMPARE_URL}?`) && base !== undefined;
  return isHere ? sendComparison(c, first, last) : c.redirect(url, 303);
}

/** The oldest first; in the given order while the index is unavailable. */
async function sortByAge(c: AppContext, names: readonly string[]): Promise<readonly string[]> {
  const all = (await awaitOrNull(c, c.get("services").projectStore.listReleases())) ?? [];
  const seenMs = new Map(all.map(({ name, firstSeenMs }) => [name, firstSeenMs]));
  return names.toSorted((a, b) => compareReleases(a, b, (name) => seenMs.get(name)));
}

async function sendComparison(c: AppContext, base: string, release: string): Promise<Response> {
  const cut = (name: string) => name.slice(0, limits.maxReleaseChars);
  const input = { base: cut(base), release: cut(release) };
  if (wantsJson(c)) return respondWithOutput(c, compareTwoReleases, input);
  const loaded = await compareTwoReleases.load(input, toCall(c));
  const isUnknown = !loaded.ok && loaded.reason === "unknown-release";
  if (!loaded.ok && !isUnknown) return toReadFailureResponse(loaded);
  return sendPage(c, {
    title: isUnknown ? "Unknown release" : `${input.base} to ${input.release}`,
    route: "/releases/compare/:range",
    ...(isUnknown && { status: 404 }),
    content: (
      <Layout current="releases" isSignedIn>
        {loaded.ok ? (
          <ComparePage
            {...input}
            all={loaded.value.all}
            summaries={loaded.value.summaries}
            comparison={loaded.value.comparison}
            facts={loaded.value.loadFacts()}
            nowMs={c.get("services").nowMs()}
          />
        ) : (
          <UnknownReleasePage />
        )}
      </Layout>
    ),
  });
}

/** The release, if it is one, with its URL. */
function addUrl<Release extends { readonly name: string }>(
  c: AppContext,
  release: Release | undefined,
) {
  return release && { ...release, url: toProjectUrl(c, toReleaseUrl(release.name)) };
}

/**
 * Serves one release: new, regressed, fixed and other issues; 404 if nothing names it. Of two
 * releases (`compare/<base>...<release>`) what differs. The router accepts one such path.
 */
export function serveRelease(c: AppContext): Promise<Response> {
  const name = c.req.param("name") ?? "";
  const range = name.startsWith("compare/") ? parseCompareRange(name.slice(8)) : undefined;
  if (range !== undefined) return sendComparison(c, range.base, range.release);
  if (name === "compare" && c.req.query("release")) return serveCompareForm(c);
  return serveNamed(c, name.replace(/\.json$/, ""));
}

async function serveNamed(c: AppContext, text: string): Promise<Response> {
  const input = { name: text.slice(0, limits.maxReleaseChars) };
  if (wantsJson(c))
    return respondWithOutput(c, getRelease, input, ({ release, previous, next, ...others }) => ({
      release: addUrl(c, release),
      previous: addUrl(c, previous),
      next: addUrl(c, next),
      ...others,
    }));
  const loaded = await getRelease.load(input, toCall(c));
  const isUnknown = !loaded.ok && loaded.reason === "unknown-release";
  if (!loaded.ok && !isUnknown) return toReadFailureResponse(loaded);
  return sendPage(c, {
    title: isUnknown ? "Unknown release" : input.name,
    route: "/releases/:name",
    ...(isUnknown && { status: 404 }),
    content: (
      <Layout current="releases" isSignedIn>
        {loaded.ok ? (
          <ReleasePage
            name={input.name}
            neighbors={ignoreRejection(loaded.value.neighbors)}
            facts={loaded.value.facts}
            sections={loaded.value.sections}
            coverage={loaded.value.coverage}
            nowMs={c.get("services").nowMs()}
          />
        ) : (
          <UnknownReleasePage />
        )}
      </Layout>
    ),
  });
}
