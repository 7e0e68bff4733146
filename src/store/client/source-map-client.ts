/**
 * The source maps of a project in the Worker: calls to its object, and streams of bodies to it. A
 * project without uploads needs no call.
 */

import { artifactLimits } from "../../core/artifacts/artifact-limits.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type {
  ArtifactFile,
  ArtifactUploads,
  DeployMoment,
  ReleaseFacts,
  ScriptCoverage,
  SourceMapStore,
  SourceMapSummary,
} from "../../core/ports/source-maps-port.ts";
import { canHaveMap } from "../../core/scripts/can-have-map.ts";
import type {
  FrameResolution,
  ResolveRequest,
  SentFrame,
} from "../../core/symbolication/resolution.ts";
import { CHUNKS_PATH, SINGLE_PATH } from "../artifacts/intake/uploads.ts";
import { connectProject, type ObjectPlace } from "../objects.ts";

interface SourceMapOptions extends ObjectPlace {
  /** Whether the copy of the registry says that the project has uploads or facts of releases. */
  readonly hasArtifacts: () => Promise<boolean>;
}

const EMPTY_SUMMARY: SourceMapSummary = {
  ...{ uploads: [], failures: [], storedBytes: 0 },
  maxStoredBytes: artifactLimits.maxStoredBytes,
};

type Resolutions = Awaited<ReturnType<SourceMapStore["resolveStacks"]>>;
type StreamedUploads = ArtifactUploads<ReadableStream<Uint8Array>>;

/** Projects to which this isolate has uploaded: the copy of the registry may not have them yet. */
const uploadedProjects = new WeakMap<object, Set<string>>();

/** The source maps of one project. */
export function createSourceMapClient(
  bindings: object,
  options: SourceMapOptions,
): { readonly sourceMaps: SourceMapStore; readonly artifactUploads: StreamedUploads } {
  const { project, hasArtifacts } = options;
  const { sourceMaps: object } = connectProject(() => bindings, options);
  const uploaded = uploadedProjects.get(bindings) ?? new Set();
  uploadedProjects.set(bindings, uploaded);

  /** The result of the call, or `empty` if the project has no artifacts. */
  async function read<T>(call: () => Promise<T>, empty: T): Promise<T> {
    if (!uploaded.has(project) && !(await hasArtifacts())) return empty;
    return call();
  }

  const sourceMaps: SourceMapStore = {
    async resolveStacks(request) {
      const resolved = await read<Resolutions | null>(() => object.resolveStacks(request), null);
      if (resolved !== null) return resolved;
      return request.stacks.map((frames) => frames.map((frame) => explain(frame, request)));
    },
    summarize: () => read<SourceMapSummary>(() => object.summarize(), EMPTY_SUMMARY),
    listFiles: (id) => read<readonly ArtifactFile[] | null>(() => object.listFiles(id), null),
    getCoverage: (release, scripts) =>
      read<readonly ScriptCoverage[]>(
        () => object.getCoverage(release, scripts),
        scripts.map(({ file }) => ({ file, hasMap: false })),
      ),
    listReleaseFacts: (versions) =>
      read<readonly ReleaseFacts[]>(() => object.listReleaseFacts(versions), []),
    listDeploys: (sinceMs) => read<readonly DeployMoment[]>(() => object.listDeploys(sinceMs), []),
    deleteUpload: (id) => object.deleteUpload(id),
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

  const artifactUploads: StreamedUploads = {
    storeChunks: (body, contentType) => send(CHUNKS_PATH, body, { "content-type": contentType }),
    async storeSingle(body, upload) {
      const query = new URLSearchParams({ ...upload });
      const answer = await send<Awaited<ReturnType<StreamedUploads["storeSingle"]>>>(
        `${SINGLE_PATH}?${query}`,
        body,
      );
      uploaded.add(project);
      return answer;
    },
  };
  return { sourceMaps, artifactUploads };
}

/** The answer for a frame of a project without uploads. */
function explain({ file }: SentFrame, { images }: ResolveRequest): FrameResolution {
  if (!canHaveMap(file)) return { kind: "unmapped", reason: "not-expected" };
  const debugId = images.find((image) => image.file === file)?.debugId;
  return { kind: "unmapped", reason: "nothing-uploaded", ...omitUndefined({ debugId }) };
}
