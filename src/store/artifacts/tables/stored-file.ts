/** A file of an upload, and its row in the table `file`. */
import * as v from "valibot";
import type { TarEntry } from "../../../core/artifacts/tar.ts";
import type { ZipEntry } from "../../../core/artifacts/zip.ts";
import type { ArtifactFile } from "../../../core/ports/source-maps-port.ts";
import {
  choice,
  code,
  list,
  number,
  type StoredValue,
  storedObject,
  text,
} from "../../../core/schema/stored-object.ts";

/** A file of an upload, as KV stores it. */
export const fileSchema = storedObject({
  kind: choice(["script", "map", "source"]),
  /** The URL as it was uploaded: `~/assets/app.js`. */
  url: text(),
  debugId: v.optional(code()),
  /** A second id in the script: ids were injected twice, and pages may send either. */
  otherDebugId: v.optional(code()),
  /** For a script: the URL of its map, according to the manifest or the script. */
  mapUrl: v.optional(text()),
  /** The converted map with which frames of this file are resolved. */
  mapHash: v.optional(code()),
  /** The reason why its map was rejected. */
  refusal: v.optional(text()),
  bytes: number,
  sources: v.optional(number),
  sourcesWithText: v.optional(number),
  problems: list(text()),
});

/** A file of an upload. */
export interface StoredFile extends StoredValue<typeof fileSchema> {
  /** The number of its upload, and its own in the upload. */
  readonly upload: number;
  readonly n: number;
}

/** The findings of the conversion of a file. */
export type FileFindings = Partial<
  Pick<
    StoredFile,
    | "debugId"
    | "otherDebugId"
    | "mapUrl"
    | "mapHash"
    | "refusal"
    | "sources"
    | "sourcesWithText"
    | "problems"
  >
>;

/** The place of a file in its upload: in an archive, or the whole upload. */
export type FileEntry =
  | ({ readonly in: "zip" } & ZipEntry)
  | ({ readonly in: "tar" } & TarEntry)
  | { readonly in: "upload" };

/** A file that is about to be stored. A source, or a file without an entry, is not converted. */
export interface NewFile extends Omit<StoredFile, "upload" | "n"> {
  readonly entry?: FileEntry;
}

/** A file with its place in the upload. */
export interface WaitingFile extends StoredFile {
  readonly entry: FileEntry;
  readonly isDone: boolean;
  readonly attempts: number;
}

/** A row of `file`. */
export type FileRow = {
  upload: number;
  n: number;
  kind: ArtifactFile["kind"];
  url: string;
  debug_id: string | null;
  other_debug_id: string | null;
  map_url: string | null;
  map_hash: string | null;
  refusal: string | null;
  bytes: number;
  sources: number | null;
  with_text: number | null;
  problems: string | null;
  entry: string | null;
  done: number;
  attempts: number;
};

export function toWaitingFile(row: FileRow): WaitingFile {
  return {
    ...toFile(row),
    entry: JSON.parse(row.entry ?? '{"in":"upload"}') as FileEntry,
    isDone: row.done === 1,
    attempts: row.attempts,
  };
}

export function toFile(row: FileRow): StoredFile {
  return {
    upload: row.upload,
    n: row.n,
    kind: row.kind,
    url: row.url,
    bytes: row.bytes,
    problems: row.problems === null ? [] : (JSON.parse(row.problems) as string[]),
    debugId: row.debug_id ?? undefined,
    otherDebugId: row.other_debug_id ?? undefined,
    mapUrl: row.map_url ?? undefined,
    mapHash: row.map_hash ?? undefined,
    refusal: row.refusal ?? undefined,
    sources: row.sources ?? undefined,
    sourcesWithText: row.with_text ?? undefined,
  };
}
