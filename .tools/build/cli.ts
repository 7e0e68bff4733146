// Builds the command-line program into dist/cli: one file, its package.json and its README, which
// are the package `errata-cli`.

import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { packTar } from "../../src/cli/tar.ts";
import { root } from "../install.mjs";

/** The folder that the package contains. */
export const cliFolder = join(root, "dist", "cli");
const FILES = ["errata.mjs", "package.json", "README.md"];

/** The table of operations. Typed elsewhere: its modules have the types of Workers. */
const operations = pathToFileURL(join(root, "src/operations/list-operation-facts.ts"));

const packing = pathToFileURL(join(root, "src/core/operation-facts.ts"));

/** Builds the package. Throws the errors of the build. A program that runs meanwhile stays whole. */
export async function buildCli(): Promise<void> {
  mkdirSync(cliFolder, { recursive: true });
  const folder = mkdtempSync(`${cliFolder}-`);
  try {
    await buildInto(folder);
    for (const name of FILES) renameSync(join(folder, name), join(cliFolder, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function buildInto(folder: string): Promise<void> {
  const { version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const program = join(folder, "errata.mjs");
  const { listOperationFacts } = await import(operations.href);
  const { packOperations } = await import(packing.href);
  await build({
    entryPoints: [join(root, "src", "cli", "main.ts")],
    outfile: program,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node20",
    charset: "utf8",
    banner: { js: "#!/usr/bin/env node" },
    define: {
      ERRATA_CLI_VERSION: JSON.stringify(version),
      ERRATA_OPERATIONS: JSON.stringify(packOperations(listOperationFacts())),
    },
    logLevel: "silent",
  });
  chmodSync(program, 0o755);
  const manifest = {
    name: "errata-cli",
    version,
    description: "Look up, show and decide the issues of Errata from a terminal.",
    license,
    type: "module",
    bin: { errata: "errata.mjs" },
    files: ["errata.mjs"],
    engines: { node: ">=20" },
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(root, "src", "cli", "README.md"), join(folder, "README.md"));
}

/** The package as `npm pack` would pack it, for the deployment to serve. */
export async function packCli(): Promise<Uint8Array> {
  await buildCli();
  const packed = FILES.map((name) => ({
    path: `package/${name}`,
    bytes: readFileSync(join(cliFolder, name)),
  }));
  return gzipSync(packTar(packed), { level: 9 });
}
