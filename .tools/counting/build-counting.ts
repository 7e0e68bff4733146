// Builds the measuring build: the built Worker with counters of the amounts that Cloudflare bills.

import { join } from "node:path";
import { build } from "esbuild";
import { createTemporaryFolder } from "../command/command-line.ts";
import { root } from "../install.mjs";
import { readBindings } from "../workerd/bindings.ts";

/** Wraps a Worker with the classes in the wrangler.toml of `tree`. Resolves to the new file. */
export async function buildCounting(worker: string, tree = root): Promise<string> {
  const { objects } = await readBindings(tree);
  const outfile = join(createTemporaryFolder(), "counting.js");
  const contents = `
    import * as built from ${JSON.stringify(worker)};
    import { countClass, createHandler } from "./counting.ts";
    ${objects.map(({ className: name }) => `export const ${name} = countClass(built.${name});`).join("\n")}
    export default createHandler(built.default);
  `;
  await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    format: "esm",
    // React's build names the runtime's modules without their prefix.
    platform: "node",
    external: ["cloudflare:*", "/assets/*"],
    outfile,
    logLevel: "error",
  });
  return outfile;
}
