/** What a change of the ledger leaves to be copied: the names of what is no longer in KV as it is here. */
import type { Digest } from "../../../core/report.ts";

/** Issues, decisions about them and notes on them by their digests; foreign codes by what they are. */
export interface DirtyKeys {
  readonly issues: ReadonlySet<Digest>;
  readonly aliases: ReadonlySet<string>;
  readonly decisions: ReadonlySet<Digest>;
  readonly annotations: ReadonlySet<Digest>;
}

/** Changes, of what there is any. */
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
