/** Lines of an import on their way into the store: a few at a time, in their order, and no more of them held than that. */
import { limits } from "../core/limits.ts";
import type { Keeping, RestoredLine } from "../core/ports.ts";
import type { Said } from "../core/said.ts";
import type { Exported } from "../ingest.ts";

/** What became of lines. `lines` is the sum of the others. */
export interface Restored {
  /** What stood in them, first and last lines of exports apart. */
  readonly lines: number;
  readonly restored: number;
  /** Known already, by their ids: counted before, and not again. */
  readonly known: number;
  readonly decisions: number;
  /** What people had added to issues, and views of the list. */
  readonly notes: number;
}

/** One import while it comes. */
export class Restoring {
  readonly #keeping: Keeping;
  #lines: RestoredLine[] = [];
  #said: Said[] = [];
  #bytes = 0;
  #done: Restored = { lines: 0, restored: 0, known: 0, decisions: 0, notes: 0 };

  constructor(keeping: Keeping) {
    this.#keeping = keeping;
  }

  /** What is durable. */
  get done(): Restored {
    return this.#done;
  }

  /** Takes what stood in a line of `bytes` bytes; stores what came before it where both are too much, or of two kinds. */
  async take(exported: Exported, bytes: number): Promise<void> {
    if (exported.is === "first" || exported.is === "last") return;
    const others = exported.is === "kept" ? this.#said : this.#lines;
    if (others.length > 0 || this.#bytes + bytes > limits.restoredBytesAtOnce) await this.store();
    if (exported.is === "kept") this.#lines.push(exported.restored);
    else this.#said.push(exported);
    this.#bytes += bytes;
    const count = this.#lines.length + this.#said.length;
    if (count >= limits.restoredLinesAtOnce) await this.store();
  }

  /** Resolves when all that was taken is durable. */
  async store(): Promise<void> {
    const [lines, said] = [this.#lines, this.#said];
    [this.#lines, this.#said, this.#bytes] = [[], [], 0];
    const restored = lines.length > 0 ? await this.#keeping.restore(lines) : 0;
    if (said.length > 0) await this.#keeping.restoreSaid(said);
    const done = this.#done;
    const decisions = said.filter(({ is }) => is === "decision").length;
    this.#done = {
      lines: done.lines + lines.length + said.length,
      restored: done.restored + restored,
      known: done.known + lines.length - restored,
      decisions: done.decisions + decisions,
      notes: done.notes + said.length - decisions,
    };
  }
}
