// Uploads the source maps of this build to the deployed Errata, which reports its own errors to its
// first project.

import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { clientFolder, listClientFiles, mapFolder, workerFile } from "../build/built.ts";
import { packTar } from "./tar.ts";

const VALIDITY_MS = 3_600_000;
/** After a deployment, it takes some seconds until every location serves the new version. */
const ATTEMPTS = 20;
const PAUSE_MS = 1_500;

/** A new upload token, valid for an hour. `upload` is the value of ERRATA_UPLOAD. */
export function makeUploadToken(nowMs: number) {
  const token = `sntrys_${randomBytes(32).toString("base64url")}`;
  const hash = createHash("sha256").update(token).digest("hex");
  return { token, upload: `${hash}.${nowMs + VALIDITY_MS}` };
}

/**
 * Uploads the scripts and maps in dist. Waits until the version with the token is served. Resolves
 * to a problem, or to undefined. Never rejects.
 */
export async function uploadOwnMaps(
  origin: string,
  token: string,
  pauseMs = PAUSE_MS,
): Promise<string | undefined> {
  const authorization = `Bearer ${token}`;
  try {
    for (let attempt = 1; ; attempt++) {
      const { ok, status, body } = await fetch(`${origin}/api/0/`, { headers: { authorization } });
      await body?.cancel();
      if (ok) break;
      if (attempt === ATTEMPTS) return `${origin} responded with status ${status}`;
      await wait(pauseMs);
    }
    const query = new URLSearchParams({ url: "~/", ...(await readRelease(origin)) });
    const response = await fetch(`${origin}/source-maps/errata.tar.gz?${query}`, {
      method: "PUT",
      headers: { authorization, "user-agent": "errata-build/1" },
      body: gzipSync(packTar(listBuildFiles())),
    });
    const { detail } = await response.json();
    return response.ok ? undefined : detail;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The release of Errata's own errors, as its pages state it. */
async function readRelease(origin: string): Promise<{ release?: string }> {
  const page = await (await fetch(`${origin}/sign-in`)).text();
  const release = /\sdata-release="([^"&]+)"/.exec(page)?.[1];
  return release === undefined ? {} : { release };
}

/** The scripts and their maps, with the paths in their URLs. */
function listBuildFiles() {
  const maps = readdirSync(mapFolder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".map"))
    .map((name) => ({ path: toUrlPath(name), file: join(mapFolder, name) }));
  const scripts = listClientFiles()
    .filter((file) => file.endsWith(".js"))
    .map((file) => ({ path: toUrlPath(relative(clientFolder, file)), file }));
  const worker = [workerFile, `${workerFile}.map`]
    .filter((file) => existsSync(file))
    .map((file) => ({ path: basename(file), file }));
  return [...scripts, ...maps, ...worker].map(({ path, file }) => ({
    path,
    bytes: readFileSync(file),
  }));
}

function toUrlPath(path: string): string {
  return path.split(sep).join("/");
}
