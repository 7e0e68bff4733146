import { describe, expect, it } from "vitest";
import { getProjectBasePath, toProjectPath } from "#src/core/accounts/project-path.ts";

describe("a path of the desk", () => {
  it.each([
    ["/issues?query=is%3Aopen", "/p/2/issues?query=is%3Aopen"],
    ["/releases.json", "/p/2/releases.json"],
    ["/profiles", "/p/2/profiles"],
    ["/sign-in", "/sign-in"],
    ["/sign-in/passkey", "/sign-in/passkey"],
    ["/sign-out", "/sign-out"],
    ["/profile#passkeys", "/profile#passkeys"],
    ["/projects.json", "/projects.json"],
    ["/theme", "/theme"],
    ["/p/3/issues", "/p/3/issues"],
    ["https://shop.example/", "https://shop.example/"],
  ])("%s becomes %s in the second project", (path, expected) => {
    expect(toProjectPath(getProjectBasePath("2"), path)).toBe(expected);
  });

  it("stays unchanged in the first project", () => {
    expect(toProjectPath(getProjectBasePath("1"), "/issues")).toBe("/issues");
  });
});
