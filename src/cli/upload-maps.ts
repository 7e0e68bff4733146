/** `errata sourcemaps upload`: packs the scripts and maps of a build, and uploads them. */
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { gzipSync } from "node:zlib";
import { send } from "./api-client.ts";
import { CommandFailure } from "./failure.ts";
import type { Target } from "./settings.ts";
import { packTar } from "./tar.ts";

/** A file as the server lists it. */
export interface UploadedFile {
  readonly url?: string;
  readonly kind: string;
  readonly bytes?: number;
  readonly problems?: readonly string[];
}

interface UploadOptions {
  readonly folder: string;
  readonly release: string | undefined;
  readonly dist: string | undefined;
  /** The URL of the folder: `~/assets`. */
  readonly url: string | undefined;
  readonly onWait: (seconds: number) => void;
}

/** The answer of the server, as it sent it, and its files. */
export async function uploadMaps(
  target: Target,
  { folder, release, dist, url, onWait }: UploadOptions,
): Promise<{ readonly json: string; readonly files: readonly UploadedFile[] }> {
  const paths = listScripts(folder);
  if (!paths.some((path) => path.endsWith(".map")))
    throw new CommandFailure("usage", `${folder} has no file with the ending .map.`);
  const tar = packTar(paths.map((path) => ({ path, bytes: readFileSync(join(folder, path)) })));
  const query = new URLSearchParams(
    Object.entries({ release, dist, url }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const response = await send(target, `/source-maps?${query}`, {
    method: "PUT",
    body: new Uint8Array(gzipSync(tar)),
    onWait,
  });
  const json = await response.text();
  return { json, files: (JSON.parse(json) as { files: readonly UploadedFile[] }).files };
}

/** The scripts and maps below a folder, with `/` between folders, in order. */
function listScripts(folder: string): readonly string[] {
  let all: readonly string[];
  try {
    all = readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    throw new CommandFailure("usage", `${folder} is no folder that can be read.`);
  }
  return all
    .filter((path) => /\.(?:[cm]?js|map)$/.test(path) && !path.split(sep).includes("node_modules"))
    .map((path) => path.split(sep).join("/"))
    .sort();
}
