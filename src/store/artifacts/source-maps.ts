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
 * everything from KV.
 */
import { DurableObject } from "cloudflare:workers";
import { randomBytes } from "node:crypto";
import type { Bindings } from "../../bindings.ts";
import { readStoreSettings } from "../../config.ts";
import { artifactLimits } from "../../core/artifacts/artifact-limits.ts";
import { listDeployMoments } from "../../core/artifacts/deploy-moments.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
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
import type { ReleaseSummary } from "../../core/release/release-summary.ts";
import { fail, type Result } from "../../core/result.ts";
import type { FrameResolution, ResolveRequest } from "../../core/symbolication/resolution.ts";
import { WriteBudget } from "../kv/write-budget.ts";
import {
  CHUNKS_PATH,
  type RebuiltPart,
  SINGLE_PATH,
  type SourceMapsRpc,
} from "../rpc/source-maps-rpc.ts";
import { createRegistryStub, createStubs } from "../rpc/stubs.ts";
import { SharedAlarm } from "../shared-alarm.ts";
import { Announcement } from "./announcement.ts";
import { Conversions } from "./intake/conversions.ts";
import { Uploads } from "./intake/uploads.ts";
import { StackResolver } from "./queries/stack-resolver.ts";
import { findCoverage, summarizeUploads, toArtifactFile } from "./queries/summarize.ts";
import { ArtifactRecord } from "./record/artifact-record.ts";
import { RecordRestore } from "./record/record-restore.ts";
import { RestoreRuns } from "./record/restore-runs.ts";
import { ArtifactTables } from "./tables/artifact-tables.ts";
import { UploadRetention } from "./upload-retention.ts";

/** Work that failed is tried again after this time. */
const RETRY_MS = 5_000;
/** Reports of rare issues are kept three times as long as others; so are uploads. */
const RETENTION_FACTOR = 3;

