/** Which issues were merged into which others, in memory: every report asks. */
import type { Notes } from "../core/notes.ts";
import type { Digest } from "../core/report.ts";
import type { KeptTable } from "./kept-table.ts";

/** The merges of one project, as its notes say them. */
export class Merges {
  readonly #notes: KeptTable<Notes>;
  #into: Map<Digest, Digest> | null = null;

  constructor(notes: KeptTable<Notes>) {
    this.#notes = notes;
  }

  /** The issue that reports of a digest count in: the one that it was merged into, else its own. */
  of(digest: Digest): Digest {
    const into = this.#all();
    const seen = new Set<Digest>();
    let at = digest;
    for (let next = into.get(at); next !== undefined && !seen.has(at); next = into.get(at)) {
      seen.add(at);
      at = next;
    }
    return at;
  }

  /** Holds nothing in memory any more: notes have changed. */
  cool(): void {
    this.#into = null;
  }

  #all(): ReadonlyMap<Digest, Digest> {
    this.#into ??= new Map(
      this.#notes
        .all()
        .flatMap(([digest, { mergedInto }]) =>
          mergedInto === undefined ? [] : [[digest, mergedInto] as const],
        ),
    );
    return this.#into;
  }
}
