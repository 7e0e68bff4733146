/** The snapshots in KV that a change made outdated. */
import type { Digest } from "../../../core/report.ts";

/** Digests of issues, of their decisions and of their annotations, and aliases. */
export interface DirtyKeys {
  readonly issues: ReadonlySet<Digest>;
  readonly aliases: ReadonlySet<string>;
  readonly decisions: ReadonlySet<Digest>;
  readonly annotations: ReadonlySet<Digest>;
}

/** Members that are not given are empty. */
export function createDirtyKeys(
  keys: { readonly [K in keyof DirtyKeys]?: Iterable<string> },
): DirtyKeys {
  const { issues, aliases, decisions, annotations } = keys;
  return {
    issues: new Set(issues),
    aliases: new Set(aliases),
    decisions: new Set(decisions),
    annotations: new Set(annotations),
  };
}

/** The result of a write, and the snapshots that it made outdated; absent if it changed nothing. */
export interface Changed<T> {
  readonly result: T;
  readonly dirtyKeys?: DirtyKeys;
}
