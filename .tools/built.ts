// The files of the build.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";

/** The folder with the browser's files, as Cloudflare serves them. */
export const clientFolder = join(root, "dist", "client");

/** The bundled Worker: one minified module. */
export const workerFile = join(root, "dist", "worker", "worker.js");

/** True when both exist. */
export const isBuilt = () =>
  existsSync(workerFile) && existsSync(join(clientFolder, ".vite", "manifest.json"));

/** The hashed files of the client, as absolute paths. */
export const clientFiles = () =>
  readdirSync(join(clientFolder, "assets")).map((file) => join(clientFolder, "assets", file));
