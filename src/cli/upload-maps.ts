/** `errata sourcemaps upload`: packs the scripts and maps of a build, and uploads them. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { send } from "./api-client.ts";
import { CommandFailure } from "./failure.ts";
import type { Target } from "./settings.ts";
import { packTar } from "./tar.ts";

/** They are packed in memory. */
const MAX_BYTES = 1024 ** 3;

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
  const bytes = paths.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
  if (bytes > MAX_BYTES)
    throw new CommandFailure("usage", `${folder} has more than 1 GB of scripts and maps.`);
  const tar = packTar(paths.map((path) => ({ path, bytes: readFileSync(join(folder, path)) })));
  const query = new URLSearchParams(
    Object.entries({ release, dist, url }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const response = await send(target, `/source-maps?${query}`, {
    method: "PUT",
    body: new Uint8Array(gzipSync(tar)),
    isLong: true,
    onWait,
  });
  const json = await response.text();
  return { json, files: (JSON.parse(json) as { files: readonly UploadedFile[] }).files };
}

/**
 * The scripts and maps below a folder, with `/` between folders, in order. Links are left out: they
 * may lead out of the folder, or in a circle.
 */
function listScripts(folder: string): readonly string[] {
  const found: string[] = [];
  const visit = (path: string) => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const below = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== "node_modules") visit(below);
      else if (entry.isFile() && /\.(?:[cm]?js|map)$/.test(entry.name)) found.push(below);
    }
  };
  try {
    visit("");
  } catch {
    throw new CommandFailure("usage", `${folder} is no folder that can be read.`);
  }
  return found.sort();
}
