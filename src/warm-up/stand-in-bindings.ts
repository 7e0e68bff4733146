/** Bindings that repeat recorded answers. They reach nothing outside of the isolate. */
import type { Bindings } from "../bindings.ts";
import { type RecordedPage, type Recording, toKind } from "./recording.ts";

/** Only a request from the machine itself is signed in with it. */
const VARIABLES = { ERRATA_LOCAL: "open", ERRATA_SERVER_KEY: `errata_server_${"0".repeat(32)}` };
const LIMIT = { limit: async () => ({ success: true }) };

/** The bindings of a page. A call that was not recorded rejects, as if its object did not answer. */
export function createStandInBindings({ answers }: RecordedPage, { shared }: Recording): Bindings {
  const counts = new Map<string, number>();
  const answer = async (name: string): Promise<unknown> => {
    const recorded = answers[name] ?? shared[name];
    if (recorded === undefined) throw new Error(`${name} is not recorded`);
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return recorded[Math.min(count, recorded.length - 1)] ?? null;
  };
  const kv = { get: (key: unknown) => answer(`KV.get ${toKind(key)}`) };
  const bindings = new Proxy<Record<string, unknown>>(VARIABLES, {
    get(variables, name) {
      if (typeof name !== "string") return undefined;
      if (name.startsWith("ERRATA_")) return variables[name];
      if (/_LIMIT(?:_\d+)?$/.test(name)) return LIMIT;
      if (name === "KV") return kv;
      return OPTIONAL.has(name) ? undefined : createNamespace(name, answer);
    },
  });
  return bindings as unknown as Bindings;
}

const OPTIONAL: ReadonlySet<string> = new Set(["ASSETS", "BACKUP", "EMAIL"]);

function createNamespace(binding: string, answer: (name: string) => Promise<unknown>) {
  const stub = new Proxy(
    {},
    {
      get: (_, method) =>
        method === "then" ? undefined : () => answer(`${binding}.${String(method)}`),
    },
  );
  const toName = (name: string) => name;
  return { idFromName: toName, get: () => stub, getByName: () => stub };
}
