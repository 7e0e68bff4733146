/**
 * Erases from all of a project: an issue, a person, or everything. The logs erase their own lines, wherever those are; the
 * index what it knows of them.
 */
import type { ReportId } from "../core/report.ts";
import type { Changes } from "./changes.ts";
import type { Erasure } from "./erase-lines.ts";
import { placeOf, placeOfChunkKey, projectPrefixes } from "./keys.ts";
import { inLanes } from "./lanes.ts";
import type { Ledger } from "./ledger.ts";
import { listChunks, listKeys } from "./record.ts";
import type { Cut, ReportLogRpc } from "./rpc.ts";
import { type Stop, stopsOf, type WalkTable } from "./walk-table.ts";
import type { Walker } from "./walks.ts";

/** What a walker reaches of a log. */
export type ErasedLog = Pick<ReportLogRpc, "cut" | "settle" | "erase" | "wipe">;

/** What erasing works with. */
export interface ErasingFacts {
  readonly project: string;
  readonly ledger: Ledger;
  readonly table: WalkTable;
  readonly kv: () => KVNamespace;
  readonly log: (shard: string) => ErasedLog;
  readonly shards: readonly string[];
  /** Is told what is no longer in KV as it is here. */
  readonly changed: (changes: Changes) => void;
  /** Resolves when no snapshot is on its way into KV. */
  readonly quiet: () => Promise<void>;
}

/** Erases one report from the log that has it, and from what the index shows; null when none of the logs has it. */
export async function eraseReport(
  { erasure }: Pick<Ledger, "erasure">,
  logs: readonly Pick<ReportLogRpc, "settle" | "locate" | "erase">[],
  id: ReportId,
): Promise<Changes | null> {
  await Promise.all(logs.map((log) => log.settle()));
  for (const log of logs) {
    const position = await log.locate(id);
    const place = position === null ? null : placeOf(position);
    if (place === null) continue;
    const erased = await log.erase(place, { ids: [id] });
    // By the id too: an earlier try may have erased the line, and not come to what is shown of it.
    return erasure.dropMarks([...erased, { id }]);
  }
  return null;
}

/** The walk that erases what an erasure means, in every chunk that may have it. */
export class EraseEverywhere implements Walker {
  readonly #facts: ErasingFacts;
  readonly #erasure: Exclude<Erasure, { ids: unknown }>;

  constructor(facts: ErasingFacts, erasure: Exclude<Erasure, { ids: unknown }>) {
    this.#facts = facts;
    this.#erasure = erasure;
  }

  async prepare(): Promise<void> {
    const { project, ledger, table, kv, log, changed } = this.#facts;
    const shards = this.#facts.shards;
    for await (const chunks of listChunks(kv(), project)) {
      const meant = chunks.filter(({ digests }) => this.#mayHold(digests));
      table.plan(
        meant.map(({ key, shard, chunk, t0 = 0 }) => ({ key, shard, chunk, atMs: t0, knownMs: 0 })),
      );
    }
    for (const shard of shards) {
      const { before, held, copied } = await log(shard).cut();
      table.leaveOut(shard, before);
      table.plan(stopsOf(project, shard, [...held, ...copied]));
    }
    // The index must have counted what is about to go, up to where the logs were cut: else it would come back.
    for (const shard of shards) await log(shard).settle();
    if ("digest" in this.#erasure) changed(ledger.erasure.remove(this.#erasure.digest));
  }

  async visit(stops: readonly Stop[]): Promise<void> {
    const { project, ledger, table, log, changed } = this.#facts;
    await inLanes(stops, async ({ key, shard = "" }) => {
      const place = placeOfChunkKey(project, key);
      const erased = place === null ? [] : await log(shard).erase(place, this.#erasure);
      // Of an issue that is erased nothing is shown any more.
      if ("text" in this.#erasure) changed(ledger.erasure.dropMarks(erased));
      table.visited(key);
    });
  }

  async finish(): Promise<void> {
    const { ledger, changed } = this.#facts;
    if ("text" in this.#erasure) changed(ledger.erasure.eraseText(this.#erasure.text));
  }

  /** What a chunk's metadata says spares most reads; a linked report stands under a digest of its own. */
  #mayHold(digests: readonly string[] | undefined): boolean {
    if (digests === undefined || "text" in this.#erasure) return true;
    const { digest, aliases, merged = [], parted = [] } = this.#erasure;
    const all = [digest, ...merged, ...parted.map((one) => one.digest)];
    return aliases.length > 0 || all.some((one) => digests.includes(one));
  }
}

/** The walk that erases everything. */
export class EraseProject implements Walker {
  readonly #facts: ErasingFacts;

  constructor(facts: ErasingFacts) {
    this.#facts = facts;
  }

  async prepare(): Promise<void> {
    const { project, ledger, table, kv, log, quiet } = this.#facts;
    // KV's lists may miss what was put within a minute.
    table.plan(ledger.keys(project).map((key) => ({ key, atMs: 0, knownMs: 0 })));
    const cuts = new Map<string, Cut>();
    const lastRows = new Map<string, number>();
    for (const shard of this.#facts.shards) {
      cuts.set(shard, await log(shard).cut());
      lastRows.set(shard, await log(shard).wipe());
    }
    ledger.wipe({ decisions: true });
    // What a log sent before it was wiped may still be on its way.
    for (const [shard, last] of lastRows) ledger.issues.setCounted(shard, last, 0);
    await quiet();
    for (const prefix of projectPrefixes(project)) {
      for await (const keys of listKeys(kv(), prefix)) {
        table.plan(
          keys.map(({ name }) => ({ key: name, atMs: 0, knownMs: 0, ...shardOf(project, name) })),
        );
      }
    }
    for (const [shard, { before, copied }] of cuts) {
      table.plan(stopsOf(project, shard, copied));
      // What came since is of a project that has begun again.
      table.leaveOut(shard, before);
    }
  }

  async visit(stops: readonly Stop[]): Promise<void> {
    const { kv, table } = this.#facts;
    await inLanes(stops, async ({ key }) => {
      await kv().delete(key);
      table.visited(key);
    });
  }
}

function shardOf(project: string, key: string): Pick<Stop, "shard" | "chunk"> {
  const place = placeOfChunkKey(project, key);
  return place === null ? {} : { shard: place.shard, chunk: place.chunk };
}
