// Installs what package-lock.json names, and finds the Node that runs the tools. This file and
// run.mjs run on the system's Node before anything is installed, and need only Node 20.19. The
// other tools are TypeScript, which Node runs without a flag since 22.18. On Linux and Windows the
// lock file includes a Node that is new enough; on macOS the system's Node must be.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The first Node that strips types without a flag. */
const OLDEST = [22, 18];

/** The project's folder, as an absolute path without a slash at its end. */
export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

/**
 * Installs the packages of `folder` unless they are installed. Ends the process with 1 when npm
 * fails.
 *
 * @param {string} folder from the project's folder, "" for the project itself
 */
export function install(folder) {
  const cwd = join(root, folder);
  if (isInstalled(cwd)) return;
  console.log(`Installing packages${folder && ` of ${folder}`} (npm ci) …`);
  // npm's warnings about engines are about the system's Node, which only runs npm.
  const npm = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", npm, {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  if (status !== 0) fail("npm ci failed. See the output above.");
}

/**
 * The path of the Node that runs the tools: the installed one, else this one. Ends the process with
 * 1 if it is too old.
 */
export function findNode() {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const folder = join(root, "node_modules", `node-${platform}-${process.arch}`);
  if (existsSync(folder)) {
    const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return join(folder, bin.node);
  }
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    fail(
      `Errata needs Node ${OLDEST.join(".")} or newer, and found ${process.versions.node}. ` +
        "Install a newer one (on Linux and Windows, npm ci installs one).",
    );
  }
  return process.execPath;
}

/**
 * True when node_modules holds each package of the lock file in its version. Packages for other
 * platforms may be missing.
 *
 * @param {string} folder
 */
function isInstalled(folder) {
  const installedLock = join(folder, "node_modules", ".package-lock.json");
  if (!existsSync(installedLock)) return false;
  const wanted = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")).packages;
  const installed = JSON.parse(readFileSync(installedLock, "utf8")).packages;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === "") return true;
    return installed[path] ? installed[path].version === version : optional === true;
  });
}

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(message);
  process.exit(1);
}
