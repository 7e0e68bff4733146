// ERRATA_SERVER_KEY of the deployed Worker: a secret that the first deployment creates.

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createServerKey } from "../local/keys.ts";

const NAME = "ERRATA_SERVER_KEY";
/** The options of `wrangler deploy` that name the Worker. */
const WORKER_OPTIONS = ["--name", "--env", "-e", "--config", "-c"];

/** Runs wrangler. Resolves to its exit code and its output. */
export type RunWrangler = (args: string[]) => Promise<{ code: number; output: string }>;

/**
 * Creates the secret unless the Worker has one. Resolves to the new key, `exists`, or `failed` if
 * wrangler cannot list or set secrets. `folder` must be private, because a file in it contains the
 * key for a short time.
 */
export async function createMissingServerKey(
  runWrangler: RunWrangler,
  folder: string,
  deployArgs: readonly string[],
): Promise<{ key: string } | "exists" | "failed"> {
  const worker = deployArgs.flatMap((arg, n) => {
    if (WORKER_OPTIONS.some((option) => arg.startsWith(`${option}=`))) return [arg];
    return WORKER_OPTIONS.includes(arg) ? deployArgs.slice(n, n + 2) : [];
  });
  const listed = await runWrangler(["secret", "list", "--format", "json", ...worker]);
  const names = listed.code === 0 ? parseNames(listed.output) : undefined;
  if (names === undefined) return "failed";
  if (names.includes(NAME)) return "exists";
  const key = createServerKey();
  const file = join(folder, "secrets.json");
  writeFileSync(file, JSON.stringify({ [NAME]: key }), { mode: 0o600 });
  const { code } = await runWrangler(["secret", "bulk", file, ...worker]);
  rmSync(file, { force: true });
  return code === 0 ? { key } : "failed";
}

/** The names in wrangler's output, which may contain other lines; undefined if it has no list. */
function parseNames(output: string): string[] | undefined {
  try {
    const [list = ""] = /\[[\s\S]*\]/.exec(output) ?? [];
    return JSON.parse(list).map(({ name }: { name: string }) => name);
  } catch {
    return undefined;
  }
}
