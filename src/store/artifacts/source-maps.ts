/**
 * SourceMaps: the Durable Object with the uploaded source maps of one project.
 *
 * The path of an upload:
 *
 *     chunks ─▶ ChunkTable, each verified ─▶ assemble: an upload, durable before it is answered
 *     Conversions ─▶ MapTable: file by file, at once or in alarms; one file at a time
 *            └─▶ ArtifactRecord ─▶ KV, within the write budget
 *
 * Only completely converted uploads resolve frames. An object that lost its storage restores
 * everything from KV. The parts are composed in `source-map-parts.ts`.
 */
import type { Bindings } from "../../bindings.ts";
import { artifactLimits } from "../../core/artifacts/artifact-limits.ts";
import { listDeployMoments } from "../../core/artifacts/deploy-moments.ts";
import type {
  ArtifactFile,
  AssembleState,
  BundleToAssemble,
  DeployMoment,
  ReleaseChange,
  ReleaseFacts,
  ReleaseScript,
  ScriptCoverage,
  SingleUpload,
  SourceMapSummary,
  UploadRefusal,
} from "../../core/ports/source-maps-port.ts";
import { fail, type Result } from "../../core/result.ts";
import type { FrameResolution, ResolveRequest } from "../../core/symbolication/resolution.ts";
import {
  CHUNKS_PATH,
  type FoundUploads,
  type RebuiltPart,
  SINGLE_PATH,
  type SourceMapsRpc,
} from "../rpc/source-maps-rpc.ts";
import { StoredObject } from "../sqlite/object.ts";
import { eraseFromReleaseFacts, findUploads } from "./queries/find-text.ts";
import { findCoverage, summarizeUploads, toArtifactFile } from "./queries/summarize.ts";
import { createSourceMapParts } from "./source-map-parts.ts";
import { ARTIFACT_SCHEMA } from "./tables/artifact-schema.ts";

/** Work that failed is tried again after this time. */
const RETRY_MS = 5_000;

