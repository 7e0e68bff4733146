// What an agent does, without a model: from the code of an error in a small application to the
// proof that a commit fixed it, and to its return. Everything is the built product: the package in
// the application, the command in its build, and MCP through the command.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCli } from "#support/cli/run-cli.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { eventually } from "#support/eventually.ts";
import { buildCli } from "../../../.tools/build/cli.ts";
import { buildLibrary, libraryFolder } from "../../../.tools/build/library.ts";
import { serve } from "../../../.tools/local/serve.ts";

const SERVER_KEY = "errata_server_0123456789abcdef0123456789abcdef";
const app = mkdtempSync(join(tmpdir(), "errata-app-"));
const home = mkdtempSync(join(tmpdir(), "errata-home-"));
let served: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  await buildCli();
  const built = await buildLibrary();
  expect(built.ok, built.message).toBe(true);
  served = await serve({ isLocalOpen: true, serverKey: SERVER_KEY, isLimited: false });
}, 120_000);
afterAll(async () => {
  await served?.stop();
  for (const folder of [app, home]) rmSync(folder, { recursive: true, force: true });
});

const git = (...words: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=a@b.c", ...words], {
    cwd: app,
    stdio: "pipe",
  });

async function errata(...args: readonly string[]): Promise<string> {
  const env = { ERRATA_URL: served.url };
  const { code, out, err } = await runCli(args, { home, cwd: app, env });
  expect([code, err]).toEqual([0, ""]);
  return out;
}

/** The structured result without the marks of authors. */
function readTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readTexts);
  if (typeof value !== "object" || value === null) return value;
  if ("writtenBy" in value && "text" in value) return value.text;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, readTexts(one)]));
}

/** Calls a tool through `errata mcp`. Returns its structured result. */
async function callTool(name: string, args: object): Promise<Record<string, unknown>> {
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  };
  const { out } = await runCli(["mcp"], {
    home,
    env: { ERRATA_URL: served.url },
    input: `${JSON.stringify(message)}\n`,
  });
  const { result } = JSON.parse(out);
  expect(result.isError ?? false, out).toBe(false);
  return readTexts(result.structuredContent) as Record<string, unknown>;
}

/** Writes the source, commits it, builds it with a source map, and describes the release. */
async function releaseApp(release: string, cart: string, message: string): Promise<void> {
  mkdirSync(join(app, "src"), { recursive: true });
  writeFileSync(join(app, "src", "cart.ts"), cart);
  git("add", ".");
  git("commit", "-q", "-m", message);
  await build({
    entryPoints: [join(app, "src", "main.ts")],
    outfile: join(app, "dist", "main.mjs"),
    bundle: true,
    minify: true,
    sourcemap: true,
    format: "esm",
    platform: "node",
    alias: { "errata/server": join(libraryFolder, "server.js") },
    logLevel: "silent",
  });
  await errata("sourcemaps", "upload", "dist", `--release=${release}`, `--url-prefix=${app}/dist`);
  await errata("release", release, "--commits", "--deploy", "production");
}

/** Runs the application. Returns the code that its visitor sees. */
function runApp(release: string): string {
  const dsn = new URL("/1", served.url);
  dsn.username = SERVER_KEY;
  const env = { PATH: process.env.PATH, ERRATA_DSN: dsn.href, ERRATA_RELEASE: release };
  return execFileSync(process.execPath, [join(app, "dist", "main.mjs")], {
    env,
    encoding: "utf8",
  }).trim();
}

async function sendSessions(release: string, exited: number): Promise<void> {
  const payload = {
    attrs: { release },
    aggregates: [{ started: new Date(readNowMs()).toISOString(), exited }],
  };
  const response = await fetch(`${served.url}/api/1/envelope/?sentry_key=${SERVER_KEY}`, {
    method: "POST",
    body: `{}\n{"type":"sessions"}\n${JSON.stringify(payload)}\n`,
  });
  expect(response.status).toBe(200);
}

const BROKEN = `export function total(cart: { price?: { amount: number } }): number {
  return cart.price!.amount;
}
`;
const FIXED = `export function total(cart: { price?: { amount: number } }): number {
  return cart.price?.amount ?? 0;
}
`;

it("leads from a visitor's code to the line, a fix, its proof, and its return", async () => {
  git("init", "-q");
  git("remote", "add", "origin", "git@github.com:acme/shop.git");
  writeFileSync(join(app, "CODEOWNERS"), "/src/ @acme/cart\n");
  mkdirSync(join(app, "src"));
  writeFileSync(join(app, ".gitignore"), "dist\n");
  writeFileSync(
    join(app, "src", "main.ts"),
    `import { getErrata } from "errata/server";
import { total } from "./cart.ts";
try {
  total({});
  console.log("");
} catch (error) {
  const { digest } = getErrata().name(error, { how: "request", route: "/cart" });
  console.log(digest);
}
await getErrata().flush();
`,
  );
  await releaseApp("shop@1.0.0", BROKEN, "Add the cart");
  const digest = runApp("shop@1.0.0");
  expect(digest).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  await sendSessions("shop@1.0.0", 50);

  // The code, as a visitor wrote it.
  const { hits } = await callTool("lookup", { text: `it says ${digest.toLowerCase()}` });
  expect(hits).toMatchObject([{ digest }]);
  const found = await callTool("get_investigation", { digest });
  expect(found.report).toMatchObject({
    type: "TypeError",
    frames: expect.arrayContaining([
      expect.objectContaining({
        kind: "resolved",
        place: "src/cart.ts:2",
        sourceUrl: expect.stringMatching(
          /^https:\/\/github\.com\/acme\/shop\/blob\/[0-9a-f]{40}\/src\/cart\.ts#L2$/,
        ),
      }),
    ]),
  });
  expect(found.suggestedOwner).toMatchObject({
    ...{ owners: ["@acme/cart"], source: "codeowners", matched: "src/cart.ts" },
  });
  expect(found.suspectCommits).toMatchObject([{ file: "src/cart.ts", message: "Add the cart" }]);

  await releaseApp("shop@1.1.0", FIXED, `Show a cart without a price\n\nFixes ${digest}`);
  expect(runApp("shop@1.1.0")).toBe("");
  await sendSessions("shop@1.1.0", 4_102);
  await eventually(async () => {
    const { issue, proof } = await callTool("get_investigation", { digest });
    expect(issue).toMatchObject({ state: "resolved", decision: { release: "shop@1.1.0" } });
    expect(proof).toEqual({
      release: "shop@1.1.0",
      since: { reports: 0, sessions: 4_102 },
      before: { reports: 1, sessions: 50 },
    });
  });

  await releaseApp("shop@1.2.0", BROKEN, "Simplify the cart");
  expect(runApp("shop@1.2.0")).toBe(digest);
  await eventually(async () => {
    const { issue } = await callTool("get_investigation", { digest });
    expect(issue).toMatchObject({
      state: "open",
      // Strangers from several networks can reopen an issue too, so the other release is withheld.
      decision: { resolvedInRelease: "shop@1.1.0", regressedInRelease: expect.anything() },
    });
    expect(await errata("show", digest)).toContain("release shop@1.0.0 to shop@1.2.0");
  });
}, 120_000);
