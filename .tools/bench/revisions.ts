// The measured revisions: this one and another. Both are built only with wrangler and their own
// wrangler.toml.

import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { workerFile } from "../build/built.ts";
import { createTemporaryFolder } from "../command/command-line.ts";
import { run } from "../command/run-package.ts";
import { root } from "../install.mjs";
import { readBindings } from "../workerd/bindings.ts";

export interface Revision {
  name: "this" | "other";
  /** The folder with its sources and its wrangler.toml. */
  tree: string;
  /** The bundle of the product. */
  built: string;
}

/** This revision, which is built, and the other one: a commit, or a bundle that ends with `.js`. */
export async function prepareRevisions(against?: string): Promise<readonly Revision[]> {
  const own: Revision = { name: "this", tree: root, built: workerFile };
  if (against === undefined) return [own];
  if (against.endsWith(".js")) return [own, { name: "other", tree: root, built: resolve(against) }];
  const tree = checkOut(against);
  const words = ["deploy", "--dry-run", "--outdir", "dist/worker"];
  const { code, output } = await run("wrangler", words, { cwd: tree });
  if (code !== 0) throw new Error(`${against} cannot be built: ${output}`);
  return [own, { name: "other", tree, built: join(tree, "dist", "worker", "worker.js") }];
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
 * Writes the bare Worker, which reads the body and responds. It exports the classes that the
 * configuration names.
 */
export async function writeBareWorker(): Promise<string> {
  const { objects } = await readBindings();
  const file = join(createTemporaryFolder(), "bare.js");
  const classes = objects.map(
    ({ className }) => `export class ${className} extends DurableObject {}`,
  );
  writeFileSync(
    file,
    `import { DurableObject } from "cloudflare:workers";
${classes.join("\n")}
export default {
  async fetch(request) {
    await request.arrayBuffer();
    return new Response("ok");
  },
};
`,
  );
  return file;
}
