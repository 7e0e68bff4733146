/** Which issues were merged into which others, and split off again, in memory: every report asks. */
import type { Annotations, SplitOff } from "../../../core/issue/annotations.ts";
import type { Digest } from "../../../core/report.ts";
import type { ParsedPosition } from "../../kv/keys.ts";
import { isBelowWatermark, type Watermarks } from "../../kv/watermarks.ts";
import type { DocumentTable } from "../tables/document-table.ts";

interface MergeIndex {
  readonly mergedInto: ReadonlyMap<Digest, Digest>;
  readonly splitOff: ReadonlyMap<Digest, readonly SplitOff[]>;
}

/** The merges of one project, as its notes say them. */
export class MergeMap {
  readonly #annotations: DocumentTable<Annotations>;
  #index: MergeIndex | null = null;

  constructor(annotations: DocumentTable<Annotations>) {
    this.#annotations = annotations;
  }

  /**
   * The issue that a report of a digest counts in: the one that it was merged into, else its own. Where its place is known, the one
   * that it was in when the report came.
   */
  resolve(digest: Digest, position?: ParsedPosition | null): Digest {
    const { mergedInto, splitOff } = this.#getIndex();
    const split = position
      ? splitOff.get(digest)?.find(({ watermarks }) => isBelowWatermark(position, watermarks))
      : undefined;
    // Merges are never chains: what was merged into an issue goes with it.
    return split === undefined ? (mergedInto.get(digest) ?? digest) : this.resolve(split.into);
  }

  /** Where the snapshot of an issue belongs: one that was taken before it was merged and split off again is of the other. */
  resolveSnapshot(digest: Digest, watermarks: Watermarks): Digest {
    const split = this.#getIndex()
      .splitOff.get(digest)
      ?.find((one) =>
        Object.entries(watermarks).every(
          ([shard, offset]) => offset <= (one.watermarks[shard] ?? -1),
        ),
      );
    return split === undefined ? this.resolve(digest) : this.resolve(split.into);
  }

  /** What was split off from an issue: up to where its reports count in it. */
  listSplitFrom(
    digest: Digest,
  ): readonly { readonly digest: Digest; readonly watermarks: Watermarks }[] {
    return [...this.#getIndex().splitOff].flatMap(([splitDigest, all]) =>
      all
        .filter(({ into: mergedInto }) => this.resolve(mergedInto) === digest)
        .map(({ watermarks }) => ({ digest: splitDigest, watermarks })),
    );
  }

  /** The issues in which reports of a digest count that was split off from them, the last one first. */
  listSplitSources(digest: Digest): readonly Digest[] {
    const all = this.#getIndex().splitOff.get(digest) ?? [];
    return [...new Set(all.toReversed().map(({ into: mergedInto }) => this.resolve(mergedInto)))];
  }

  /** Up to where the reports of a digest count in other issues. */
  listSplitWatermarks(digest: Digest): readonly Watermarks[] {
    return (
      this.#getIndex()
        .splitOff.get(digest)
        ?.map(({ watermarks }) => watermarks) ?? []
    );
  }

  /** Holds nothing in memory any more: notes have changed. */
  clearCache(): void {
    this.#index = null;
  }

  #getIndex(): MergeIndex {
    this.#index ??= buildMergeIndex(this.#annotations.list());
    return this.#index;
  }
}

function buildMergeIndex(all: readonly (readonly [Digest, Annotations])[]): MergeIndex {
  const mergedInto = new Map<Digest, Digest>();
  const splitOff = new Map<Digest, readonly SplitOff[]>();
  for (const [digest, annotations] of all) {
    if (annotations.mergedInto !== undefined) mergedInto.set(digest, annotations.mergedInto);
    if (annotations.splitOff !== undefined) splitOff.set(digest, annotations.splitOff);
  }
  return { mergedInto, splitOff };
}
