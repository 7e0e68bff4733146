/** `/releases`: all releases; `/releases/<name>`: what changed in one. As pages and as JSON. */

import { limits } from "../../core/limits.ts";
import { getRelease, listReleases } from "../../operations/releases.ts";
import { Layout } from "../../ui/layout/layout.tsx";
import { ReleasePage, UnknownReleasePage } from "../../ui/releases/release-page.tsx";
import { ReleasesPage } from "../../ui/releases/releases-page.tsx";
import { toReleaseUrl } from "../../ui/urls/release-urls.ts";
import type { AppContext } from "../context.ts";
import { respondWithOutput, serveRead, toCall, toReadFailureResponse } from "../operation-call.ts";
import { toProjectUrl } from "../project-url.ts";
import { ignoreRejection, sendPage, wantsJson } from "../send-page.tsx";

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
          <Layout current="releases" isSignedIn>
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

/** The release, if it is one, with its URL. */
function addUrl<Release extends { readonly name: string }>(
  c: AppContext,
  release: Release | undefined,
) {
  return release && { ...release, url: toProjectUrl(c, toReleaseUrl(release.name)) };
}

/** Serves one release: new, regressed, fixed and other issues. 404 if nothing names it. */
export function serveRelease(c: AppContext): Promise<Response> {
  return serveNamed(c, (c.req.param("name") ?? "").replace(/\.json$/, ""));
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
