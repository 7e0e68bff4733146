// The application of a release, and what of several applications belongs to one.

import { describe, expect, it } from "vitest";
import { getApplication, getVersion, selectOfApplications } from "#src/core/release/application.ts";

describe("the application of a release", () => {
  it.each([
    ["shop@2.5.0", "shop", "2.5.0"],
    ["@acme/shop@2.5.0", "@acme/shop", "2.5.0"],
    ["api@a41f0c2", "api", "a41f0c2"],
    ["2.5.0", undefined, "2.5.0"],
    ["a41f0c2", undefined, "a41f0c2"],
    ["@2.5.0", undefined, "@2.5.0"],
    ["shop@", "shop", ""],
  ])("of %s is %s, and its version is %s", (release, application, version) => {
    expect([getApplication(release), getVersion(release)]).toEqual([application, version]);
  });
});

describe("deploys in a chart of some releases", () => {
  const [shop, api, plain] = ["shop@2.5.0", "api@3.2.1", "1.0.0"].map((release) => ({ release }));
  it.each([
    ["are those of the application", ["shop@2.4.0"], [shop, api, plain], [shop]],
    ["are those of both applications", ["shop@2.4.0", "api@1"], [shop, api, plain], [shop, api]],
    ["without an application are those without one", ["0.9.0"], [shop, api, plain], [plain]],
    ["of unknown releases are all of the only application", [], [shop, shop], [shop, shop]],
    ["of unknown releases are none if there are several applications", [], [shop, api], []],
  ])("%s", (_, releases, deploys, expected) => {
    const all = deploys.flatMap((one) => one ?? []);
    expect(selectOfApplications(all, releases)).toEqual(expected);
  });
});
