// Uploads the source maps of this build to the deployed Errata, which reports its own errors to its
// first project.

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { packTar } from "../../src/cli/tar.ts";
import { DEPLOYMENT_PATH } from "../../src/core/accounts/upload-token.ts";
import { clientFolder, mapFolder, workerFile } from "../build/built.ts";
import { listFiles } from "../command/list-files.ts";
import { formatExpiringHash, proofOf } from "./expiring-hash.ts";

const VALIDITY_MS = 3_600_000;
const PROBE_TIMEOUT_MS = 10_000;
const UPLOAD_TIMEOUT_MS = 120_000;
/** Another location may still serve the version before, which does not know the token. */
const RETRIED = [401, 404, 408, 429];

/** A new upload token, valid for an hour. `upload` is the value of ERRATA_UPLOAD. */
export function makeUploadToken(nowMs: number) {
  const token = `sntrys_${randomBytes(32).toString("base64url")}`;
  return { token, upload: formatExpiringHash(token, nowMs + VALIDITY_MS) };
}

interface UploadOptions {
  /** The folder of the bundled Worker. */
  readonly outdir?: string;
  /** How long to try: a new version needs seconds, a new host name up to some minutes. */
  readonly maxMs: number;
  readonly pauseMs: number;
  /** Called before a pause when the reason is another than before. */
  readonly onWait?: (why: string) => void;
}

/** A problem, and whether a further attempt is of no use. */
interface Problem {
  readonly problem: string;
  readonly isFinal: boolean;
}

/**
 * Uploads the scripts and maps in dist to Errata at `origin`. Sends the token only to the
 * deployment that knows its hash (`/deployment.json`), and waits until that one is served. Resolves
 * to a problem, or to undefined. Never rejects.
 */
export async function uploadOwnMaps(
  origin: string,
  token: string,
  { outdir = dirname(workerFile), maxMs, pauseMs, onWait = () => {} }: UploadOptions,
): Promise<string | undefined> {
  let body: Buffer;
  try {
    body = gzipSync(packTar(listBuildFiles(outdir)));
  } catch (error) {
    return `the build is incomplete: ${error instanceof Error ? error.message : error}`;
  }
  const endMs = performance.now() + maxMs;
  for (let before = ""; ; ) {
    const outcome = await tryUpload(origin, token, body).catch((error: unknown) => ({
      problem: `${origin} could not be reached: ${describeCause(error)}`,
      isFinal: false,
    }));
    if (outcome === undefined) return undefined;
    const { problem, isFinal } = outcome;
    if (isFinal || performance.now() + pauseMs > endMs) return problem;
    if (problem !== before) onWait(problem);
    before = problem;
    await wait(pauseMs);
  }
}

/** The release of the deployment with this token at `origin`, or why it is not there. */
export async function readDeployment(
  origin: string,
  token: string,
): Promise<Problem | { readonly release: string }> {
  const probe = await fetch(`${origin}${DEPLOYMENT_PATH}`, {
    redirect: "manual",
    signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
  });
  const text = await probe.text();
  const location = probe.headers.get("location");
  if (location !== null) return { problem: describeRedirect(origin, location), isFinal: true };
  const { deployment, release } = parseObject(text);
  if (deployment === proofOf(token) && typeof release === "string") return { release };
  const problem = `${origin}${DEPLOYMENT_PATH} (status ${probe.status}) is not this deployment`;
  return { problem, isFinal: false };
}

/** Undefined if the maps are there. */
async function tryUpload(
  origin: string,
  token: string,
  body: Buffer,
): Promise<Problem | undefined> {
  const found = await readDeployment(origin, token);
  if ("problem" in found) return found;
  const query = new URLSearchParams({ url: "~/", release: found.release });
  const response = await fetch(`${origin}/source-maps/errata.tar.gz?${query}`, {
    method: "PUT",
    redirect: "manual",
    signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
    headers: { authorization: `Bearer ${token}`, "user-agent": "errata-build/1" },
    body: new Uint8Array(body),
  });
  const { detail } = parseObject(await response.text());
  if (response.ok) return undefined;
  return {
    problem: typeof detail === "string" ? detail : `${origin} responded with ${response.status}`,
    isFinal: response.status < 500 && !RETRIED.includes(response.status),
  };
}

function describeRedirect(origin: string, location: string): string {
  const host = URL.parse(location, origin)?.host ?? "another address";
  return host.endsWith(".cloudflareaccess.com")
    ? `Cloudflare Access protects ${origin}. Exempt the paths ${DEPLOYMENT_PATH} and /source-maps/*`
    : `${origin} redirects to ${host}, which did not get the maps`;
}

/** The cause of a failed fetch, whose own message says only that it failed. */
function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof AggregateError) return describeCause(cause.errors[0]);
  return cause instanceof Error ? cause.message || cause.name : error.message;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** The scripts and their maps, with the paths in their URLs. */
function listBuildFiles(outdir: string) {
  const maps = listFiles(mapFolder)
    .filter((path) => path.endsWith(".map"))
    .map((path) => ({ path, file: join(mapFolder, path) }));
  const scripts = listFiles(join(clientFolder, "assets"))
    .filter((name) => name.endsWith(".js"))
    .map((name) => ({ path: `assets/${name}`, file: join(clientFolder, "assets", name) }));
  // Wrangler copies the script there, without its map.
  const copy = readFileSync(join(outdir, basename(workerFile)));
  const isOwn = existsSync(workerFile) && copy.equals(readFileSync(workerFile));
  const worker = [basename(workerFile), `${basename(workerFile)}.map`]
    .map((path) => ({ path, file: join(isOwn ? dirname(workerFile) : outdir, path) }))
    // A bundle of another tool has no map.
    .filter(({ path, file }) => !path.endsWith(".map") || existsSync(file));
  return [...scripts, ...maps, ...worker].map(({ path, file }) => ({
    path,
    bytes: readFileSync(file),
  }));
}
