// Packs the package as npm publishes it, and unpacks it into the node_modules of the apps that use
// it, where `npm install` of the packed file would put it.

import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../install.mjs";
import { buildLibrary } from "./library.ts";

/** The folder with the packed file. */
const packFolder = join(root, "dist", "packed");
const installed = join(root, "tests", "clients", "frameworks", "node_modules", "errata");

/** The packed file, as an absolute path. */
export function findPacked(): string {
  const [file] = readdirSync(packFolder);
  if (file === undefined) throw new Error("The package is not packed.");
  return join(packFolder, file);
}

/** Builds, packs and installs. Returns a line about the result, or the errors. */
export async function installPackage(): Promise<{ ok: boolean; message: string }> {
  const built = await buildLibrary();
  if (!built.ok) return built;
  for (const folder of [packFolder, installed]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  const exec = promisify(execFile);
  // The library is built: its script would only do so again.
  const pack = ["pack", "--ignore-scripts", "--pack-destination", packFolder];
  await exec("npm", pack, { cwd: root });
  const file = findPacked();
  await exec("tar", ["-xzf", file, "-C", installed, "--strip-components=1"]);
  return built;
}
