import { describe, expect, it } from "vitest";
import { parseSentryRoute, type SentryRoute } from "#src/http/sentry-api/sentry-route.ts";

const ROUTES: readonly (readonly [path: string, route: SentryRoute | null])[] = [
  ["/api/0", { call: "root" }],
  ["/api/0/", { call: "root" }],
  ["/api/0/organizations/acme/", { call: "organization", organization: "acme" }],
  ["/api/0/organizations/acme/chunk-upload/", { call: "chunk-upload", organization: "acme" }],
  ["/api/0/organizations//chunk-upload/", { call: "chunk-upload", organization: "" }],
  [
    "/api/0/organizations/acme/artifactbundle/assemble/",
    { call: "assemble", organization: "acme" },
  ],
  ["/api/0/organizations/acme/repos/", { call: "repositories", organization: "acme" }],
  ["/api/0/organizations/acme/releases", { call: "releases", organization: "acme" }],
  ["/api/0/projects/acme/shop/releases/", { call: "releases", project: "shop" }],
  [
    "/api/0/organizations/acme/releases/shop@1.4.0%2B7/",
    { call: "release", organization: "acme", release: "shop@1.4.0+7" },
  ],
  [
    "/api/0/projects/acme/shop/releases/shop%401.4.0/",
    { call: "release", project: "shop", release: "shop@1.4.0" },
  ],
  [
    "/api/0/organizations/acme/releases/a%2Fb/deploys/",
    { call: "deploys", organization: "acme", release: "a/b" },
  ],
  [
    "/api/0/organizations/acme/releases/1/previous-with-commits/",
    { call: "previous-commits", organization: "acme", release: "1" },
  ],
  [
    "/api/0/organizations/acme/releases/monitoring/",
    { call: "release", organization: "acme", release: "monitoring" },
  ],
  [
    // A report of this release has the same name.
    "/api/0/organizations/acme/releases/shop%0A1.4%00/",
    { call: "release", organization: "acme", release: "shop 1.4 " },
  ],
  ["/api/0/organizations/acme/releases/%E0%A4%A/", null],
  ["/api/0/organizations/acme/members/", null],
  ["/api/0/organizations/acme/toString/", null],
  ["/api/0/issues/1/", null],
];

describe("a path of Sentry's API", () => {
  it.each(ROUTES)("%s", (path, route) => {
    expect(parseSentryRoute(path)).toEqual(route);
  });

  it("has a release of at most 200 characters", () => {
    const { release } = parseSentryRoute(`/api/0/projects/a/b/releases/${"x".repeat(300)}/`) ?? {};
    expect(release).toHaveLength(200);
  });
});
