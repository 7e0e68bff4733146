/**
 * Bundles the client programs as a team would. Function names are kept, because the tests read
 * stacks.
 */
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";

const forBrowser: BuildOptions = { format: "iife" };
const forWorker: BuildOptions = {
  format: "esm",
  conditions: ["workerd", "worker", "browser"],
  external: ["node:*", "cloudflare:*"],
};

/**
 * Bundles one program of tests/clients/programs into a single script for a browser, or a module for
 * workerd.
 */
export async function bundle(program: string, target: "browser" | "worker"): Promise<string> {
  const { outputFiles } = await build({
    ...(target === "worker" ? forWorker : forBrowser),
    entryPoints: [fileURLToPath(new URL(`programs/${program}`, import.meta.url))],
    bundle: true,
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}
