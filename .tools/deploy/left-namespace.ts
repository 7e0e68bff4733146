// The KV namespace that a first deployment created before it failed. wrangler creates one with the
// same name each time, which Cloudflare refuses, so it has to get the id.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { removeOption } from "./arguments.ts";
import { parsePrinted, type RunWrangler, type WranglerRun } from "./wrangler.ts";

/** Cloudflare's code: a namespace with this title exists. */
export const NAMESPACE_EXISTS = 10014;
/** Cloudflare's codes for a token without the permission. */
const REFUSED = [10000, 9109];

export type LeftNamespace =
  /** Nothing was stored in it: it is from a deployment that failed. */
  | { readonly is: "empty"; readonly id: string; readonly title: string }
  | { readonly is: "used"; readonly id: string; readonly title: string }
  /** `isRefused`: the token lacks the permission. */
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
  if (!Array.isArray(namespaces)) return toUnknown(listed);
  const title = `${worker}-kv`.toLowerCase();
  const found = namespaces.find((one) => String(one?.title).toLowerCase() === title);
  if (found === undefined)
    return { is: "unknown", why: `none is called ${title}`, isRefused: false };
  const id = String(found.id);
  const words = ["kv", "key", "list", "--remote", "--namespace-id", id];
  const keys = await runWrangler([...words, ...account]);
  const stored = parsePrinted(keys.stdout);
  if (!Array.isArray(stored)) return toUnknown(keys);
  return { is: stored.length === 0 ? "empty" : "used", id, title: String(found.title) };
}

function toUnknown({ failure }: WranglerRun): LeftNamespace {
  // The commands of KV give the status in the message and no code.
  const isRefused = REFUSED.includes(failure?.code ?? 0) || /^40[13] /.test(failure?.message ?? "");
  return { is: "unknown", why: failure?.message ?? "wrangler printed no JSON", isRefused };
}

/**
 * Writes a copy of the configuration that names the namespace of the binding `KV`, beside it,
 * because its paths are relative. The copy is removed when this process ends. Undefined if the
 * binding was not found.
 */
export function writeConfigWithNamespace(file: string, id: string): string | undefined {
  const given = readFileSync(file, "utf8");
  const changed = addNamespaceId(given, id);
  if (changed === given) return undefined;
  const copy = join(dirname(file), `.errata-deploy-${process.pid}${extname(file)}`);
  process.on("exit", () => rmSync(copy, { force: true }));
  writeFileSync(copy, changed);
  return copy;
}

/** `binding = "KV"` and what follows in its table, in TOML or JSON. */
const KV_BINDING = /(["']?\bbinding["']?\s*([=:])\s*["']KV["'])([^[\]{}]*)/g;

/** The configuration with this id at each binding `KV` that has none. */
export function addNamespaceId(config: string, id: string): string {
  return config.replace(KV_BINDING, (all, binding, sign, rest, offset: number) => {
    const before = config.slice(config.lastIndexOf("\n", offset) + 1, offset);
    const table = config.slice(Math.max(config.lastIndexOf("{", offset), 0), offset);
    if (/["']?\bid["']?\s*[=:]/.test(rest)) return all;
    if (sign === ":") return table.includes('"id"') ? all : `${binding}, "id": "${id}"${rest}`;
    if (before.includes("{")) return `${binding}, id = "${id}"${rest}`;
    return `${binding}\nid = "${id}"${rest}`;
  });
}
