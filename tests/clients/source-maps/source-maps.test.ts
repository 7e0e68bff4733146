/**
 * The upload tools of teams against the built product: each uploads its build with an upload token,
 * and an error of the deployed build is shown in the original source.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packTar } from "../../../src/cli/tar.ts";
import { openChromium, recordRequests } from "../browser.ts";
import { openErrata } from "../errata.ts";
import { waitForEventId } from "../sentry/shop.ts";
import { openSite, type Site } from "../site.ts";
import {
  type Build,
  buildPlain,
  buildWithEsbuildPlugin,
  buildWithRollup,
  buildWithRspack,
  buildWithVite,
  buildWithWebpack,
  createBuildFolder,
  runSentryCli,
  type UploadTarget,
} from "./map-uploads.ts";
import {
  createUploadToken,
  expectOriginalStack,
  readOriginalFrames,
  toLocalhost,
} from "./original-stack.ts";

const errata = openErrata();
const chromium = openChromium();
const folder = createBuildFolder();

let target: UploadTarget;
let site: Site;
const builds: Record<string, Build> = {};

beforeAll(async () => {
  target = { url: toLocalhost(errata.url), token: await createUploadToken(errata) };
  site = await openSite((path) => respond(new URL(path, "http://site.example").pathname));
});
afterAll(async () => {
  await site?.close();
  folder.remove();
});

/** Serves `/<build>` with its script, and no map. */
function respond(pathname: string) {
  const [, name = "", ...rest] = pathname.split("/");
  const build = builds[name];
  if (build === undefined) return { status: 404, body: "" };
  if (rest.length > 0) {
    const body = readFileSync(join(build.folder, rest.join("/")), "utf8");
    return { headers: { "content-type": "text/javascript" }, body };
  }
  const options = JSON.stringify({ dsn: errata.dsn, release: `till@${name}` });
  const scripts = `<script>window.sentryOptions = ${options}</script>
<script type="module" src="/${name}/${build.script}"></script>`;
  return { body: `<!doctype html><html lang="en"><title>Till</title><body>${scripts}` };
}

/** Opens the page of a build; resolves to the id of its error. */
async function failIn(name: string): Promise<string> {
  const page = await chromium.open();
  const sent = recordRequests(page);
  await page.goto(`http://localhost:${site.port}/${name}`);
  return waitForEventId(sent);
}

/** The tools; each uploads its build before the page fails. */
const TOOLS: readonly {
  readonly tool: string;
  readonly name: string;
  readonly build: (root: string, target: UploadTarget) => Promise<Build>;
  readonly upload?: (build: Build) => Promise<unknown>;
}[] = [
  { tool: "@sentry/vite-plugin", name: "vite", build: buildWithVite },
  { tool: "@sentry/webpack-plugin", name: "webpack", build: buildWithWebpack },
  { tool: "@sentry/webpack-plugin in Rspack", name: "rspack", build: buildWithRspack },
  { tool: "@sentry/rollup-plugin", name: "rollup", build: buildWithRollup },
  { tool: "@sentry/esbuild-plugin", name: "esbuild", build: buildWithEsbuildPlugin },
  {
    tool: "sentry-cli 3.8, which injects debug ids",
    name: "cli-3",
    build: (root) => buildPlain(root, "cli-3"),
    upload: async ({ folder }) => {
      await runSentryCli("3.8", ["sourcemaps", "inject", folder], target);
      const args = ["--release", "till@another", "--wait", folder];
      await runSentryCli("3.8", ["sourcemaps", "upload", ...args], target);
    },
  },
  {
    tool: "sentry-cli 2.58, by release, dist and prefix",
    name: "cli-2",
    build: (root) => buildPlain(root, "cli-2"),
    upload: ({ folder }) => {
      const args = ["--release", "till@cli-2", "--dist", "7", "--url-prefix", "~/cli-2", "--wait"];
      return runSentryCli("2.58", ["sourcemaps", "upload", ...args, folder], target);
    },
  },
];

describe.each(TOOLS)("$tool", ({ name, build, upload }) => {
  it("uploads with an upload token, and the error is shown in the original source", async () => {
    const built = await build(folder.root, target);
    builds[name] = built;
    await upload?.(built);
    const { report } = await errata.find(await failIn(name));
    expectOriginalStack(readOriginalFrames(report));
  });
});

it("a tar of a build, sent by PUT, makes a report that was sent before readable", async () => {
  const build = await buildPlain(folder.root, "plain");
  builds.plain = build;
  const id = await failIn("plain");
  const before = await errata.find(id);
  expect(before.report.frames[0]?.file).toMatch(/main\.js$/);

  const { script } = build;
  const archive = packTar(
    [script, `${script}.map`].map((path) => ({
      path,
      bytes: readFileSync(join(build.folder, path)),
    })),
  );
  const query = new URLSearchParams({ release: "till@plain", url: "~/plain/" });
  const response = await fetch(`${errata.url}/source-maps?${query}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${target.token}` },
    body: gzipSync(archive),
  });
  const { files } = await response.json();
  expect(files).toMatchObject([
    { url: `~/plain/${script}`, kind: "script", problems: [] },
    { url: `~/plain/${script}.map`, kind: "map", problems: [] },
  ]);
  expectOriginalStack(readOriginalFrames((await errata.find(id)).report));
});
