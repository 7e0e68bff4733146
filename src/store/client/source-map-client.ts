/**
 * The source maps of a project in the Worker: calls to its object, and streams of bodies to it. A
 * project without uploads needs no call.
 */

import { artifactLimits } from "../../core/artifacts/artifact-limits.ts";
import type {
  ArtifactFile,
  SingleUpload,
  SourceMapSummary,
  UploadRefusal,
} from "../../core/ports/source-maps-port.ts";
import type { Result } from "../../core/result.ts";
import { canHaveMap } from "../../core/scripts/can-have-map.ts";
import type {
  FrameResolution,
  ResolveRequest,
  SentFrame,
} from "../../core/symbolication/resolution.ts";
import { CHUNKS_PATH, SINGLE_PATH } from "../artifacts/intake/uploads.ts";
import { connectProject, type ObjectPlace, type SourceMapsApi } from "../objects.ts";

interface SourceMapOptions extends ObjectPlace {
  /** Whether the copy of the registry says that the project has uploads or facts of releases. */
  readonly hasArtifacts: () => Promise<boolean>;
}

const EMPTY_SUMMARY: SourceMapSummary = {
  uploads: [],
  failures: [],
  storedBytes: 0,
  maxStoredBytes: artifactLimits.maxStoredBytes,
};

/** Uploads whose bodies are streamed to the object of the project. */
export interface ArtifactUploads {
  /**
   * Stores the chunks of a multipart body. Rejects while the object is unavailable; no chunk may be
   * stored then.
   */
  storeChunks(
    body: ReadableStream<Uint8Array>,
    contentType: string,
  ): Promise<Result<{ readonly chunks: number }, UploadRefusal>>;
  /**
   * Stores a map, a script, a zip or a tar, which it detects from the content. Resolves to the kind
   * and the problems of each file. Rejects while the object is unavailable.
   */
  storeSingle(
    body: ReadableStream<Uint8Array>,
    upload: SingleUpload,
  ): Promise<Result<{ readonly files: readonly ArtifactFile[] }, UploadRefusal>>;
}

/** Projects to which this isolate has uploaded: the copy of the registry may not have them yet. */
const uploadedProjects = new WeakMap<object, Set<string>>();

/** The source maps of one project. */
export function createSourceMapClient(
  bindings: object,
  options: SourceMapOptions,
): { readonly sourceMaps: SourceMapsApi; readonly artifactUploads: ArtifactUploads } {
  const { project, hasArtifacts } = options;
  const { sourceMaps: object } = connectProject(() => bindings, options);
  const uploaded = uploadedProjects.get(bindings) ?? new Set();
  uploadedProjects.set(bindings, uploaded);

  /** The result of the call, or of `createEmpty` if the project has no artifacts. */
  async function read<T>(call: () => Promise<T>, createEmpty: () => T): Promise<T> {
    return uploaded.has(project) || (await hasArtifacts()) ? call() : createEmpty();
  }

  const own: Partial<SourceMapsApi> = {
    resolveStacks: (request) =>
      read(
        () => object.resolveStacks(request),
        () => request.stacks.map((frames) => frames.map((frame) => explain(frame, request))),
      ),
    summarize: () =>
      read(
        () => object.summarize(),
        () => EMPTY_SUMMARY,
      ),
    listFiles: (id) =>
      read(
        () => object.listFiles(id),
        () => null,
      ),
    getCoverage: (release, scripts) =>
      read(
        () => object.getCoverage(release, scripts),
        () => scripts.map(({ file }) => ({ file, hasMap: false })),
      ),
    listReleaseFacts: (versions) =>
      read(
        () => object.listReleaseFacts(versions),
        () => [],
      ),
    listNewCommits: (ids) =>
      read(
        () => object.listNewCommits(ids),
        () => ids,
      ),
    readReleases: (sinceMs, release) =>
      read(
        () => object.readReleases(sinceMs, release),
        () => ({ deploys: [], commits: [] }),
      ),
    listDeploys: (sinceMs) =>
      read(
        () => object.listDeploys(sinceMs),
        () => [],
      ),
    async recordRefusal(detail) {
      await object.recordRefusal(detail);
      uploaded.add(project);
    },
    async assemble(bundle) {
      const state = await object.assemble(bundle);
      if (state.state !== "not_found") uploaded.add(project);
      return state;
    },
    async changeRelease(change) {
      const facts = await object.changeRelease(change);
      uploaded.add(project);
      return facts;
    },
  };

  /** Rejects if the object did not answer with JSON: it is unavailable. */
  async function send<T>(
    path: string,
    body: ReadableStream<Uint8Array>,
    headers: HeadersInit = {},
  ): Promise<T> {
    const request = { method: "POST", body, headers };
    const response = await object.fetch(`https://source-maps${path}`, request);
    if (!response.ok) throw new Error(`the object answered with status ${response.status}`);
    return (await response.json()) as T;
  }

  const artifactUploads: ArtifactUploads = {
    storeChunks: (body, contentType) => send(CHUNKS_PATH, body, { "content-type": contentType }),
    async storeSingle(body, upload) {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(upload))
        if (value !== undefined) query.set(name, String(value));
      const answer = await send<Awaited<ReturnType<ArtifactUploads["storeSingle"]>>>(
        `${SINGLE_PATH}?${query}`,
        body,
      );
      uploaded.add(project);
      return answer;
    },
  };
  return {
    sourceMaps: Object.assign(Object.create(object) as SourceMapsApi, own),
    artifactUploads,
  };
}

/** The answer for a frame of a project without uploads. */
function explain({ file }: SentFrame, { images }: ResolveRequest): FrameResolution {
  if (!canHaveMap(file)) return { kind: "unmapped", reason: "not-expected" };
  const debugId = images.find((image) => image.file === file)?.debugId;
  return { kind: "unmapped", reason: "nothing-uploaded", debugId };
}
