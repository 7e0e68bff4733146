/** The snapshots in KV that a change made outdated. Copied documents note their own changes. */
import type { Digest } from "../../../core/report.ts";

/** Digests of issues, and aliases. */
export interface DirtyKeys {
  readonly issues: ReadonlySet<Digest>;
  /** Issues that page reports changed, and no report of a higher level. */
  readonly pageIssues: ReadonlySet<Digest>;
  /** Issues that only public reports changed. */
  readonly publicIssues: ReadonlySet<Digest>;
  /** Issues of all three sets that are new, or new to reports of their level. */
  readonly newIssues: ReadonlySet<Digest>;
  readonly aliases: ReadonlySet<string>;
}

/** Missing members become empty. */
export function createDirtyKeys(
  keys: {
    readonly [K in keyof DirtyKeys]?: Iterable<string>;
  },
): DirtyKeys {
  return {
    issues: new Set(keys.issues),
    pageIssues: new Set(keys.pageIssues),
    publicIssues: new Set(keys.publicIssues),
    newIssues: new Set(keys.newIssues),
    aliases: new Set(keys.aliases),
  };
}

/** The keys of several changes. */
export function joinDirtyKeys(all: readonly DirtyKeys[]): DirtyKeys {
  const join = (select: (one: DirtyKeys) => Iterable<string>) =>
    all.flatMap((one) => [...select(one)]);
  return createDirtyKeys({
    issues: join(({ issues }) => issues),
    pageIssues: join(({ pageIssues }) => pageIssues),
    publicIssues: join(({ publicIssues }) => publicIssues),
    newIssues: join(({ newIssues }) => newIssues),
    aliases: join(({ aliases }) => aliases),
  });
}

/** The result of a write, and the snapshots that it made outdated; absent if it changed nothing. */
export interface ChangeResult<T> {
  readonly result: T;
  readonly dirtyKeys?: DirtyKeys;
}
