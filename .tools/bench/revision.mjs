// Another revision, checked out into a folder of its own and built by its own tools.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root, toolEnv } from "../run.mjs";

/**
 * Checks `revision` out and builds it. The folder is gone when this process ends.
 *
 * @param {string} revision
 * @returns {Promise<{ tree: string, worker: string }>} its folder, and the built Worker's file
 */
export async function checkOut(revision) {
  const tree = join(mkdtempSync(join(tmpdir(), "errata-revision-")), "tree");
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync("git", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  git("worktree", "add", "--quiet", "--detach", tree, revision);
  process.on("exit", () => {
    git("worktree", "remove", "--force", tree);
    rmSync(join(tree, ".."), { recursive: true, force: true });
  });
  const lock = (/** @type {string} */ folder) =>
    readFileSync(join(folder, "package-lock.json"), "utf8");
  if (lock(tree) === lock(root))
    symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  const install = { cwd: tree, env: toolEnv, stdio: /** @type {const} */ ("inherit") };
  execFileSync(process.execPath, [join(".tools", "install.mjs")], install);
  /** @type {typeof import("../build.mjs")} */
  const { build } = await import(pathToFileURL(join(tree, ".tools", "build.mjs")).href);
  const built = await build();
  if (!built.ok) throw new Error(`${revision} cannot be built: ${built.message}`);
  return { tree, worker: join(tree, "dist", "worker", "worker.js") };
}
