/**
 * What earlier versions wrote, put back where it was: `tests/fixtures/stored` (its format is in `tests/fixtures/README.md`).
 *
 * The objects have the platform's clock: what is older than its retention is forgotten, and a retry is known for a day. A fixture
 * that stood still would be another test next year. So all of one is from within one hour, and is moved by whole hours to the
 * present: moments in ms, hours (`2026112117`) and days (`2026-11-21`), in keys, rows and lines alike. Nothing else is changed.
 */
/// <reference types="vite/types/importMeta.d.ts" />
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import type { Issue } from "../../src/core/issue.ts";
import type { SavedView } from "../../src/core/issue-query.ts";
import type { Notes } from "../../src/core/notes.ts";
import { bindings, index, shard } from "./store.ts";

/** A cell of a row. */
type Cell = string | number | null | { readonly base64: string };

/** A table with its rows, or an index on one. */
interface Table {
  readonly name: string;
  readonly create: string;
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly Cell[])[];
}

/** What one version wrote. */
export interface StoredVersion {
  /** What is new in it. */
  readonly about: string;
  /** When it was taken. */
  readonly writtenMs: number;
  readonly tables: { readonly log: readonly Table[]; readonly index: readonly Table[] };
  readonly kv: readonly {
    readonly key: string;
    readonly text?: string;
    /** Of a chunk, which is gzip. */
    readonly base64?: string;
    readonly metadata?: object;
    readonly ttlSeconds?: number;
  }[];
  /** What that version itself said, when it had counted everything. */
  readonly then: {
    readonly total: number;
    readonly noiseTotal?: number;
    /** Those of noise too; of `latest` the ids. */
    readonly issues: readonly Issue[];
    readonly aliases: Readonly<Record<string, readonly string[]>>;
    /** Absent where there were none yet, as `search`: words, and the issues that they find. */
    readonly tallies?: readonly (readonly [day: string, name: readonly string[], count: number])[];
    readonly search?: Readonly<Record<string, readonly string[]>>;
    /** What people had added, by digest; the views of the list; and the issues to which traces lead. */
    readonly notes?: Readonly<Record<string, Notes>>;
    readonly views?: readonly SavedView[];
    readonly traced?: Readonly<Record<string, string>>;
    /** Every report that was acknowledged, and whether its body was kept or only counted. */
    readonly reports: readonly (readonly [id: string, digest: string, kept: "body" | "sum"])[];
  };
}

const files = import.meta.glob<string>("../fixtures/stored/*.json", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The names of the versions, the oldest first. */
export const versions: readonly string[] = Object.keys(files)
  .map((path) => path.slice(path.lastIndexOf("/") + 1, -".json".length))
  .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));

const HOUR_MS = 3_600_000;
/** Until when what was written may expire. */
const LONGEST_MS = 100 * 24 * HOUR_MS;

/** Puts what a version wrote into KV and the objects' storage, and has the present code open it. Gives it as it stands there. */
export async function open(name: string): Promise<StoredVersion> {
  const file = files[`../fixtures/stored/${name}.json`] ?? "";
  const { writtenMs } = JSON.parse(file) as StoredVersion;
  const move = moverBy(writtenMs, Math.floor((Date.now() - writtenMs) / HOUR_MS) * HOUR_MS);
  const version: StoredVersion = JSON.parse(file, (member, value) =>
    member === "base64" ? value : move(value),
  );
  // The tables first: an index that finds a record in KV and nothing of its own would begin to make itself anew.
  await runInDurableObject(index(), (_, { storage }) => fill(storage, version.tables.index));
  await runInDurableObject(shard(), (_, { storage }) => fill(storage, version.tables.log));
  for (const { key, text = "", base64, metadata, ttlSeconds } of version.kv) {
    const value = base64 === undefined ? text : await regzip(bytesOf(base64), move);
    const expires = ttlSeconds === undefined ? {} : { expirationTtl: ttlSeconds };
    await bindings.KV.put(key, value, { ...expires, metadata: metadata ?? null });
  }
  await abortAllDurableObjects();
  return version;
}

async function fill(storage: DurableObjectStorage, tables: readonly Table[]): Promise<void> {
  await storage.deleteAll();
  for (const { name, create, columns = [], rows = [] } of tables) {
    storage.sql.exec(create);
    const places = columns.map(() => "?").join(", ");
    for (const row of rows) {
      const query = `INSERT INTO ${name}(${columns.join(", ")}) VALUES (${places})`;
      storage.sql.exec(query, ...row.map((cell) => blobOf(cell)));
    }
  }
}

/** Moves a value from the hour of `writtenMs` on, if it is or holds a moment. */
function moverBy(writtenMs: number, byMs: number): <T>(value: T) => T {
  const hourMs = Math.floor(writtenMs / HOUR_MS) * HOUR_MS;
  const moved = (ms: number) => (ms >= hourMs && ms < hourMs + LONGEST_MS ? ms + byMs : ms);
  const iso = (ms: number) => new Date(ms).toISOString();
  const hourOf = (ms: number) => iso(ms).replace(/\D/g, "").slice(0, 10);
  const text = (value: string) =>
    value
      .replace(/\b\d{13}\b/g, (ms) => String(moved(Number(ms))))
      .replaceAll(hourOf(hourMs), hourOf(hourMs + byMs))
      .replaceAll(iso(hourMs).slice(0, 10), iso(hourMs + byMs).slice(0, 10));
  return (value) => {
    if (typeof value === "number") return moved(value) as typeof value;
    return typeof value === "string" ? (text(value) as typeof value) : value;
  };
}

async function regzip(bytes: Uint8Array<ArrayBuffer>, move: (text: string) => string) {
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const moved = new Blob([move(await new Response(plain).text())]);
  return new Response(moved.stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
}

function blobOf(cell: Cell): string | number | null | ArrayBuffer {
  return typeof cell === "object" && cell !== null ? bytesOf(cell.base64).buffer : cell;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}
