/** What a change of the ledger leaves to be copied: the names of what is no longer in KV as it is here. */
import type { Digest } from "../core/report.ts";

/** Issues, decisions about them and notes on them by their digests; foreign codes by what they are. */
export interface Changes {
  readonly digests: ReadonlySet<Digest>;
  readonly aliases: ReadonlySet<string>;
  readonly decisions: ReadonlySet<Digest>;
  readonly notes: ReadonlySet<Digest>;
}

/** Changes, of what there is any. */
export function changesOf(some: { readonly [K in keyof Changes]?: Iterable<string> }): Changes {
  const { digests, aliases, decisions, notes } = some;
  return {
    digests: new Set(digests),
    aliases: new Set(aliases),
    decisions: new Set(decisions),
    notes: new Set(notes),
  };
}
