/**
 * Writes the record of the object to KV, within the write budget: packs of converted maps first,
 * then the uploads whose maps KV has. The object stores everything durably until then.
 */
import type { SourceMapBacklog } from "../../../core/ports/source-maps-port.ts";
import { createPackName, toArtifactPackKey, toArtifactUploadKey } from "../../kv/keys.ts";
import type { WriteBudget } from "../../kv/write-budget.ts";
import { withTimeout } from "../../with-timeout.ts";
import type { ArtifactDeps } from "../tables/artifact-tables.ts";
import { MAP_PART_BYTES, type PackedSlice } from "../tables/map-table.ts";
import type { OutdatedPack, PackSlice } from "../tables/pack-table.ts";
import type { StoredUpload } from "../tables/upload-table.ts";
import { encodePack, encodeUpload, type UploadRecord } from "./record-format.ts";

/** Bytes of maps in one pack. KV allows 25 MiB; a pack is in memory while it is written. */
const MAX_PACK_BYTES = 8_000_000;
const PUT_TIMEOUT_MS = 20_000;
const RETRY_MIN_MS = 1_200;
const RETRY_MAX_MS = 60_000;

export class ArtifactRecord {
  readonly #deps;
  #saving: Promise<number | undefined> | null = null;
  #retryMs = RETRY_MIN_MS;
  #failedWrites = 0;

  constructor(
    deps: ArtifactDeps & {
      readonly budget: WriteBudget;
      /** A random name: 16 hex characters. */
      readonly newName: () => string;
    },
  ) {
    this.#deps = deps;
  }

  /**
   * Writes the missing values to KV. Resolves to when it should be called again, in ms; undefined
   * if KV has everything. Concurrent calls share one run. Never rejects.
   */
  save(): Promise<number | undefined> {
    this.#saving ??= this.#save().finally(() => {
      this.#saving = null;
    });
    return this.#saving;
  }

  /** The writes that KV lacks or refused, and the budget. */
  getBacklog(): Omit<SourceMapBacklog, "converting"> {
    const { tables, budget, nowMs } = this.#deps;
    return {
      ...budget.getUsage(nowMs()),
      unsaved: tables.uploads.listUnsaved().length,
      waitMs: budget.getWaitMs(nowMs()),
      failedWrites: this.#failedWrites,
    };
  }

  /** Resolves when no write is in progress. */
  async waitUntilIdle(): Promise<void> {
    await this.#saving;
  }

  async #save(): Promise<number | undefined> {
    const { budget, nowMs } = this.#deps;
    try {
      await this.#delete();
      for (;;) {
        const write = this.#planWrite();
        if (write === undefined) break;
        const waitMs = write.isErasure ? 0 : budget.getWaitMs(nowMs());
        if (waitMs > 0) return nowMs() + waitMs;
        budget.spend(nowMs());
        await withTimeout(write.put(), PUT_TIMEOUT_MS);
        this.#failedWrites = 0;
        write.onSaved();
        await this.#delete();
      }
      this.#retryMs = RETRY_MIN_MS;
      return undefined;
    } catch (error) {
      console.warn("source maps: write to KV failed, will retry", String(error));
      this.#failedWrites++;
      const atMs = nowMs() + this.#retryMs;
      this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MAX_MS);
      return atMs;
    }
  }

  /** Deletes keys, and packs without slices. Deletions do not use the budget. */
  async #delete(): Promise<void> {
    const { project, tables, kv, nowMs } = this.#deps;
    for (;;) {
      const key = tables.packs.getNextDeletedKey();
      if (key === undefined) break;
      await withTimeout(kv().delete(key), PUT_TIMEOUT_MS);
      tables.packs.onDeleted(key, nowMs());
    }
    const empty = tables.packs.getNextOutdated();
    if (empty?.slices.length !== 0) return;
    tables.transaction(() => {
      tables.packs.deletePack(empty.name);
      tables.packs.addDeletedKeys([toArtifactPackKey(project, empty.name)]);
    });
    return this.#delete();
  }

  /** The next value to write; undefined if KV has everything. */
  #planWrite() {
    const { project, tables, kv } = this.#deps;
    this.#fillPack();
    const pack = tables.packs.getNextOutdated();
    if (pack !== undefined) {
      return {
        isErasure: pack.version > 0,
        put: () => kv().put(toArtifactPackKey(project, pack.name), this.#encode(pack)),
        onSaved: () => tables.packs.setSaved(pack),
      };
    }
    const upload = tables.uploads.listUnsaved().find((one) => this.#isRecorded(one));
    if (upload === undefined) return undefined;
    const key = toArtifactUploadKey(project, upload);
    const files = tables.files.list(upload.n).map(({ upload: _, n: __, ...file }) => file);
    tables.packs.undelete(key);
    return {
      isErasure: false,
      put: () => kv().put(key, encodeUpload({ upload: toUploadFacts(upload), files })),
      onSaved: () => tables.uploads.setSaved(upload.n, true),
    };
  }

  /** Assigns parts of maps to a new pack. */
  #fillPack(): void {
    const { tables, newName, nowMs } = this.#deps;
    const slices: PackSlice[] = [];
    let room = MAX_PACK_BYTES;
    for (const hash of this.#listUnpacked()) {
      const bytes = tables.maps.getBytes(hash) ?? 0;
      const first = tables.packs.countPacked(hash);
      const partBytes = Math.max(1, Math.min(MAP_PART_BYTES, bytes));
      const parts = Math.ceil(bytes / MAP_PART_BYTES) - first;
      const count = Math.min(parts, Math.floor(room / partBytes));
      if (count <= 0) break;
      slices.push({ hash, first, count });
      room -= count * partBytes;
    }
    if (slices.length === 0) return;
    const name = createPackName(nowMs(), newName());
    tables.transaction(() => tables.packs.add(name, slices, false));
  }

  /** The maps of ready uploads with parts that are in no pack. */
  *#listUnpacked(): Generator<string> {
    const { uploads, files, maps, packs } = this.#deps.tables;
    const seen = new Set<string>();
    for (const { n } of uploads.listUnsaved()) {
      for (const hash of files.listMapHashes(n)) {
        const bytes = maps.getBytes(hash) ?? 0;
        if (seen.has(hash) || packs.countPacked(hash) * MAP_PART_BYTES >= bytes) continue;
        seen.add(hash);
        yield hash;
      }
    }
  }

  #encode({ slices }: OutdatedPack): Uint8Array {
    const { maps } = this.#deps.tables;
    return encodePack(
      slices.flatMap(({ hash, first, count }): PackedSlice[] => {
        const [bytes, facts] = [maps.getBytes(hash), maps.getFacts(hash)];
        if (bytes === undefined || facts === undefined) return [];
        return [{ hash, bytes, facts, first, parts: maps.readParts(hash, first, count) }];
      }),
    );
  }

  #isRecorded(upload: StoredUpload): boolean {
    const { files, maps, packs } = this.#deps.tables;
    return files.listMapHashes(upload.n).every((hash) => {
      const bytes = maps.getBytes(hash);
      return bytes === undefined || packs.isMapSaved(hash, bytes);
    });
  }
}

/** The part of an upload that never changes, so that each put has the same bytes. */
function toUploadFacts(upload: StoredUpload): UploadRecord["upload"] {
  const { id, checksum, uploadedMs, release, dist, tool, name, url, problem } = upload;
  return { id, checksum, uploadedMs, release, dist, tool, name, url, problem };
}
