/**
 * Synchronizes the object with its record in KV: the object reads values that it lacks, and writes
 * values again that KV lacks. An object that lost its storage reads everything.
 */
import type { CopyWriter } from "../../kv/copy-writer.ts";
import {
  RELEASES_COPY,
  toArtifactPackKey,
  toArtifactPackPrefix,
  toArtifactUploadKey,
  toArtifactUploadPrefix,
  toCopyKey,
} from "../../kv/keys.ts";
import { withTimeout } from "../../with-timeout.ts";
import type { ArtifactDeps } from "../tables/artifact-tables.ts";
import { decodePack, decodeUpload, RELEASES } from "./record-format.ts";

/** Keys that are read in one step. A pack takes 8 MB of memory. */
const KEYS_PER_STEP = 20;
const KV_TIMEOUT_MS = 20_000;

/** A part of a rebuild. */
export interface RebuiltPart {
  readonly cursor?: string;
  /** Calls to KV. */
  readonly operations: number;
  /** At the end: the number of the newest upload that is ready; null if there is none. */
  readonly newestUpload?: number | null;
  /** At the end: the listed keys whose values KV did not return. */
  readonly missing?: number;
}

type Phase = "packs" | "uploads" | "releases";

/** Where a restore continues. */
interface Position {
  readonly phase: Phase;
  /** KV's cursor; empty for the first page. */
  readonly page: string;
}

/** The restore of one object. `found_key` has the keys that this restore has found in KV. */
export class RecordRestore {
  readonly #deps: ArtifactDeps & { readonly copies: CopyWriter };
  /** Increases when everything is erased, which makes values that were read before obsolete. */
  #generation = 0;

  constructor(deps: ArtifactDeps & { readonly copies: CopyWriter }) {
    this.#deps = deps;
  }

  /** Ends the step in progress, which rejects. */
  stop(): void {
    this.#generation += 1;
  }

  /** Runs the next step. Rejects if KV fails; the step can be repeated. */
  async runStep(cursor: string | undefined): Promise<RebuiltPart> {
    const position: Position =
      cursor === undefined ? { phase: "packs", page: "" } : (JSON.parse(cursor) as Position);
    if (cursor === undefined) this.#deps.storage.sql.exec("DELETE FROM found_key");
    if (position.phase === "releases") return this.#restoreReleases();
    return this.#restorePage(position.phase, position.page);
  }

  async #restorePage(phase: "packs" | "uploads", page: string): Promise<RebuiltPart> {
    const { project, kv } = this.#deps;
    const generation = this.#generation;
    const prefix =
      phase === "packs" ? toArtifactPackPrefix(project) : toArtifactUploadPrefix(project);
    const listed = await withTimeout(
      kv().list({ prefix, limit: KEYS_PER_STEP, cursor: page === "" ? null : page }),
      KV_TIMEOUT_MS,
    );
    let operations = 1;
    for (const { name: key } of listed.keys) {
      const isKnown = this.#isKnown(phase, key, prefix);
      const read = isKnown ? null : withTimeout(kv().get(key, "arrayBuffer"), KV_TIMEOUT_MS);
      const value = await read;
      this.#requireGeneration(generation);
      const isMissing = !isKnown && value === null;
      const insert = "INSERT OR IGNORE INTO found_key(key, missing) VALUES (?, ?)";
      this.#deps.storage.sql.exec(insert, key, isMissing ? 1 : 0);
      // The key may have been deleted in the meantime.
      if (value === null || this.#isKnown(phase, key, prefix)) continue;
      operations++;
      if (phase === "packs") this.#restorePack(key.slice(prefix.length), value);
      else this.#restoreUpload(value);
    }
    const next: Position = listed.list_complete
      ? { phase: phase === "packs" ? "uploads" : "releases", page: "" }
      : { phase, page: listed.cursor };
    return { cursor: JSON.stringify(next), operations };
  }

  #requireGeneration(generation: number): void {
    if (generation !== this.#generation) throw new Error("the source maps were erased");
  }

  #isKnown(phase: "packs" | "uploads", key: string, prefix: string): boolean {
    const { packs, uploads } = this.#deps.tables;
    if (packs.isDeleted(key)) return true;
    const name = key.slice(prefix.length);
    const id = name.slice(name.indexOf(".") + 1);
    return phase === "packs" ? packs.has(name) : uploads.find(id) !== undefined;
  }

  #restorePack(name: string, value: ArrayBuffer): void {
    const { tables, nowMs } = this.#deps;
    const slices = decodePack(value);
    if (slices === null) {
      console.error("source maps: unreadable pack skipped", name);
      return;
    }
    tables.transaction(() => {
      for (const slice of slices) tables.maps.restore(slice, nowMs());
      tables.packs.add(
        name,
        slices.map(({ hash, first, parts }) => ({ hash, first, count: parts.length })),
        true,
      );
    });
  }

  #restoreUpload(value: ArrayBuffer): void {
    const { tables, nowMs } = this.#deps;
    const record = decodeUpload(value);
    if (record === null || tables.uploads.find(record.upload.id) !== undefined) {
      if (record === null) console.error("source maps: unreadable upload skipped");
      return;
    }
    const { upload, files } = record;
    tables.transaction(() => {
      const n = tables.uploads.add({ ...upload, chunks: [], state: "created" });
      tables.files.add(n, files);
      tables.uploads.setReady(n, upload.problem);
      tables.uploads.setSaved(n, true);
      // The last use is not recorded: the upload is kept as if it were used now.
      tables.uploads.setUsed(n, nowMs());
    });
  }

  async #restoreReleases(): Promise<RebuiltPart> {
    const { project, tables, copies } = this.#deps;
    const generation = this.#generation;
    const copy = await copies.readCopy(toCopyKey(project, RELEASES_COPY), RELEASES);
    this.#requireGeneration(generation);
    const known = new Set(tables.releases.list().map(({ version }) => version));
    const releases = copy?.releases ?? [];
    for (const facts of releases) {
      if (!known.has(facts.version)) tables.releases.put(facts);
    }
    const inKv = new Set(releases.map(({ version }) => version));
    if ([...known].some((version) => !inKv.has(version))) copies.mark(RELEASES_COPY);
    const query = "SELECT count(*) AS n FROM found_key WHERE missing = 1";
    const missing = this.#deps.storage.sql.exec<{ n: number }>(query).one().n;
    this.#rewriteLost();
    return { operations: 1, missing };
  }

  /** Marks values that KV lost, so that they are written again. */
  #rewriteLost(): void {
    const { project, tables, storage } = this.#deps;
    const isFound = (key: string) =>
      storage.sql.exec("SELECT 1 FROM found_key WHERE key = ?", key).toArray().length > 0;
    tables.transaction(() => {
      for (const name of tables.packs.listNames()) {
        if (!isFound(toArtifactPackKey(project, name))) tables.packs.setUnsaved(name);
      }
      for (const upload of tables.uploads.list()) {
        if (!upload.isSaved || isFound(toArtifactUploadKey(project, upload))) continue;
        tables.uploads.setSaved(upload.n, false);
      }
      storage.sql.exec("DELETE FROM found_key");
    });
  }
}
