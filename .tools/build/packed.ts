// Packs the package as npm publishes it, and installs it beside the frameworks of tests/clients.

import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { extractTar } from "../deploy/tar.ts";
import { root } from "../install.mjs";

/** The folder of the apps that use the package. */
const frameworks = join(root, "tests", "clients", "frameworks");

/** The folder with the packed file. */
export const packFolder = join(root, "dist", "packed");
