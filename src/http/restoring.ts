/** Lines of an import on their way into the store: a few at a time, in their order, and no more of them held than that. */
import type { Decided } from "../core/decision.ts";
import { limits } from "../core/limits.ts";
import type { Keeping, RestoredLine } from "../core/ports.ts";
import type { Exported } from "../ingest.ts";

/** What became of lines. `lines` is the sum of the three others. */
export interface Restored {
  /** What stood in them, first and last lines of exports apart. */
  readonly lines: number;
  readonly restored: number;
  /** Known already, by their ids: counted before, and not again. */
  readonly known: number;
  readonly decisions: number;
}

/** One import while it comes. */
export class Restoring {
  readonly #keeping: Keeping;
  #lines: RestoredLine[] = [];
  #decisions: Decided[] = [];
  #bytes = 0;
  #done: Restored = { lines: 0, restored: 0, known: 0, decisions: 0 };

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
    const others = exported.is === "kept" ? this.#decisions : this.#lines;
    if (others.length > 0 || this.#bytes + bytes > limits.restoredBytesAtOnce) await this.store();
    if (exported.is === "kept") this.#lines.push(exported.restored);
    else this.#decisions.push(exported.decided);
    this.#bytes += bytes;
    const count = this.#lines.length + this.#decisions.length;
    if (count >= limits.restoredLinesAtOnce) await this.store();
  }

  /** Resolves when all that was taken is durable. */
  async store(): Promise<void> {
    const [lines, decisions] = [this.#lines, this.#decisions];
    [this.#lines, this.#decisions, this.#bytes] = [[], [], 0];
    const restored = lines.length > 0 ? await this.#keeping.restore(lines) : 0;
    if (decisions.length > 0) await this.#keeping.restoreDecisions(decisions);
    const done = this.#done;
    this.#done = {
      lines: done.lines + lines.length + decisions.length,
      restored: done.restored + restored,
      known: done.known + lines.length - restored,
      decisions: done.decisions + decisions.length,
    };
  }
}
