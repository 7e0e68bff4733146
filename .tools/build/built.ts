// The files of the build.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../install.mjs";

/** The folder with the browser's files, as Cloudflare serves them. */
export const clientFolder = join(root, "dist", "client");

/** The folder with the source maps of the browser's files, which are not served. */
export const mapFolder = join(root, "dist", "maps");

/** The bundled Worker: one minified module. Its map is beside it. */
export const workerFile = join(root, "dist", "worker", "worker.js");

/** True when both exist. */
export const isBuilt = () =>
  existsSync(workerFile) && existsSync(join(clientFolder, ".vite", "manifest.json"));

/** The hashed files of the client, as absolute paths. */
export const listClientFiles = () =>
  readdirSync(join(clientFolder, "assets")).map((file) => join(clientFolder, "assets", file));
