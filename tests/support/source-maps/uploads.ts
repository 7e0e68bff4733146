/** Uploads of source maps as the real tools send them, to the real object. */
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { gzipSync } from "node:zlib";
import type { AssembleState, BundleToAssemble } from "#src/core/ports/source-maps-port.ts";
import type { StackOrigin } from "#src/core/symbolication/resolution.ts";
import type { SourceMaps } from "#src/store/artifacts/source-maps.ts";
import { bindings, getSourceMaps, storage } from "#support/store/store.ts";
import {
  type BundledFile,
  cutChunks,
  listBundledFiles,
  makeArtifactBundle,
  makeBuild,
  toSha1,
} from "./make-build.ts";

export { listBundledFiles, makeArtifactBundle, makeBuild } from "./make-build.ts";

export const { sourceMaps, artifactUploads } = storage;

/** The request of a tool to assemble a bundle. */
export function createAssembly(
  bytes: Uint8Array,
  facts: Partial<BundleToAssemble> = {},
): BundleToAssemble {
  return { checksum: toSha1(bytes), chunks: cutChunks(bytes).map(toSha1), ...facts };
}

/** A multipart body with chunks, each compressed and named by its SHA-1. */
export function createChunkBody(
  chunks: readonly Uint8Array[],
  { field = "file_gzip", name = toSha1 } = {},
): { readonly body: ReadableStream<Uint8Array>; readonly contentType: string } {
  const form = new FormData();
  for (const chunk of chunks) {
    const bytes = field === "file_gzip" ? gzipSync(chunk) : chunk;
    form.append(field, new File([new Uint8Array(bytes)], name(chunk)));
  }
  const response = new Response(form);
  return {
    body: response.body as ReadableStream<Uint8Array>,
    contentType: response.headers.get("content-type") ?? "",
  };
}

/** Sends chunks, eight to a request. */
export async function sendChunks(chunks: readonly Uint8Array[]) {
  for (let n = 0; n < chunks.length; n += 8) {
    const { body, contentType } = createChunkBody(chunks.slice(n, n + 8));
    const stored = await artifactUploads.storeChunks(body, contentType);
    if (!stored.ok) throw new Error(stored.detail);
  }
}

/** Sends a bundle as sentry-cli does, without waiting for its conversion. */
export async function sendBundle(
  bytes: Uint8Array,
  facts: Partial<BundleToAssemble> = {},
): Promise<AssembleState> {
  const assembly = createAssembly(bytes, facts);
  const first = await sourceMaps.assemble(assembly);
  if (first.state !== "not_found") return first;
  const missing = new Set(first.missingChunks);
  await sendChunks(cutChunks(bytes).filter((chunk) => missing.has(toSha1(chunk))));
  return sourceMaps.assemble(assembly);
}

/** Sends a bundle as sentry-cli does with `--wait`: until it is converted or has failed. */
export async function uploadBundle(
  bytes: Uint8Array,
  facts: Partial<BundleToAssemble> = {},
): Promise<AssembleState> {
  let state = await sendBundle(bytes, facts);
  for (let poll = 0; poll < 300 && state.state === "created"; poll++) {
    await runAlarm();
    state = await sourceMaps.assemble(createAssembly(bytes, facts));
  }
  return state;
}

/** Uploads files as one bundle, whose manifest states the same facts as the request. */
export function uploadFiles(
  files: readonly BundledFile[],
  facts: Partial<BundleToAssemble> = {},
): Promise<AssembleState> {
  return uploadBundle(makeArtifactBundle(files, facts), facts);
}

/** Uploads a build of `makeBuild` for the URLs of `createThrowingFrame`. */
export function uploadBuild(
  name: string,
  facts: Partial<BundleToAssemble> = {},
): Promise<AssembleState> {
  return uploadFiles(listBundledFiles([makeBuild(name)]), facts);
}

/** Runs the alarm of the object. False if none is set. */
export function runAlarm(): Promise<boolean> {
  return runDurableObjectAlarm(getSourceMaps());
}

/** Runs alarms until the record in KV has everything. */
export async function saveRecord(): Promise<void> {
  for (let turn = 0; turn < 50 && !(await isRecordComplete()); turn++) await runAlarm();
}

function isRecordComplete(): Promise<boolean> {
  return runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) => {
    const count = (query: string) => storage.sql.exec<{ n: number }>(query).one().n;
    const unsaved = "SELECT count(*) AS n FROM upload WHERE state <> 'failed' AND saved = 0";
    const packs = "SELECT count(*) AS n FROM pack WHERE saved = 0";
    const deletes = "SELECT count(*) AS n FROM deleted_key WHERE deleted_ms IS NULL";
    return count(unsaved) + count(packs) + count(deletes) === 0;
  });
}

/** Replaces the object's KV until it restarts. */
export function replaceObjectKv(kv: KVNamespace): Promise<void> {
  return runInDurableObject(getSourceMaps(), (instance: SourceMaps) => {
    Object.assign(instance, { env: { ...bindings, KV: kv } });
  });
}

/** The keys of the record. */
export async function listRecordKeys(): Promise<readonly string[]> {
  const { keys } = await bindings.KV.list({ prefix: "source-maps/" });
  return keys.map(({ name }) => name);
}

/** The frame that throws in a build of `makeBuild`. */
export function createThrowingFrame(name: string, prefix = "https://shop.example/assets/") {
  return { file: `${prefix}${name}.js`, line: 1, column: 20, function: "a" };
}

/** The facts of a report about a frame. */
interface FrameFacts extends StackOrigin {
  readonly release?: string;
  readonly dist?: string;
  readonly debugId?: string;
  readonly debugIds?: readonly string[];
}

/** The answer for one frame. */
export async function resolveFrame(
  frame: ReturnType<typeof createThrowingFrame>,
  { debugId, debugIds = [], pageHost, atMs, ...build }: FrameFacts = {},
) {
  const ids = debugId === undefined ? debugIds : [debugId];
  const [stack] = await sourceMaps.resolveStacks({
    stacks: [[frame]],
    origins: [{ pageHost, atMs }],
    images: ids.map((id) => ({ file: frame.file, debugId: id })),
    ...build,
  });
  return stack?.[0];
}
