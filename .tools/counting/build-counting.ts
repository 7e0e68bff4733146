// Builds the measuring build: the built Worker with counters of the amounts that Cloudflare bills.
// The Worker is the same file, with wrapped storage, bindings and, on request, clock.

import { join } from "node:path";
import { build } from "esbuild";
import { createTemporaryFolder } from "../command/temporary-folder.ts";
import { readBindings } from "../workerd/bindings.ts";

/** Builds the file of a Worker with the classes of wrangler.toml. Resolves to the new file. */
export async function buildCounting(worker: string): Promise<string> {
  const { objects } = await readBindings();
  const outfile = join(createTemporaryFolder(), "counting.js");
  const contents = `
    import { env } from "cloudflare:workers";
    import * as built from ${JSON.stringify(worker)};
    import { setClock } from "./clock.ts";
    import { countClass, createHandler } from "./objects.ts";
    setClock(env);
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
