// The KV namespace that a first deployment created before it failed. wrangler creates one with the
// same name each time, which Cloudflare refuses, so it has to get the id.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { removeOption } from "./arguments.ts";
import { parsePrinted, type RunWrangler } from "./wrangler.ts";

/** Cloudflare's code: a namespace with this title exists. */
export const NAMESPACE_EXISTS = 10014;

export type LeftNamespace =
  /** Nothing was stored in it: it is from a deployment that failed. */
  | { readonly is: "empty"; readonly id: string; readonly title: string }
  | { readonly is: "used"; readonly id: string; readonly title: string }
  /** `isRefused`: the token may not list namespaces. */
  | { readonly is: "unknown"; readonly why: string; readonly isRefused: boolean };

/** Finds the namespace that wrangler names after the Worker and the binding: `errata-kv`. */
export async function findLeftNamespace(
  runWrangler: RunWrangler,
  worker: string,
  target: readonly string[],
): Promise<LeftNamespace> {
  // The commands of KV have no `--name`.
  const account = removeOption(target, "--name");
  const listed = await runWrangler(["kv", "namespace", "list", ...account]);
  const namespaces = parsePrinted(listed.stdout);
  if (!Array.isArray(namespaces)) return toUnknown(listed.failure?.message, true);
  const title = `${worker}-kv`.toLowerCase();
  const found = namespaces.find((one) => String(one?.title).toLowerCase() === title);
  if (found === undefined) return toUnknown(`No KV namespace is called ${title}`);
  const id = String(found.id);
  const words = ["kv", "key", "list", "--remote", "--namespace-id", id];
  const keys = await runWrangler([...words, ...account]);
  const stored = parsePrinted(keys.stdout);
  if (!Array.isArray(stored)) return toUnknown(keys.failure?.message, true);
  return { is: stored.length === 0 ? "empty" : "used", id, title: String(found.title) };
}

function toUnknown(message: string | undefined, isRefused = false): LeftNamespace {
  return { is: "unknown", why: message ?? "wrangler printed no JSON", isRefused };
}

/**
 * Writes a copy of the configuration that names the namespace of the binding `KV`, beside it,
 * because its paths are relative. The copy is removed when this process ends.
 */
export function writeConfigWithNamespace(file: string, id: string): string {
  const extension = extname(file);
  const copy = join(dirname(file), `.errata-deploy-${process.pid}${extension}`);
  process.on("exit", () => rmSync(copy, { force: true }));
  writeFileSync(copy, addNamespaceId(readFileSync(file, "utf8"), id));
  return copy;
}

/** The configuration with this id at each binding `KV`, in TOML or JSON. */
export function addNamespaceId(config: string, id: string): string {
  return config
    .replace(/^([ \t]*binding\s*=\s*"KV")/gm, `$1\nid = "${id}"`)
    .replace(/("binding"\s*:\s*"KV")/g, `$1, "id": "${id}"`);
}
