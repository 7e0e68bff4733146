/** Which issues were merged into which others, and split off again, in memory: every report asks. */
import type { Notes, Parted } from "../core/notes.ts";
import type { Digest } from "../core/report.ts";
import type { KeptTable } from "./kept-table.ts";
import { orderOf, type Place } from "./keys.ts";

/** Up to which place of each shard. */
export type UpTo = Readonly<Record<string, number>>;

/** True for a place up to there. */
export function isWithin(place: Place, upTo: UpTo | undefined): boolean {
  return orderOf(place) <= (upTo?.[place.shard] ?? -1);
}

interface Moves {
  readonly into: ReadonlyMap<Digest, Digest>;
  readonly parted: ReadonlyMap<Digest, readonly Parted[]>;
}

/** The merges of one project, as its notes say them. */
export class Merges {
  readonly #notes: KeptTable<Notes>;
  #moves: Moves | null = null;

  constructor(notes: KeptTable<Notes>) {
    this.#notes = notes;
  }

  /**
   * The issue that a report of a digest counts in: the one that it was merged into, else its own. Where its place is known, the one
   * that it was in when the report came.
   */
  of(digest: Digest, place?: Place | null): Digest {
    const { into, parted } = this.#all();
    const then = place ? parted.get(digest)?.find(({ upTo }) => isWithin(place, upTo)) : undefined;
    // Merges are never chains: what was merged into an issue goes with it.
    return then === undefined ? (into.get(digest) ?? digest) : this.of(then.into);
  }

  /** Where the snapshot of an issue belongs: one that was taken before it was merged and split off again is of the other. */
  ofSnapshot(digest: Digest, upTo: UpTo): Digest {
    const then = this.#all()
      .parted.get(digest)
      ?.find((one) => Object.entries(upTo).every(([shard, at]) => at <= (one.upTo[shard] ?? -1)));
    return then === undefined ? this.of(digest) : this.of(then.into);
  }

  /** What was split off from an issue: up to where its reports count in it. */
  partedFrom(digest: Digest): readonly { readonly digest: Digest; readonly upTo: UpTo }[] {
    return [...this.#all().parted].flatMap(([own, all]) =>
      all.filter(({ into }) => this.of(into) === digest).map(({ upTo }) => ({ digest: own, upTo })),
    );
  }

  /** The issues in which reports of a digest count that was split off from them, the last one first. */
  partedInto(digest: Digest): readonly Digest[] {
    const all = this.#all().parted.get(digest) ?? [];
    return [...new Set(all.toReversed().map(({ into }) => this.of(into)))];
  }

  /** Up to where the reports of a digest count in other issues. */
  partedOf(digest: Digest): readonly UpTo[] {
    return (
      this.#all()
        .parted.get(digest)
        ?.map(({ upTo }) => upTo) ?? []
    );
  }

  /** Holds nothing in memory any more: notes have changed. */
  cool(): void {
    this.#moves = null;
  }

  #all(): Moves {
    this.#moves ??= movesIn(this.#notes.all());
    return this.#moves;
  }
}

function movesIn(all: readonly (readonly [Digest, Notes])[]): Moves {
  const into = new Map<Digest, Digest>();
  const parted = new Map<Digest, readonly Parted[]>();
  for (const [digest, notes] of all) {
    if (notes.mergedInto !== undefined) into.set(digest, notes.mergedInto);
    if (notes.parted !== undefined) parted.set(digest, notes.parted);
  }
  return { into, parted };
}
