// Runs before every npm script: installs what package-lock.json names when node_modules is missing or differs from it,
// then makes sure that the Node which runs the script is new enough. Needs nothing but Node 20 itself. On Linux and
// Windows the lock file brings a Node of its own (node_modules/.bin/node), which npm puts first in PATH.
//
// An argument names a folder with a package-lock.json of its own, which is then installed in the same way:
// `node .tools/install.mjs tests/clients`.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const oldestNodeMajor = 22;

install(root);
for (const folder of process.argv.slice(2)) install(`${root}${folder}/`);

const version = nodeVersion();
if (Number.parseInt(version, 10) < oldestNodeMajor) {
  console.error(
    `Errata needs Node ${oldestNodeMajor} or newer, and found ${version}. ` +
      "Please install a newer one (on Linux and Windows, npm ci brings one along).",
  );
  process.exit(1);
}

/** Installs the packages of a folder unless they stand there already; ends the process when that fails.
 * @param {string} folder */
function install(folder) {
  if (isInstalled(folder)) return;
  const where = folder === root ? "" : ` of ${folder.slice(root.length, -1)}`;
  console.log(`Installing packages${where} (npm ci) …`);
  // npm's own warnings about engines concern the system's Node, which only runs npm.
  const npm = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", npm, {
    cwd: folder,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    console.error("npm ci failed; the lines above say why.");
    process.exit(1);
  }
}

/** True when every package of the lock file stands in node_modules in the same version; packages for other platforms may be missing.
 * @param {string} folder */
function isInstalled(folder) {
  const installedLock = `${folder}node_modules/.package-lock.json`;
  if (!existsSync(installedLock)) return false;
  const wanted = JSON.parse(readFileSync(`${folder}package-lock.json`, "utf8")).packages;
  const installed = JSON.parse(readFileSync(installedLock, "utf8")).packages;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === "") return true;
    return installed[path] ? installed[path].version === version : optional === true;
  });
}

/** The version, without the v, of the Node that `node` means in PATH; that is the one which runs the script. */
function nodeVersion() {
  try {
    return execFileSync("node", ["--version"], { encoding: "utf8" }).trim().slice(1);
  } catch {
    return process.versions.node;
  }
}
