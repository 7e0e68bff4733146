/**
 * The upload tools of teams against the built product: each uploads its build with an upload token,
 * and an error of the deployed build comes out in the original source.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packTar } from "../../.tools/own-maps/tar.ts";
import type { Report } from "../../src/core/report.ts";
import type { FrameResolution } from "../../src/core/symbolication/resolution.ts";
import { openChromium, recordRequests } from "./browser.ts";
import { openErrata } from "./errata.ts";
import {
  type Build,
  buildPlain,
  buildWithVite,
  buildWithWebpack,
  createBuildFolder,
  runSentryCli,
  type UploadTarget,
} from "./map-uploads.ts";
import { type NextApp, startNextApp } from "./next-app.ts";
import { waitForEventId } from "./shop.ts";
import { openSite, type Site } from "./site.ts";

const errata = openErrata();
const chromium = openChromium();
const folder = createBuildFolder();
const programs = new URL("programs/till/", import.meta.url);

let target: UploadTarget;
let site: Site;
let builds: Record<string, Build>;

beforeAll(async () => {
  target = { url: errata.url.replace("127.0.0.1", "localhost"), token: await createToken() };
  const { root } = folder;
  const [vite, webpack, cli3, cli2, plain] = await Promise.all([
    buildWithVite(root, target),
    buildWithWebpack(root, target),
    buildPlain(root, "cli-3"),
    buildPlain(root, "cli-2"),
    buildPlain(root, "plain"),
  ]);
  builds = { vite, webpack, "cli-3": cli3, "cli-2": cli2, plain };
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

/** An upload token, made as an owner makes it in the settings. */
async function createToken(): Promise<string> {
  const body = JSON.stringify({ do: "add-token", name: "build", role: "uploader" });
  const headers = { "content-type": "application/json", accept: "application/json" };
  const url = `${errata.url.replace("127.0.0.1", "localhost")}/settings`;
  const { secrets } = await (await fetch(url, { method: "POST", headers, body })).json();
  return secrets[0];
}

/** The line of a text in a source of the program, 1-based, and the line itself. */
function locate(text: string, source = readFileSync(new URL("money.ts", programs), "utf8")) {
  const lines = source.split("\n");
  const index = lines.findIndex((line) => line.includes(text));
  return { line: index + 1, source: lines[index], column: (lines[index]?.indexOf(text) ?? 0) + 1 };
}

/** The frames of a report in the original source; those without one as they were sent. */
function readOriginalFrames(report: Report): readonly object[] {
  const { resolvedFrames = [] } = report as ReportWithFrames;
  return report.frames.map((frame, n) => {
    const resolution = resolvedFrames[n];
    return resolution?.kind === "resolved" ? resolution : { ...frame, ...resolution };
  });
}

/** A report as the JSON of an issue has it. */
interface ReportWithFrames extends Report {
  readonly resolvedFrames?: readonly FrameResolution[];
}

/** Opens the page of a build; resolves to its error's stack in the original source. */
async function failIn(name: string): Promise<readonly object[]> {
  const page = await chromium.open();
  const sent = recordRequests(page);
  await page.goto(`http://localhost:${site.port}/${name}`);
  const id = await waitForEventId(sent);
  return readOriginalFrames((await errata.find(id)).report);
}

/** The frames of the program's error in the original source, newest first. */
function expectOriginalStack(frames: readonly object[]): void {
  const thrown = locate("reduce((sum, { price, count })");
  const caller = locate("totalOf(cart), 0)");
  const [first, ...others] = frames;
  expect(first).toMatchObject({
    file: expect.stringMatching(/(^|\/)money\.ts$/),
    function: expect.stringMatching(/totalOf/),
    line: thrown.line,
    column: thrown.column,
    source: thrown.source,
    inApp: true,
  });
  expect(others).toContainEqual(
    expect.objectContaining({ function: "Till.totalOfCarts", source: caller.source }),
  );
  expect(others).toContainEqual(
    expect.objectContaining({
      file: expect.stringMatching(/(^|\/)main\.ts$/),
      function: expect.stringMatching(/openTill/),
    }),
  );
}

