// Builds the command-line program into dist/cli: one file, its package.json and its README, which
// are the package `errata-cli`.

import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type * as v from "valibot";
import { getDescription } from "valibot";
import type { OperationFacts } from "../../src/cli/operation-table.ts";
import { packTar } from "../../src/cli/tar.ts";
import { getMemberType } from "../../src/operations/inputs.ts";
import type { Operation } from "../../src/operations/operation.ts";
import { OPERATIONS } from "../../src/operations/operations.ts";
import { toNode } from "../../src/operations/provenance.ts";
import { root } from "../install.mjs";

/** The folder that the package contains. */
export const cliFolder = join(root, "dist", "cli");
const FILES = ["errata.mjs", "package.json", "README.md"];

/** Builds the package. Throws the errors of the build. */
export async function buildCli(): Promise<void> {
  const { version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  rmSync(cliFolder, { recursive: true, force: true });
  mkdirSync(cliFolder, { recursive: true });
  const program = join(cliFolder, "errata.mjs");
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
      ERRATA_OPERATIONS: JSON.stringify(OPERATIONS.map(toFacts)),
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
  writeFileSync(join(cliFolder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(root, "src", "cli", "README.md"), join(cliFolder, "README.md"));
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

/** What the program must know of an operation. */
function toFacts({ name, summary, route, input }: Operation): OperationFacts {
  const [method = "", path = ""] = route.split(" ");
  const members = Object.entries(input.entries).map(([member, schema]) => ({
    name: member,
    type: toType(getMemberType(input, member), schema),
    isRequired: schema.type !== "optional",
    about: describe(schema) ?? member,
  }));
  return { name, summary, method, path, members };
}

function toType(
  type: string | undefined,
  schema: v.GenericSchema,
): OperationFacts["members"][number]["type"] {
  const { wrapped = schema } = schema as { readonly wrapped?: object };
  switch (type) {
    case "number":
    case "boolean":
      return type;
    case "array":
      return toNode(wrapped as v.GenericSchema).item?.type === "string" ? "list" : "json";
    case "strict_object":
      return "json";
    default:
      return "text";
  }
}

/** Valibot does not look for the description in what `optional` wraps. */
function describe(schema: object): string | undefined {
  const { wrapped = schema } = schema as { readonly wrapped?: object };
  return getDescription(wrapped as v.GenericSchema);
}