/** One object per project, named by the project's id: `1`. */
export class SourceMaps extends DurableObject<Bindings> implements SourceMapsRpc {
  readonly #tables: ArtifactTables;
  readonly #alarm: SharedAlarm;
  readonly #conversions: Conversions;
  readonly #uploads: Uploads;
  readonly #resolver: StackResolver;
  readonly #announcement: Announcement;
  readonly #record: ArtifactRecord;
  readonly #restore: RecordRestore;
  readonly #restoreRuns: RestoreRuns;
  readonly #retention: UploadRetention;
  /** After a failure no work is due before this time, in ms. */
  #retryMs = 0;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    const project = ctx.id.name ?? "";
    const { location, retentionDays, sourceMapWritesPerDay } = readStoreSettings(env);
    const { storage } = ctx;
    const nowMs = Date.now;
    const tables = new ArtifactTables(storage, project);
    const kv = () => this.env.KV;
    const shared = { project, tables, storage, kv, nowMs };
    const openIndex = () =>
      createStubs(this.env, { project, ...omitUndefined({ location }) }).index();
    const wake = () => this.#alarm.setBy(nowMs());
    this.#tables = tables;
    this.#alarm = new SharedAlarm(storage, nowMs);
    this.#resolver = new StackResolver(tables);
    this.#conversions = new Conversions({
      ...shared,
      onFinished: () => void ctx.waitUntil(wake()),
      freeMemory: () => this.#resolver.reset(),
    });
    this.#uploads = new Uploads({ ...shared, conversions: this.#conversions, onAdded: wake });
    this.#announcement = new Announcement({
      ...shared,
      registry: () => createRegistryStub(this.env, location),
      index: openIndex,
    });
    this.#record = new ArtifactRecord({
      ...shared,
      budget: new WriteBudget(storage, sourceMapWritesPerDay),
      newName: () => randomBytes(8).toString("hex"),
    });
    this.#restore = new RecordRestore(shared);
    this.#restoreRuns = new RestoreRuns({ ...shared, restore: this.#restore });
    this.#retention = new UploadRetention({
      ...shared,
      keptDays: RETENTION_FACTOR * retentionDays,
      maxStoredBytes: artifactLimits.maxStoredBytes,
      listLiveReleases: async () => {
        const releases = await openIndex().operate("listReleases", []);
        return listLiveReleases(releases as readonly ReleaseSummary[]);
      },
      onDeleted: () => this.#resolver.reset(),
    });
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
      return Response.json(await this.#uploads.storeChunks(body, contentType));
    }
    if (pathname === SINGLE_PATH) {
      const single: SingleUpload = Object.fromEntries(searchParams);
      return Response.json(await this.#uploads.storeSingle(body, single));
    }
    return new Response(null, { status: 404 });
  }

  async assemble(bundle: BundleToAssemble): Promise<AssembleState> {
    await this.#requireReady();
    return this.#uploads.assemble(bundle);
  }

  // Queries.

  async resolveStacks(request: ResolveRequest): Promise<readonly (readonly FrameResolution[])[]> {
    await this.#requireReady();
    return this.#resolver.resolve(request, Date.now());
  }

  async summarize(): Promise<SourceMapSummary> {
    await this.#requireReady();
    const summary = summarizeUploads(this.#tables);
    if (summary.uploads.length === 0) return summary;
    const converting = this.#tables.uploads.listUnfinished().length;
    return { ...summary, backlog: { converting, ...this.#record.getBacklog() } };
  }

  async listFiles(id: string): Promise<readonly ArtifactFile[] | null> {
    await this.#requireReady();
    const upload = this.#tables.uploads.find(id);
    return upload === undefined ? null : this.#tables.files.list(upload.n).map(toArtifactFile);
  }

  async getCoverage(
    release: string,
    scripts: readonly ReleaseScript[],
  ): Promise<readonly ScriptCoverage[]> {
    await this.#requireReady();
    return findCoverage(this.#tables, release, scripts);
  }

  // Changes.

  async deleteUpload(id: string): Promise<boolean> {
    await this.#requireReady();
    const upload = this.#tables.uploads.find(id);
    if (upload === undefined) return false;
    this.#tables.deleteUpload(upload.n);
    this.#resolver.reset();
    await this.#alarm.setBy(Date.now());
    return true;
  }

  async changeRelease(change: ReleaseChange): Promise<ReleaseFacts> {
    await this.#requireReady();
    const facts = this.#tables.releases.change(change, Date.now());
    await this.#alarm.setBy(Date.now());
    return facts;
  }

  async listReleaseFacts(versions?: readonly string[]): Promise<readonly ReleaseFacts[]> {
    await this.#requireReady();
    if (versions === undefined) return this.#tables.releases.list();
    return versions.flatMap((version) => this.#tables.releases.get(version) ?? []);
  }

  async listDeploys(sinceMs: number): Promise<readonly DeployMoment[]> {
    await this.#requireReady();
    return listDeployMoments(this.#tables.releases.list(), sinceMs);
  }

  // Called by the jobs of the index.

  async wipe(): Promise<readonly string[]> {
    const keys = this.#tables.listKeys();
    this.#restore.stop();
    this.#tables.wipe();
    this.#resolver.reset();
    await this.#record.waitUntilIdle();
    // The record in KV is obsolete now, even if the object has not read it.
    this.#restoreRuns.skip();
    await this.#alarm.setBy(Date.now());
    return keys;
  }

  async rebuildSome(cursor: string | undefined): Promise<RebuiltPart> {
    await this.#requireReady();
    const part = await this.#restore.runStep(cursor);
    if (part.cursor !== undefined) return part;
    await this.#alarm.setBy(Date.now());
    return { ...part, newestUpload: this.#tables.uploads.getNewestReady() };
  }

  async waitForRecord(): Promise<void> {
    await this.#record.waitUntilIdle();
  }

  /** Never throws: the platform gives up on an alarm that throws repeatedly. */
  override async alarm(): Promise<void> {
    this.#alarm.onFired();
    await this.#attempt(() => this.#restoreRuns.run());
    if (this.#restoreRuns.isBlocking) return this.#alarm.setBy(Date.now());
    // A part that fails because the registry or the index is unavailable does not stop the others.
    const hasMore = await this.#attempt(() => this.#conversions.runSome());
    if (hasMore) await this.#alarm.setBy(Date.now());
    await this.#attempt(() => this.#announcement.send());
    await this.#attempt(async () => this.#retention.enforceLimit());
    await this.#attempt(() => this.#retention.run());
    const saveMs = await this.#record.save();
    for (const dueMs of [saveMs, this.#restoreRuns.dueMs, this.#retention.dueMs]) {
      if (dueMs !== undefined) await this.#alarm.setBy(Math.max(dueMs, this.#retryMs));
    }
  }

  /** Runs a part of the work. If it fails, sets the alarm to repeat it. */
  async #attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      console.warn("source maps: work failed, will retry", String(error));
      this.#retryMs = Date.now() + RETRY_MS;
      await this.#alarm.setBy(this.#retryMs);
      return undefined;
    }
  }

  /** Rejects until the record is read from KV. */
  async #requireReady(): Promise<void> {
    if (this.#restoreRuns.isReady) return;
    if (!this.#restoreRuns.isInitialized) await this.#restoreRuns.initialize();
    if (!this.#restoreRuns.isBlocking) return;
    await this.#alarm.setBy(Date.now());
    throw new Error("the source maps are being read from KV");
  }
}

/** Releases that stored reports or sessions name. */
function listLiveReleases(
  releases: readonly (Pick<ReleaseSummary, "name" | "issueCount"> & { sessions?: object })[],
): ReadonlySet<string> {
  const live = releases.filter(({ issueCount, sessions }) => issueCount > 0 || sessions);
  return new Set(live.map(({ name }) => name));
}

function refuseEmpty(): Result<never, UploadRefusal> {
  return fail({ reason: "invalid-upload", detail: "The body is empty." });
}
