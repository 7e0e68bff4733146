/** The commands of sentry-cli for releases, against the built product. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openErrata } from "../errata.ts";
import { buildPlain, createBuildFolder, runSentryCli, type UploadTarget } from "./map-uploads.ts";
import { createUploadToken, toLocalhost } from "./original-stack.ts";

const errata = openErrata();
const builds = createBuildFolder();

let target: UploadTarget;
beforeAll(async () => {
  target = { url: toLocalhost(errata.url), token: await createUploadToken(errata) };
});
afterAll(() => builds.remove());

describe.each(["3.8", "2.58"] as const)("sentry-cli %s", (version) => {
  const release = `shop@${version}.0+7`;
  const run = (...args: string[]) => runSentryCli(version, args, target);

  it("shows the token's address and permissions", async () => {
    const output = await run("info");
    expect(output).toContain(`Sentry Server: ${target.url}`);
    expect(output).toContain("org:ci");
  });

  it("uploads with the command of /connect, and the token alone", async () => {
    const { folder } = await buildPlain(builds.root, `connect-${version}`);
    const page = await (await fetch(`${target.url}/connect`)).text();
    const [, command = ""] = /@sentry\/cli (sourcemaps upload .*? dist)\b/.exec(page) ?? [];
    expect(command).toContain("--project 1 ");
    const args = command.replace(/dist$/, folder).split(" ");
    expect(await runSentryCli(version, args, target, {})).toContain("main.js.map");
  });

  it("creates, finalizes and deploys a release, which the desk shows", async () => {
    await run("releases", "new", release);
    await run("releases", "finalize", release);
    await run("deploys", "new", "--release", release, "-e", "production");
    const { withoutReports } = (await errata.json("/releases.json")) as {
      withoutReports: readonly object[];
    };
    expect(withoutReports).toContainEqual(
      expect.objectContaining({
        version: release,
        releasedMs: expect.any(Number),
        deploys: [expect.objectContaining({ environment: "production" })],
      }),
    );
  });

  it("shows that an upload token cannot delete a release", async () => {
    await run("releases", "new", `${release}-kept`);
    await expect(run("releases", "delete", `${release}-kept`)).rejects.toThrow(
      "An upload token cannot delete. An owner can delete uploads on the Source maps page.",
    );
  });

  it("shows why an upload to another project is refused", async () => {
    const { folder } = await buildPlain(builds.root, `refused-${version}`);
    await expect(
      run("sourcemaps", "upload", "-p", "shop", "--release", release, folder),
    ).rejects.toThrow("Expected the project of the token: 1 or first-project.");
  });
});
