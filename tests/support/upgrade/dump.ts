// The dumps of tests/fixtures/stores: the whole state of a filled store as one archive, the facts
// to open it with, and what is read from it.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { listFiles } from "../../../.tools/command/list-files.ts";
import { root } from "../../../.tools/install.mjs";
import type { FilledStore } from "./fill-store.ts";
import type { Reading } from "./read-store.ts";
import { type Store, toAheadSeconds } from "./start-store.ts";

const FOLDER = join(root, "tests", "fixtures", "stores");
/** The cron of the local server, whose next run would depend on when the dump was made. */
const LOCAL_CRON = /^objects\/errata-LocalCron\//;

/** The names of all dumps, the oldest first. */
export function listDumps(): readonly string[] {
  return readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

/** Packs the databases and mails of a store that is stopped. Returns the archive's size in bytes. */
export function writeDump(name: string, folder: string, filled: FilledStore): number {
  const paths = listFiles(folder).filter((path) => path.endsWith(".sqlite"));
  for (const path of paths) {
    const database = new DatabaseSync(join(folder, path));
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
  }
  const kept = paths.filter((path) => !LOCAL_CRON.test(path)).sort();
  const bodies = kept.map((path) => readFileSync(join(folder, path)));
  const files = kept.map((path, n) => ({ path, bytes: bodies[n]?.length ?? 0 }));
  const whole = Buffer.concat([Buffer.from(`${JSON.stringify(files)}\n`), ...bodies]);
  const archive = compress(whole);
  const target = join(FOLDER, name);
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, "store.br"), archive);
  writeFileSync(join(target, "store.json"), `${JSON.stringify(filled, null, 2)}\n`);
  return archive.length;
}

/** Brotli with a window for the whole: databases, KV and exports repeat the same reports. */
function compress(bytes: Buffer): Buffer {
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliCompressSync(bytes, { params });
}

/** A new copy of a dump, whose clock shows the time of its last write. */
export interface OpenedDump extends Store {
  readonly filled: FilledStore;
  /** Removes the copy. */
  readonly remove: () => void;
}

/** Unpacks a dump into a new folder. */
export function openDump(name: string): OpenedDump {
  const read = (file: string) => readFileSync(join(FOLDER, name, file));
  const filled: FilledStore = JSON.parse(read("store.json").toString());
  const whole = brotliDecompressSync(read("store.br"));
  const begin = whole.indexOf("\n") + 1;
  const files: { path: string; bytes: number }[] = JSON.parse(whole.toString("utf8", 0, begin));
  const folder = mkdtempSync(join(tmpdir(), "errata-store-"));
  let at = begin;
  for (const { path, bytes } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), whole.subarray(at, at + bytes));
    at += bytes;
  }
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.on("exit", remove);
  const aheadSeconds = toAheadSeconds(filled.atMs);
  return { folder, vars: filled.vars, aheadSeconds, filled, remove };
}

/** What the build that made the dump read from it. */
export function readExpected(name: string): Reading {
  return JSON.parse(
    brotliDecompressSync(readFileSync(join(FOLDER, name, "expected.json.br"))).toString(),
  );
}

/** Writes it, one reading in each line. Returns its size in bytes. */
export function writeExpected(name: string, reading: Reading): number {
  const lines = Object.entries(reading).map((entry) => entry.map((one) => JSON.stringify(one)));
  const text = `{\n${lines.map((line) => line.join(": ")).join(",\n")}\n}\n`;
  const bytes = compress(Buffer.from(text));
  writeFileSync(join(FOLDER, name, "expected.json.br"), bytes);
  return bytes.length;
}