/** One object per project, named by the project's id: `1`. */
export class SourceMaps extends StoredObject implements SourceMapsRpc {
  readonly #created: ReturnType<typeof createSourceMapParts> | undefined;
  /** After a failure no work is due before this time, in ms. */
  #retryMs = 0;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env, ARTIFACT_SCHEMA);
    if (this.isReady) this.#created = createSourceMapParts(ctx, () => this.env, this.database);
  }

  get #parts() {
    return this.requireData(this.#created);
  }

  // Uploads.

  /** An RPC would hold a body in memory; `fetch` streams it. */
  override async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const { body } = request;
    await this.#requireReady();
    if (body === null) return Response.json(refuseEmpty());
    if (pathname === CHUNKS_PATH) {
      const contentType = request.headers.get("content-type") ?? "";
      return Response.json(await this.#parts.uploads.storeChunks(body, contentType));
    }
    if (pathname === SINGLE_PATH) {
      const single: SingleUpload = Object.fromEntries(searchParams);
      return Response.json(await this.#parts.uploads.storeSingle(body, single));
    }
    return new Response(null, { status: 404 });
  }

  async assemble(bundle: BundleToAssemble): Promise<AssembleState> {
    await this.#requireReady();
    return this.#parts.uploads.assemble(bundle);
  }

  // Queries.

  async resolveStacks(request: ResolveRequest): Promise<readonly (readonly FrameResolution[])[]> {
    await this.#requireReady();
    return this.#parts.resolver.resolve(request, Date.now());
  }

  async summarize(): Promise<SourceMapSummary> {
    await this.#requireReady();
    const summary = summarizeUploads(this.#parts.tables);
    if (summary.uploads.length === 0) return summary;
    const converting = this.#parts.tables.uploads.listUnfinished().length;
    return { ...summary, backlog: { converting, ...this.#parts.record.getBacklog() } };
  }

  async listFiles(id: string): Promise<readonly ArtifactFile[] | null> {
    await this.#requireReady();
    const upload = this.#parts.tables.uploads.find(id);
    return upload === undefined
      ? null
      : this.#parts.tables.files.list(upload.n).map(toArtifactFile);
  }

  async getCoverage(
    release: string,
    scripts: readonly ReleaseScript[],
  ): Promise<readonly ScriptCoverage[]> {
    await this.#requireReady();
    return findCoverage(this.#parts.tables, release, scripts);
  }

  // Changes.

  async deleteUpload(id: string): Promise<boolean> {
    await this.#requireReady();
    const upload = this.#parts.tables.uploads.find(id);
    if (upload === undefined) return false;
    this.#parts.tables.deleteUpload(upload.n);
    this.#parts.resolver.reset();
    await this.#parts.alarm.setBy(Date.now());
    return true;
  }

  async recordRefusal(detail: string): Promise<void> {
    await this.#requireReady();
    const { tables, alarm } = this.#parts;
    tables.failures.add(detail.slice(0, artifactLimits.maxUrlChars), Date.now());
    await alarm.setBy(Date.now());
  }

  async changeRelease(change: ReleaseChange): Promise<ReleaseFacts> {
    await this.#requireReady();
    const facts = this.#parts.tables.releases.change(change, Date.now());
    await this.#parts.alarm.setBy(Date.now());
    return facts;
  }

  async listReleaseFacts(versions?: readonly string[]): Promise<readonly ReleaseFacts[]> {
    await this.#requireReady();
    if (versions === undefined) return this.#parts.tables.releases.list();
    return versions.flatMap((version) => this.#parts.tables.releases.get(version) ?? []);
  }

  async listDeploys(sinceMs: number): Promise<readonly DeployMoment[]> {
    await this.#requireReady();
    return listDeployMoments(this.#parts.tables.releases.list(), sinceMs);
  }

  // Called by the jobs of the index.

  async wipe(): Promise<readonly string[]> {
    const keys = this.#parts.tables.listKeys();
    this.#parts.restore.stop();
    this.#parts.tables.wipe();
    this.#parts.resolver.reset();
    await this.#parts.record.waitUntilIdle();
    // The record in KV is obsolete now, even if the object has not read it.
    this.#parts.restoreRuns.skip();
    await this.#parts.alarm.setBy(Date.now());
    return keys;
  }

  async rebuildSome(cursor: string | undefined): Promise<RebuiltPart> {
    await this.#requireReady();
    const part = await this.#parts.restore.runStep(cursor);
    if (part.cursor !== undefined) return part;
    await this.#parts.alarm.setBy(Date.now());
    return { ...part, newestUpload: this.#parts.tables.uploads.getNewestReady() };
  }

  async findText(text: string, cursor: string | undefined): Promise<FoundUploads> {
    await this.#requireReady();
    return findUploads(this.#parts.tables, text, cursor);
  }

  async eraseText(text: string): Promise<void> {
    await this.#requireReady();
    const isChanged = eraseFromReleaseFacts(this.#parts.tables, text, Date.now());
    if (isChanged) await this.#parts.alarm.setBy(Date.now());
  }

  async waitForRecord(): Promise<void> {
    await this.#parts.record.waitUntilIdle();
  }

  /** Never throws: the platform gives up on an alarm that throws repeatedly. */
  protected override async onAlarm(): Promise<void> {
    this.#parts.alarm.onFired();
    await this.#attempt(() => this.#parts.restoreRuns.run());
    if (this.#parts.restoreRuns.isBlocking) return this.#parts.alarm.setBy(Date.now());
    // A part that fails because the registry or the index is unavailable does not stop the others.
    const hasMore = await this.#attempt(() => this.#parts.conversions.runSome());
    if (hasMore) await this.#parts.alarm.setBy(Date.now());
    await this.#attempt(() => this.#parts.announcement.send());
    await this.#attempt(async () => this.#parts.retention.enforceLimit());
    await this.#attempt(() => this.#parts.retention.run());
    const saveMs = await this.#parts.record.save();
    for (const dueMs of [saveMs, this.#parts.restoreRuns.dueMs, this.#parts.retention.dueMs]) {
      if (dueMs !== undefined) await this.#parts.alarm.setBy(Math.max(dueMs, this.#retryMs));
    }
  }

  /** Runs a part of the work. If it fails, sets the alarm to repeat it. */
  async #attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      console.warn("source maps: work failed, will retry", String(error));
      this.#retryMs = Date.now() + RETRY_MS;
      await this.#parts.alarm.setBy(this.#retryMs);
      return undefined;
    }
  }

  /** Rejects until the record is read from KV. */
  async #requireReady(): Promise<void> {
    if (this.#parts.restoreRuns.isReady) return;
    if (!this.#parts.restoreRuns.isInitialized) await this.#parts.restoreRuns.initialize();
    if (!this.#parts.restoreRuns.isBlocking) return;
    await this.#parts.alarm.setBy(Date.now());
    throw new Error("the source maps are being read from KV");
  }
}

function refuseEmpty(): Result<never, UploadRefusal> {
  return fail({ reason: "invalid-upload", detail: "The body is empty." });
}
