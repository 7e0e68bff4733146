/**
 * Walks over the chunks of all shards for an export, in the order of UTC days. An import of several
 * shards therefore sees a server report before the browser reports that belong to it.
 */
import type { ExportedPart, ExportRange } from "../log/export-chunks.ts";
import type { LogApi } from "../objects.ts";

interface ExportedShard {
  readonly shard: string;
  readonly log: Pick<LogApi, "exportChunks">;
}

/** How far a shard is exported. */
interface ShardProgress extends ExportedShard {
  readonly after: number;
  /** The hour of its next chunk: `UNKNOWN_HOUR` at first, null if there is none. */
  readonly nextHour: string | null;
}

/** Sorts before every hour. The first answer of a shard states only the hour of its first chunk. */
const UNKNOWN_HOUR = "0";
const END = "end";

export class ExportReader {
  readonly #range: Pick<ExportRange, "day" | "maxChunks">;
  #shards: readonly ShardProgress[];

  /** `day`: `20261121`. `cursor`: that of an earlier export, `0.281999.2026112117,1.282000.end`. */
  constructor(
    shards: readonly ExportedShard[],
    { cursor = "", ...range }: Pick<ExportRange, "day" | "maxChunks"> & { cursor?: string },
  ) {
    const parts = cursor.split(",").map((one) => one.split("."));
    this.#range = range;
    this.#shards = shards.map((one) => {
      const [, after = 0, nextHour = UNKNOWN_HOUR] =
        parts.find(([shard]) => shard === one.shard) ?? [];
      return { ...one, after: Number(after), nextHour: nextHour === END ? null : nextHour };
    });
  }

  /** True if every chunk is exported. */
  get isDone(): boolean {
    return this.#shards.every(({ nextHour }) => nextHour === null);
  }

  /** Continues the export in a later request. */
  get cursor(): string {
    return this.#shards
      .map(({ shard, after, nextHour }) => `${shard}.${after}.${nextHour ?? END}`)
      .join();
  }

  /** The next part, which can be empty. Call it unless the export is done. */
  async readNext(): Promise<ExportedPart> {
    const [next, second] = this.#shards
      .filter(({ nextHour }) => nextHour !== null)
      .sort((a, b) => ((a.nextHour ?? "") < (b.nextHour ?? "") ? -1 : 1));
    if (next === undefined) throw new Error("the export is complete");
    const untilDay = second?.nextHour?.slice(0, 8);
    const range = { ...this.#range, after: next.after, untilDay };
    const part = await next.log.exportChunks(range);
    const progress = { ...next, after: part.lastChunk, nextHour: part.nextHour };
    this.#shards = this.#shards.map((one) => (one === next ? progress : one));
    return part;
  }
}
