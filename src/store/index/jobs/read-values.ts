/** Reads all values with a prefix from KV in steps. */
import { listKeyPage } from "../../kv/chunk-store.ts";
import type { Phase } from "./job-runner.ts";

/** The most that one call to KV returns. */
export const VALUES_PER_STEP = 100;

/** Where the reading continues. */
interface Position {
  /** KV's cursor; empty for the first page. */
  readonly page: string;
  /** The last key that was read: keys that expire meanwhile do not shift it. */
  readonly after: string;
}

/** Passes the values under a prefix to `restore`, 100 in each step, by the rest of their keys. */
export function createValuesPhase(
  name: string,
  prefix: string,
  kv: () => KVNamespace,
  restore: (values: readonly (readonly [name: string, value: unknown])[]) => void,
): Phase {
  let listed: (Awaited<ReturnType<typeof listKeyPage>> & { readonly page: string }) | undefined;
  return {
    name,
    async runStep({ cursor }) {
      const { page, after }: Position =
        cursor === undefined ? { page: "", after: "" } : (JSON.parse(cursor) as Position);
      if (listed?.page !== page) listed = { ...(await listKeyPage(kv(), prefix, page)), page };
      const names = listed.keys.map((key) => key.name).filter((key) => key > after);
      const next = names.slice(0, VALUES_PER_STEP);
      if (next.length > 0) {
        const values = await readJsonValues(kv(), next);
        restore([...values].map(([key, value]) => [key.slice(prefix.length), value] as const));
      }
      const last = next.at(-1) ?? after;
      const position: Position | undefined =
        next.length < names.length ? { page, after: last } : toPosition(listed.next, last);
      return {
        cursor: position && JSON.stringify(position),
        operations: next.length > 0 ? 2 : 1,
      };
    },
  };
}

function toPosition(page: string | undefined, after: string): Position | undefined {
  return page === undefined ? undefined : { page, after };
}

/** JSON values by key: one bulk read, or single reads if the values are too large for it. */
export async function readJsonValues(
  kv: KVNamespace,
  names: string[],
): Promise<ReadonlyMap<string, unknown>> {
  const bulk = await kv.get(names, "json").catch(() => null);
  if (bulk !== null) return bulk;
  const values = new Map<string, unknown>();
  for (const name of names) values.set(name, await kv.get(name, "json"));
  return values;
}
