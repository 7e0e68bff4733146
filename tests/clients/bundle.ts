/** The programs that the clients run in, bundled as a team would: names kept, since a stack is read. */
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";

const forBrowser: BuildOptions = { format: "iife" };
const forWorker: BuildOptions = {
  format: "esm",
  conditions: ["workerd", "worker", "browser"],
  external: ["node:*", "cloudflare:*"],
};

/** One program of tests/clients/programs as a single script: for a browser, or as a module for workerd. */
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
