/** Reads all values with a prefix from KV in steps. */
import { listKeyPage } from "../../kv/chunk-store.ts";
import type { Phase } from "./job-runner.ts";

/** The most that one call to KV returns. */
const VALUES_PER_READ = 100;
/** About 25 ms of CPU to restore issues. */
export const VALUES_PER_STEP = 20;

/** Where the reading continues. */
interface Position {
  /** KV's cursor; empty for the first page. */
  readonly page: string;
  /** The last key that was read. The position holds although keys expire. */
  readonly after: string;
}

/** Passes the values under a prefix to `restore`, 20 in each step, with the rest of their keys. */
export function createValuesPhase(
  name: string,
  prefix: string,
  kv: () => KVNamespace,
  restore: (values: readonly (readonly [name: string, value: unknown])[]) => void,
): Phase {
  let listed: (Awaited<ReturnType<typeof listKeyPage>> & { readonly page: string }) | undefined;
  let values: ReadonlyMap<string, unknown> = new Map();
  return {
    name,
    async runStep({ cursor }) {
      const { page, after }: Position =
        cursor === undefined ? { page: "", after: "" } : (JSON.parse(cursor) as Position);
      let operations = 0;
      if (listed?.page !== page) {
        listed = { ...(await listKeyPage(kv(), prefix, page)), page };
        operations += 1;
      }
      const names = listed.keys.map((key) => key.name).filter((key) => key > after);
      const next = names.slice(0, VALUES_PER_STEP);
      if (!next.every((key) => values.has(key))) {
        const read = await readJsonValues(kv(), names.slice(0, VALUES_PER_READ));
        values = read.values;
        operations += read.operations;
      }
      restore(next.map((key) => [key.slice(prefix.length), values.get(key)] as const));
      const last = next.at(-1) ?? after;
      const position: Position | undefined =
        next.length < names.length ? { page, after: last } : toPosition(listed.next, last);
      return {
        cursor: position && JSON.stringify(position),
        operations,
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
): Promise<{ readonly values: ReadonlyMap<string, unknown>; readonly operations: number }> {
  const bulk = await kv.get(names, "json").catch(() => null);
  if (bulk !== null) return { values: bulk, operations: 1 };
  const values = new Map<string, unknown>();
  for (const name of names) values.set(name, await kv.get(name, "json"));
  return { values, operations: 1 + names.length };
}
