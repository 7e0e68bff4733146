/**
 * Copies closed chunks of the log into KV, a few at a time and within the budget. A chunk that was refused is put again with
 * the same lines, but for what was erased meanwhile; what was copied is noted in the catalogue.
 */
import type { Digest } from "../core/report.ts";
import { chunkMetadata, encodeChunk } from "./chunk.ts";
import { inTime } from "./in-time.ts";
import { chunkKey } from "./keys.ts";
import { inLanes } from "./lanes.ts";
import { factsOf } from "./line-facts.ts";
import type { LogTable } from "./log-table.ts";
import { placedLine } from "./stored.ts";
import { tracesOf } from "./traced.ts";
import type { WriteBudget } from "./write-budget.ts";

/** KV that does not answer is tried again; nobody waits for it for ever. */
const PUT_PATIENCE_MS = 20_000;

/** What one shard copies with. */
export interface SealingFacts {
  readonly project: string;
  readonly shard: string;
  readonly table: LogTable;
  readonly budget: WriteBudget;
  readonly kv: () => KVNamespace;
  /** How long KV keeps a chunk with these digests in it. */
  readonly retentionSeconds: (digests: Iterable<Digest>) => number;
  readonly nowMs: () => number;
}

/** The copying of one shard's chunks. */
export class Sealing {
  readonly #facts: SealingFacts;
  #sealing: Promise<boolean> | null = null;

  constructor(facts: SealingFacts) {
    this.#facts = facts;
  }

  /**
   * Copies every closed chunk that the budget allows: those before `openChunk`. True when none was refused. One copy at a
   * time; whoever comes meanwhile waits for that one.
   */
  seal(openChunk: number): Promise<boolean> {
    this.#sealing ??= this.#sealAll(openChunk).finally(() => {
      this.#sealing = null;
    });
    return this.#sealing;
  }

  /** Resolves when no put is on its way; what was being put is in the catalogue then, or was refused. */
  async idle(): Promise<void> {
    await this.#sealing?.catch(() => undefined);
  }

  async #sealAll(openChunk: number): Promise<boolean> {
    const { table, budget, nowMs } = this.#facts;
    let refused = 0;
    await inLanes(table.closedChunks(openChunk), async ({ chunk, hour }) => {
      if (budget.waitMs(nowMs()) > 0) return;
      budget.spend(nowMs());
      try {
        await this.#copy(chunk, hour);
      } catch (error) {
        refused++;
        console.warn("report log: put refused", { chunk, error: String(error) });
      }
    });
    return refused === 0;
  }

  async #copy(chunk: number, hour: string): Promise<void> {
    const { project, shard, table, kv, retentionSeconds, nowMs } = this.#facts;
    const lines = table.lines(chunk);
    const placed = table.placed(chunk);
    const facts = lines.map(factsOf);
    const key = chunkKey(project, { hour, shard, chunk });
    const metadata = chunkMetadata(lines, facts);
    const digests = new Set(facts.flatMap(({ digest }) => digest ?? []));
    const expirationTtl = retentionSeconds(digests);
    const bytes = await encodeChunk(placed.length > 0 ? [...lines, placedLine(placed)] : lines);
    await inTime(kv().put(key, bytes, { metadata, expirationTtl }), PUT_PATIENCE_MS);
    const copiedMs = nowMs();
    const untilMs = copiedMs + expirationTtl * 1000;
    const ids = facts.map(({ id }) => id);
    const traces = tracesOf(facts);
    table.catalogue.add({ chunk, hour, ids, placed, traces, copiedMs, untilMs });
  }
}
