// The Worker that exists in the account before a deployment, and after one that failed.

import { parsePrinted, type RunWrangler } from "./wrangler.ts";

export const SERVER_KEY = "ERRATA_SERVER_KEY";
/** Every Errata has this Durable Object. */
const REGISTRY = "REGISTRY";
const OBJECT_BINDING = "durable_object_namespace";
/** Cloudflare's codes for a Worker that does not exist. */
const NO_WORKER = [10007, 10090, 10092];

/**
 * `bindings`: the text of each variable, and "" for everything else. `kv`: the id of the namespace
 * with the data; absent in a draft.
 */
export type DeployedWorker =
  | { readonly is: "absent" }
  | {
      readonly is: "errata";
      readonly bindings: ReadonlyMap<string, string>;
      readonly kv?: string;
    }
  /** A Worker with the same name that is not Errata. */
  | { readonly is: "foreign" }
  /** wrangler could not tell: no sign-in, several accounts, no network. */
  | { readonly is: "unknown"; readonly why: string };

/** Any Worker: the text of each variable, and "" for other bindings. */
type FoundWorker =
  | { readonly is: "absent" }
  | {
      readonly is: "found";
      readonly bindings: ReadonlyMap<string, string>;
      readonly kv?: string;
      readonly hasRegistry: boolean;
    }
  | { readonly is: "unknown"; readonly why: string };

/**
 * Reads the Errata that takes the requests now. `target` are the options that select its Worker.
 */
export async function readDeployedWorker(
  runWrangler: RunWrangler,
  target: readonly string[],
): Promise<DeployedWorker> {
  const found = await readWorker(runWrangler, target);
  if (found.is !== "found") return found;
  const { bindings, kv, hasRegistry } = found;
  if (!hasRegistry && !isDraft(bindings)) return { is: "foreign" };
  return { is: "errata", bindings, ...(kv !== undefined && { kv }) };
}

/** Reads the bindings of the Worker that takes the requests now. */
export async function readWorker(
  runWrangler: RunWrangler,
  target: readonly string[],
): Promise<FoundWorker> {
  const status = await runWrangler(["deployments", "status", "--json", ...target]);
  if (NO_WORKER.includes(status.failure?.code ?? 0)) return { is: "absent" };
  const versions = readList(parsePrinted(status.stdout), "versions");
  if (versions === undefined) return toUnknown(status.failure?.message);
  const bindings = new Map<string, string>();
  let hasRegistry = false;
  let kv: string | undefined;
  for (const version of versions) {
    const id = read(version, "version_id");
    const viewed = await runWrangler(["versions", "view", String(id), "--json", ...target]);
    const found = readList(read(parsePrinted(viewed.stdout), "resources"), "bindings");
    if (found === undefined) return toUnknown(viewed.failure?.message);
    for (const one of found) {
      const text = read(one, "text");
      const name = String(read(one, "name"));
      bindings.set(name, typeof text === "string" ? text : "");
      const namespace = read(one, "namespace_id");
      if (name === "KV" && typeof namespace === "string") kv = namespace;
      hasRegistry ||= name === REGISTRY && read(one, "type") === OBJECT_BINDING;
    }
  }
  return { is: "found", bindings, hasRegistry, ...(kv !== undefined && { kv }) };
}

/** `wrangler secret put` before the first deployment creates a Worker with the secret alone. */
function isDraft(bindings: ReadonlyMap<string, string>): boolean {
  return bindings.size > 0 && [...bindings.keys()].every((name) => name.startsWith("ERRATA_"));
}

function toUnknown(message: string | undefined): { is: "unknown"; why: string } {
  return { is: "unknown", why: message ?? "wrangler printed no JSON" };
}

function read(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function readList(value: unknown, name: string): unknown[] | undefined {
  const list = read(value, name);
  return Array.isArray(list) ? list : undefined;
}
