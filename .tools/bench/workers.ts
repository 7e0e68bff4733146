// The measured Workers: of this revision, and of another one. Both are built only with wrangler and
// their own wrangler.toml.

import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { workerFile } from "../build/built.ts";
import { run } from "../command/run-package.ts";
import { createTemporaryFolder } from "../command/temporary-folder.ts";
import { root } from "../install.mjs";
import { readBindings } from "../workerd/bindings.ts";
import type { WorkerName } from "./cases.ts";

export interface Revision {
  name: "this" | "other";
  /** The folder with its wrangler.toml. */
  tree: string;
  /** The file of each Worker. `start` has none. */
  workers: Partial<Record<WorkerName, string>>;
}

const BARE = `
  export default {
    async fetch(request) {
      await request.arrayBuffer();
      return new Response("ok");
    },
  };
`;

/** The Workers of this revision, which is built. */
export async function prepareThis(wanted: Set<WorkerName>): Promise<Revision> {
  const folder = createTemporaryFolder();
  const bare = join(folder, "bare.js");
  writeFileSync(bare, BARE + (await listClasses(root)));
  const fixtures = await bundleFixtures(root, wanted, folder);
  const workers = { ...fixtures, bare, built: workerFile, start: workerFile };
  return { name: "this", tree: root, workers };
}

/** The Workers of another revision, or a bundle whose file ends with `.js`. */
export async function prepareOther(against: string, wanted: Set<WorkerName>): Promise<Revision> {
  if (against.endsWith(".js")) {
    return { name: "other", tree: root, workers: { built: resolve(against) } };
  }
  const tree = checkOut(against);
  const built = await bundle(tree, ["--outdir", "dist/worker"]);
  if (built.code !== 0) throw new Error(`${against} cannot be built: ${built.output}`);
  // Plain react-dom is the same in both revisions.
  const fixture = new Set([...wanted].filter((name) => name === "fixture"));
  const fixtures = await bundleFixtures(tree, fixture, createTemporaryFolder());
  const workers = { ...fixtures, built: join(tree, "dist", "worker", "worker.js") };
  return { name: "other", tree, workers };
}

/** Extracts and installs a revision. The folder is removed when this process ends. */
function checkOut(revision: string): string {
  const tree = createTemporaryFolder();
  const archive = execFileSync("git", ["archive", "--format=tar", revision], {
    cwd: root,
    maxBuffer: 1e9,
  });
  execFileSync("tar", ["-x", "-C", tree], { input: archive });
  const lock = (folder: string) => readFileSync(join(folder, "package-lock.json"), "utf8");
  if (lock(tree) === lock(root)) {
    symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  } else {
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: tree, stdio: "inherit" });
  }
  return tree;
}

/**
 * Bundles the wanted files of `.tools/bench/fixture`, minified and for production like the deployed
 * Worker.
 */
async function bundleFixtures(tree: string, wanted: Set<WorkerName>, folder: string) {
  const files: Revision["workers"] = {};
  for (const [name, main] of [
    ["fixture", "own.tsx"],
    ["fixture-plain", "plain.tsx"],
    ["source-maps", "source-maps.ts"],
  ] as const) {
    if (!wanted.has(name)) continue;
    const outdir = join(folder, name);
    mkdirSync(outdir);
    const config = join(outdir, "wrangler.json");
    const options = {
      name: "worker",
      main: join(tree, ".tools", "bench", "fixture", main),
      compatibility_date: "2026-10-01",
      compatibility_flags: ["nodejs_compat"],
      minify: true,
    };
    writeFileSync(config, JSON.stringify(options));
    const { code, output } = await bundle(tree, ["--outdir", outdir, "--config", config]);
    if (code !== 0) throw new Error(output);
    const file = join(outdir, main.replace(/\.tsx?$/, ".js"));
    appendFileSync(file, await listClasses(tree));
    files[name] = file;
  }
  return files;
}

function bundle(cwd: string, args: string[]) {
  return run("wrangler", ["deploy", "--dry-run", ...args], { cwd });
}

/** The configuration names the Durable Object classes, so every Worker must export them. */
async function listClasses(tree: string): Promise<string> {
  const { objects } = await readBindings(tree);
  const classes = objects.map(
    ({ className }) => `export class ${className} extends DurableObject {}\n`,
  );
  return `\nimport { DurableObject } from "cloudflare:workers";\n${classes.join("")}`;
}