/** The tools; each uploads its build before the page fails. */
const TOOLS: readonly {
  readonly tool: string;
  readonly build: string;
  readonly upload?: () => Promise<unknown>;
}[] = [
  { tool: "@sentry/vite-plugin", build: "vite" },
  { tool: "@sentry/webpack-plugin", build: "webpack" },
  {
    tool: "sentry-cli 3.8, which injects debug ids",
    build: "cli-3",
    upload: async () => {
      const { folder } = builds["cli-3"] as Build;
      await runSentryCli("3.8", ["sourcemaps", "inject", folder], target);
      const args = ["--release", "till@another", "--wait", folder];
      await runSentryCli("3.8", ["sourcemaps", "upload", ...args], target);
    },
  },
  {
    tool: "sentry-cli 2.58, by release, dist and prefix",
    build: "cli-2",
    upload: () => {
      const { folder } = builds["cli-2"] as Build;
      const args = [
        "--release",
        "till@cli-2",
        "--dist",
        "7",
        "--url-prefix",
        "~/cli-2",
        "--wait",
        folder,
      ];
      return runSentryCli("2.58", ["sourcemaps", "upload", ...args], target);
    },
  },
];

describe.each(TOOLS)("$tool", ({ build, upload }) => {
  it("uploads with an upload token, and the error comes out in the original source", async () => {
    await upload?.();
    expectOriginalStack(await failIn(build));
  });
});

it("a tar of a build, sent by PUT, makes a report that was sent before readable", async () => {
  const page = await chromium.open();
  const sent = recordRequests(page);
  await page.goto(`http://localhost:${site.port}/plain`);
  const id = await waitForEventId(sent);
  const before = await errata.find(id);
  expect(before.report.frames[0]?.file).toMatch(/main\.js$/);

  const { folder, script } = builds.plain as Build;
  const archive = packTar(
    [script, `${script}.map`].map((path) => ({ path, bytes: readFileSync(join(folder, path)) })),
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

describe.each(["3.8", "2.58"] as const)("sentry-cli %s", (version) => {
  const release = `shop@${version}.0+7`;
  const run = (...args: string[]) => runSentryCli(version, args, target);

  it("shows the token's address and permissions", async () => {
    const output = await run("info");
    expect(output).toContain(`Sentry Server: ${target.url}`);
    expect(output).toContain("org:ci");
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

  it("shows why an upload to another project is refused", async () => {
    const { folder } = builds["cli-2"] as Build;
    await expect(
      run("sourcemaps", "upload", "-p", "shop", "--release", release, folder),
    ).rejects.toThrow("Expected the project of the token: 1 or first-project.");
  });
});

describe("Next.js with debug ids", () => {
  let app: NextApp;
  beforeAll(async () => {
    app = await startNextApp(errata, (folder) => {
      const folders = [".next/static", ".next/server"].map((path) => join(folder, path));
      return runSentryCli("3.8", ["sourcemaps", "upload", "--wait", ...folders], target);
    });
  });
  afterAll(async () => app?.close());

  it("shows the original source of an error on the server, by debug ids", async () => {
    const page = await chromium.open();
    await page.goto(`${app.url}/stock`);
    await page.getByText(/ERROR \d+/).waitFor();
    const [, digest = ""] = /ERROR (\d+)/.exec(await page.locator("body").innerText()) ?? [];
    const { report } = await errata.find(digest);
    const { line, column, source } = locate("throw new RangeError", readApp("lib/stock.ts"));
    expect(readOriginalFrames(report)[0]).toMatchObject({
      file: expect.stringMatching(/lib\/stock\.ts$/),
      function: "Stock.countOf",
      line,
      column: column + "throw ".length,
      source,
      matchedBy: "debug-id",
    });
  });

  it("shows the original source of an error in the browser", async () => {
    const page = await chromium.open();
    await page.goto(`${app.url}/till`);
    await page.getByRole("button", { name: "Pay" }).click();
    const from = page.url();
    const { line, source } = locate("reduce((sum", readApp("app/till/page.tsx"));
    const report = await errata.findReport({ kind: "error", type: "TypeError" }, from);
    expect(readOriginalFrames(report)[0]).toMatchObject({
      file: expect.stringMatching(/app\/till\/page\.tsx$/),
      function: expect.stringMatching(/totalOf|Till/),
      line,
      source,
    });
  });

  const readApp = (path: string) =>
    readFileSync(new URL(`next-app/${path}`, import.meta.url), "utf8");
});
