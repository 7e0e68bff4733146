/**
 * The merges of issues, in memory, because every report needs them.
 *
 * A merge moves counts and cannot be undone exactly: reports that arrived while B was merged into A
 * stay counted in A. So a split writes a *split point* into B's annotations (`splitOff`): the issue
 * A and its current watermarks, one log offset per shard. A report of B at or below them always
 * counts in A, a later one in B; a report of B can have several split points, the earliest first. A
 * rebuild needs the same distinction for snapshots. Each issue's snapshot has the watermarks up to
 * which it counts. An issue rebuilt by merging two snapshots skips log lines at or below its own
 * `watermarks`, and lines of a merged digest at or below that digest's `mergedWatermarks`.
 */
import type { Annotations, SplitOff } from "../../../core/issue/annotations.ts";
import type { Digest } from "../../../core/report.ts";
import type { ParsedPosition } from "../../kv/keys.ts";
import { isBelowWatermark, type Watermarks } from "../../kv/watermarks.ts";
import type { AnnotationTable } from "../tables/annotation-table.ts";

interface MergeIndex {
  readonly mergedInto: ReadonlyMap<Digest, Digest>;
  readonly splitPoints: ReadonlyMap<Digest, readonly SplitOff[]>;
}

/** The merges of one project, as its annotations record them. */
export class MergeMap {
  readonly #annotations: AnnotationTable;
  #index: MergeIndex | null = null;

  constructor(annotations: AnnotationTable) {
    this.#annotations = annotations;
  }

  /**
   * The issue that counts the reports of a digest, or, with a position, the report at that
   * position.
   */
  resolve(digest: Digest, position?: ParsedPosition | null): Digest {
    const split = position
      ? this.#getSplitPoints(digest).find((one) => isBelowWatermark(position, one.watermarks))
      : undefined;
    // Merges never form chains: a merge also moves everything that was merged into the issue.
    return split === undefined
      ? (this.#getIndex().mergedInto.get(digest) ?? digest)
      : this.resolve(split.into);
  }

  /**
   * The issue that a snapshot belongs to. One from before a split belongs to the issue split from.
   */
  resolveSnapshot(digest: Digest, watermarks: Watermarks): Digest {
    const split = this.#getSplitPoints(digest).find((one) =>
      Object.entries(watermarks).every(
        ([shard, offset]) => offset <= (one.watermarks[shard] ?? -1),
      ),
    );
    return split === undefined ? this.resolve(digest) : this.resolve(split.into);
  }

  /**
   * The digests split off from an issue, with the watermarks up to which it counts their reports.
   */
  listSplitFrom(
    digest: Digest,
  ): readonly { readonly digest: Digest; readonly watermarks: Watermarks }[] {
    return [...this.#getIndex().splitPoints].flatMap(([splitDigest, points]) =>
      points
        .filter(({ into }) => this.resolve(into) === digest)
        .map(({ watermarks }) => ({ digest: splitDigest, watermarks })),
    );
  }

  /** The issues that count earlier reports of a split-off digest; the latest split first. */
  listSplitSources(digest: Digest): readonly Digest[] {
    const points = this.#getSplitPoints(digest).toReversed();
    return [...new Set(points.map(({ into }) => this.resolve(into)))];
  }

  /** The watermarks up to which other issues count the reports of a digest, one per split. */
  listSplitWatermarks(digest: Digest): readonly Watermarks[] {
    return this.#getSplitPoints(digest).map(({ watermarks }) => watermarks);
  }

  /** Call when annotations changed. */
  clearCache(): void {
    this.#index = null;
  }

  #getSplitPoints(digest: Digest): readonly SplitOff[] {
    return this.#getIndex().splitPoints.get(digest) ?? [];
  }

  #getIndex(): MergeIndex {
    this.#index ??= buildMergeIndex(this.#annotations.listMerges());
    return this.#index;
  }
}

function buildMergeIndex(all: readonly (readonly [Digest, Annotations])[]): MergeIndex {
  const mergedInto = new Map<Digest, Digest>();
  const splitPoints = new Map<Digest, readonly SplitOff[]>();
  for (const [digest, annotations] of all) {
    if (annotations.mergedInto !== undefined) mergedInto.set(digest, annotations.mergedInto);
    if (annotations.splitOff !== undefined) splitPoints.set(digest, annotations.splitOff);
  }
  return { mergedInto, splitPoints };
}
