/**
 * The paths of Sentry's API that upload tools call. They are at the root for all projects, because
 * sentry-cli accepts no address with a path; the token selects the project.
 *
 *     /api/0/                                                         who the token belongs to
 *     /api/0/organizations/<org>/                                     the organization
 *     /api/0/organizations/<org>/chunk-upload/                        upload of chunks
 *     /api/0/organizations/<org>/artifactbundle/assemble/             chunks become a bundle
 *     /api/0/organizations/<org>/repos/                               repositories: none
 *     /api/0/organizations/<org>/releases/                            releases
 *     /api/0/organizations/<org>/releases/<release>/                  one release
 *     /api/0/organizations/<org>/releases/<release>/deploys/          its deploys
 *     /api/0/organizations/<org>/releases/<release>/previous-with-commits/
 *
 * sentry-cli 2 uses `/projects/<org>/<project>/` in place of `/organizations/<org>/` for releases.
 * Any organization is accepted, and an empty one. Source: sentry-cli 3.8.0 and 2.58.6.
 */
import { limits } from "../../core/limits.ts";
import { truncateOneLine } from "../../core/truncate.ts";

/** A call of the API. `release` is decoded; `project` is as in the path. */
export interface SentryRoute {
  readonly call:
    | "root"
    | "organization"
    | "chunk-upload"
    | "assemble"
    | "repositories"
    | "releases"
    | "release"
    | "deploys"
    | "previous-commits";
  readonly organization?: string;
  readonly project?: string;
  readonly release?: string;
}

/** The prefix of all paths. */
export const SENTRY_API_PATH = "/api/0";

const SCOPE = /^\/(?:organizations\/(?<organization>[^/]*)|projects\/[^/]*\/(?<project>[^/]*))/;
const RELEASE = /^\/releases\/(?<release>[^/]+)(?<part>\/deploys|\/previous-with-commits)?$/;

const CALLS: Readonly<Record<string, SentryRoute["call"]>> = {
  "": "organization",
  "/chunk-upload": "chunk-upload",
  "/artifactbundle/assemble": "assemble",
  "/repos": "repositories",
  "/releases": "releases",
};

/** The call at a path below `SENTRY_API_PATH`; null for any other path. */
export function parseSentryRoute(pathname: string): SentryRoute | null {
  const path = pathname.slice(SENTRY_API_PATH.length);
  if (path === "" || path === "/") return { call: "root" };
  const found = SCOPE.exec(path);
  if (found === null) return null;
  const { organization, project } = found.groups ?? {};
  const scope = project === undefined ? { organization: organization ?? "" } : { project };
  const rest = path.slice(found[0].length).replace(/\/$/, "");
  const call = CALLS[rest];
  if (call !== undefined) return { call, ...scope };
  const { release: encoded = "", part } = RELEASE.exec(rest)?.groups ?? {};
  const release = truncateOneLine(decodeSegment(encoded), limits.maxReleaseChars);
  if (!release) return null;
  if (part === undefined) return { call: "release", release, ...scope };
  return { call: part === "/deploys" ? "deploys" : "previous-commits", release, ...scope };
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
