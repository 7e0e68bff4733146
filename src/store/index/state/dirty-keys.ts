/** The snapshots in KV that a change made outdated. */
import type { Digest } from "../../../core/report.ts";

/** Digests of issues, of their decisions and of their annotations, and aliases. */
export interface DirtyKeys {
  readonly issues: ReadonlySet<Digest>;
  /** Issues that page reports changed, and no report of a higher level. */
  readonly pageIssues: ReadonlySet<Digest>;
  /** Issues that only public reports changed. */
  readonly publicIssues: ReadonlySet<Digest>;
  /** Issues of all three sets that are new, or new to reports of their level. */
  readonly newIssues: ReadonlySet<Digest>;
  readonly aliases: ReadonlySet<string>;
  readonly decisions: ReadonlySet<Digest>;
  readonly annotations: ReadonlySet<Digest>;
  /** True if the saved views changed. */
  readonly views?: boolean;
}

/** Missing members become empty. */
export function createDirtyKeys(
  keys: { readonly [K in Exclude<keyof DirtyKeys, "views">]?: Iterable<string> } & Pick<
    DirtyKeys,
    "views"
  >,
): DirtyKeys {
  const { issues, pageIssues, publicIssues, newIssues, views } = keys;
  const { aliases, decisions, annotations } = keys;
  return {
    issues: new Set(issues),
    pageIssues: new Set(pageIssues),
    publicIssues: new Set(publicIssues),
    newIssues: new Set(newIssues),
    aliases: new Set(aliases),
    decisions: new Set(decisions),
    annotations: new Set(annotations),
    ...(views === true && { views }),
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
    decisions: join(({ decisions }) => decisions),
    annotations: join(({ annotations }) => annotations),
    views: all.some(({ views }) => views),
  });
}

/** The result of a write, and the snapshots that it made outdated; absent if it changed nothing. */
export interface ChangeResult<T> {
  readonly result: T;
  readonly dirtyKeys?: DirtyKeys;
}
