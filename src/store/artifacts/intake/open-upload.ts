/** Finds the files in an upload: of an artifact bundle, of an archive, or the upload itself. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { artifactLimits } from "../../../core/artifacts/artifact-limits.ts";
import {
  type BundleFile,
  decodeManifest,
  MANIFEST_PATH,
} from "../../../core/artifacts/bundle-manifest.ts";
import { DETECTION_BYTES, detectUpload } from "../../../core/artifacts/detect-upload.ts";
import { readTarDirectory, type TarEntry } from "../../../core/artifacts/tar.ts";
import { readZipDirectory, readZipEntry, type ZipEntry } from "../../../core/artifacts/zip.ts";
import type { ArtifactFile } from "../../../core/ports/source-maps-port.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import { isScriptName } from "../../../core/scripts/can-have-map.ts";
import type { ByteRange } from "../../../core/symbolication/codec.ts";
import { rawDeflate } from "../tables/raw-deflate.ts";
import type { FileEntry, NewFile } from "../tables/stored-file.ts";
import type { StoredUpload } from "../tables/upload-table.ts";

/** Why an upload cannot be used. `detail` is a sentence for the person who uploads. */
export interface UploadProblem {
  readonly reason: "invalid-upload";
  readonly detail: string;
}

const HASHED_AT_ONCE = 4 * 1024 * 1024;

/** The files of an upload. Fails if it is not what its checksum says, or has no usable file. */
export function openUpload(
  upload: Pick<StoredUpload, "checksum" | "name" | "url">,
  range: ByteRange,
): Result<readonly NewFile[], UploadProblem> {
  // The checksum of a single file was computed when it arrived.
  const checksum = upload.name === undefined ? computeChecksum(range) : upload.checksum;
  if (checksum !== upload.checksum)
    return failWith(`The chunks together have the SHA-1 ${checksum}, not ${upload.checksum}.`);
  const kind = detectUpload(range.read(0, DETECTION_BYTES));
  if (!kind.ok) return kind;
  const found = listFiles(kind.value, upload, range);
  if (!found.ok) return failWith(found.detail);
  const { value: files } = found;
  if (files.length > artifactLimits.maxFiles) {
    return failWith(
      `The upload has ${files.length} files; at most ${artifactLimits.maxFiles} are accepted.`,
    );
  }
  if (!files.some(({ kind }) => kind !== "source"))
    return failWith("The upload has no script and no source map.");
  return ok(files);
}

function listFiles(
  kind: string,
  upload: Pick<StoredUpload, "name" | "url">,
  range: ByteRange,
): Result<readonly NewFile[], { readonly reason: string; readonly detail: string }> {
  switch (kind) {
    case "map":
    case "script": {
      const url = toSingleUrl(kind, upload);
      const problems = url.endsWith("/") ? [NO_URL_PROBLEM] : [];
      const entry = { in: "upload" } as const;
      return ok([{ kind, url, bytes: range.length, problems, entry }]);
    }
    case "tar": {
      const directory = readTarDirectory(range);
      if (!directory.ok) return directory;
      const toEntry = (entry: TarEntry) => ({ in: "tar", ...cutPath(entry) }) as const;
      return ok(toFiles(directory.value, upload.url, toEntry));
    }
    case "bundle":
    case "zip": {
      const directory = readZipDirectory(range);
      if (!directory.ok) return directory;
      const manifest = directory.value.find(({ path }) => path === MANIFEST_PATH);
      if (manifest !== undefined) return readBundle(range, directory.value, manifest);
      if (kind === "bundle") return failWith(`The bundle has no ${MANIFEST_PATH}.`);
      return ok(toFiles(directory.value, upload.url, toZipEntry));
    }
    default:
      return failWith("The upload is compressed twice.");
  }
}

function readBundle(
  range: ByteRange,
  entries: readonly ZipEntry[],
  manifest: ZipEntry,
): Result<readonly NewFile[], { readonly reason: string; readonly detail: string }> {
  const bytes = readZipEntry(range, manifest, rawDeflate, artifactLimits.maxManifestBytes);
  if (!bytes.ok) return bytes;
  const decoded = decodeManifest(Buffer.from(bytes.value).toString("utf8"));
  if (!decoded.ok) return decoded;
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  return ok(
    decoded.value.files.flatMap((file) => {
      const { kind } = file;
      return kind === null ? [] : [toBundledFile(file, kind, byPath.get(file.path))];
    }),
  );
}

function toBundledFile(
  { path, url, debugId, sourceMapUrl, problems }: BundleFile,
  kind: ArtifactFile["kind"],
  entry: ZipEntry | undefined,
): NewFile {
  const missing = entry === undefined ? [`The bundle has no file ${cutText(path)}.`] : [];
  return {
    kind,
    url: (url ?? `~/${path}`).slice(0, artifactLimits.maxUrlChars),
    bytes: entry?.bytes ?? 0,
    problems: [...problems, ...missing],
    debugId,
    // The script itself has the inline map.
    mapUrl: sourceMapUrl && !/^data:/i.test(sourceMapUrl) ? cutText(sourceMapUrl) : undefined,
    entry: entry && toZipEntry(entry),
  };
}

function toZipEntry(entry: ZipEntry): FileEntry {
  return { in: "zip", ...cutPath(entry) };
}

/** Messages show the path, which may have 64 kB. */
function cutPath<T extends { readonly path: string }>(entry: T): T {
  return { ...entry, path: cutText(entry.path) };
}

function cutText(text: string): string {
  return text.slice(0, artifactLimits.maxUrlChars);
}

/** The scripts and maps of an archive: their paths are the URLs below a prefix. */
function toFiles<T extends { readonly path: string; readonly bytes: number }>(
  entries: readonly T[],
  prefix: string | undefined,
  toEntry: (entry: T) => FileEntry,
): readonly NewFile[] {
  return entries.flatMap((entry) => {
    const path = entry.path.replace(/^(?:\.?\/)+/, "");
    const kind = /\.map$/i.test(path) ? "map" : isBuilt(path) ? "script" : undefined;
    if (kind === undefined || /(?:^|\/)\._|\.css\.map$/i.test(path)) return [];
    const url = toFileUrl(`${(prefix ?? "~").replace(/\/+$/, "")}/`, path);
    return [{ kind, url, bytes: entry.bytes, problems: [], entry: toEntry(entry) } as const];
  });
}

/** Compilers may keep the ending of JSX. */
function isBuilt(path: string): boolean {
  return isScriptName(path) || /\.[cm]?jsx$/i.test(path);
}

const NO_URL_PROBLEM = "It has no URL. Add url=~/ and its path.";

/** The URL of a file that is uploaded alone. The URL of a script is also accepted for its map. */
function toSingleUrl(
  kind: "map" | "script",
  { url, name = "" }: Pick<StoredUpload, "name" | "url">,
): string {
  const full = toFileUrl(url, name.replace(/\.gz$/i, ""));
  return kind === "map" && isScriptName(full) ? `${full}.map` : full;
}

/** The URL of a file; a URL that ends with a slash is the prefix of its name. */
function toFileUrl(url: string | undefined, name: string): string {
  const full = url === undefined ? `~/${name}` : url.endsWith("/") ? url + name : url;
  return full.slice(0, artifactLimits.maxUrlChars);
}

function computeChecksum(range: ByteRange): string {
  const hash = createHash("sha1");
  for (let at = 0; at < range.length; at += HASHED_AT_ONCE)
    hash.update(range.read(at, HASHED_AT_ONCE));
  return hash.digest("hex");
}

function failWith(detail: string) {
  return fail<UploadProblem>({ reason: "invalid-upload", detail });
}
