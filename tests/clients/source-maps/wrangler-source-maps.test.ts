/** A Worker that wrangler builds, with the commands of `/connect`, against the built product. */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { readEnvelope } from "../envelope.ts";
import { openErrata } from "../errata.ts";
import { openSite, type Site } from "../site.ts";
import { startWorker } from "../workerd.ts";
import { createBuildFolder, runSentryCli } from "./map-uploads.ts";
import { createUploadToken, locate, readOriginalFrames, toLocalhost } from "./original-stack.ts";

const errata = openErrata();
const builds = createBuildFolder();
const program = fileURLToPath(new URL("../programs/worker.ts", import.meta.url));

let proxy: Site;
let workerd: Miniflare;

beforeAll(async () => {
  const target = { url: toLocalhost(errata.url), token: await createUploadToken(errata) };
  const [dist, deployed] = [join(builds.root, "dist"), join(builds.root, "deployed")];
  const build = ["--minify", "--upload-source-maps"];
  await runWrangler([program, "--dry-run", "--outdir", dist, ...build]);
  await runSentryCli("3.8", ["sourcemaps", "inject", dist], target);
  await runSentryCli("3.8", ["sourcemaps", "upload", "--release", "another", dist], target);
  await runWrangler([join(dist, "worker.js"), "--no-bundle", "--dry-run", "--outdir", deployed]);

  proxy = await openSite((path) => ({ forwardTo: `${errata.url}${path}` }));
  const dsn = errata.serverDsn.replace(/@[^/]+/, `@127.0.0.1:${proxy.port}`);
  workerd = await startWorker(readFileSync(join(deployed, "worker.js"), "utf8"), dsn);
});
afterAll(async () => {
  await workerd?.dispose();
  await proxy?.close();
  builds.remove();
});

/** Runs `wrangler deploy`, which never deploys anything here. */
async function runWrangler(args: readonly string[]): Promise<void> {
  const config = join(builds.root, "wrangler.toml");
  writeFileSync(config, `name = "stock"\ncompatibility_date = "2026-10-01"\n${FLAGS}\n`);
  const wrangler = fileURLToPath(
    new URL("../../../node_modules/wrangler/bin/wrangler.js", import.meta.url),
  );
  const env = { ...process.env, WRANGLER_SEND_METRICS: "false", WRANGLER_HIDE_BANNER: "true" };
  await promisify(execFile)(process.execPath, [wrangler, "deploy", ...args, "--config", config], {
    env,
  });
}

const FLAGS = 'compatibility_flags = ["nodejs_compat"]';

it("an error of the deployed Worker is shown in the original source, by debug ids", async () => {
  expect((await workerd.dispatchFetch("http://stock.example/hammer")).status).toBe(500);
  const id = await eventually(() => {
    const events = proxy.forwarded.map(({ body }) => readEnvelope(body));
    const event = events.find((envelope) => envelope?.items.includes("event"));
    expect(event?.id).toMatch(/^[0-9a-f]{32}$/);
    return event?.id ?? "";
  });
  const { report } = await errata.find(id);
  const { line, column, source } = locate("throw new RangeError", readFileSync(program, "utf8"));
  expect(readOriginalFrames(report)[0]).toMatchObject({
    file: expect.stringMatching(/programs\/worker\.ts$/),
    function: "stockOf",
    line,
    column: column + "throw ".length,
    source,
    matchedBy: "debug-id",
    inApp: true,
  });
});
