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
import { randomBytes } from "node:crypto";
import type { Bindings } from "../../bindings.ts";
import { readStoreSettings } from "../../config.ts";
import { artifactLimits } from "../../core/artifacts/artifact-limits.ts";
import { listDeployMoments } from "../../core/artifacts/deploy-moments.ts";
import type {
  ArtifactFile,
  AssembleState,
  BundleToAssemble,
  DeployMoment,
  IssueReleases,
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
import { CopyRank } from "../kv/copy-queue.ts";
import { CopyWriter } from "../kv/copy-writer.ts";
import { RELEASES_COPY, toCopyKey } from "../kv/keys.ts";
import { WriteBudget } from "../kv/write-budget.ts";
import { connectProject, type IndexApi, type ProjectObjects } from "../objects.ts";
import { SharedAlarm } from "../shared-alarm.ts";
import type { Database } from "../sqlite/database.ts";
import { StoredObject } from "../sqlite/object.ts";
import { upsert } from "../sqlite/table.ts";
import { Conversions } from "./intake/conversions.ts";
import { CHUNKS_PATH, SINGLE_PATH, Uploads } from "./intake/uploads.ts";
import { eraseFromReleaseFacts, type FoundUploads, findUploads } from "./queries/find-text.ts";
import { StackResolver } from "./queries/stack-resolver.ts";
import { findCoverage, summarizeUploads, toArtifactFile } from "./queries/summarize.ts";
import { ArtifactRecord } from "./record/artifact-record.ts";
import { type RebuiltPart, RecordRestore } from "./record/record-restore.ts";
import { RestoreRuns } from "./record/restore-runs.ts";
import { ARTIFACT_SCHEMA } from "./tables/artifact-schema.ts";
import { type ArtifactDeps, ArtifactTables } from "./tables/artifact-tables.ts";
import { withoutFiles } from "./tables/release-facts-table.ts";
import { UploadRetention } from "./upload-retention.ts";

/** Reports of rare issues are kept three times as long as others; so are uploads. */
const RETENTION_FACTOR = 3;
/** Work that failed is tried again after this time. */
const RETRY_MS = 5_000;
/** How long the copy of the facts of releases waits: release commands come in groups. */
const RELEASES_DELAY_MS = 10_000;

/**
 * One object per project, named by the project's id: `1`. Its methods reject while it reads its
 * record from KV.
 */
export class SourceMaps extends StoredObject {
  readonly #created: ReturnType<typeof createParts> | undefined;
  /** After a failure no work is due before this time, in ms. */
  #retryMs = 0;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env, ARTIFACT_SCHEMA);
    if (!this.isReady) return;
    this.#created = createParts(ctx, () => this.env, this.database);
    ctx.waitUntil(this.#created.copies.resume());
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

  /** Assembles a bundle, or reports its state. */
  async assemble(bundle: BundleToAssemble): Promise<AssembleState> {
    await this.#requireReady();
    return this.#parts.uploads.assemble(bundle);
  }

  // Queries.

  /** One answer per frame, in order. Nothing is fetched from the web. */
  async resolveStacks(request: ResolveRequest): Promise<readonly (readonly FrameResolution[])[]> {
    await this.#requireReady();
    return this.#parts.resolver.resolve(request, Date.now());
  }

  /** Uploads, newest first, at most `artifactLimits.listedUploads`. */
  async summarize(): Promise<SourceMapSummary> {
    await this.#requireReady();
    const summary = summarizeUploads(this.#parts.tables);
    if (summary.uploads.length === 0) return summary;
    const converting = this.#parts.tables.uploads.listUnfinished().length;
    return { ...summary, backlog: { converting, ...this.#parts.record.getBacklog() } };
  }

  /** The files of an upload; null if it is unknown. */
  async listFiles(id: string): Promise<readonly ArtifactFile[] | null> {
    await this.#requireReady();
    const upload = this.#parts.tables.uploads.find(id);
    return upload === undefined
      ? null
      : this.#parts.tables.files.list(upload.n).map(toArtifactFile);
  }

  /** Which of these scripts of a release have a map. */
  async getCoverage(
    release: string,
    scripts: readonly ReleaseScript[],
  ): Promise<readonly ScriptCoverage[]> {
    await this.#requireReady();
    return findCoverage(this.#parts.tables, release, scripts);
  }

  // Changes.

  /** Deletes an upload and the files that no other upload has. False if it is unknown. */
  async deleteUpload(id: string): Promise<boolean> {
    await this.#requireReady();
    const upload = this.#parts.tables.uploads.find(id);
    if (upload === undefined) return false;
    this.#parts.tables.deleteUpload(upload.n);
    this.#parts.resolver.reset();
    await this.#parts.wake();
    return true;
  }

  /** Adds a sentence to `failures`: an upload was refused before it reached the object. */
  async recordRefusal(detail: string): Promise<void> {
    await this.#requireReady();
    this.#parts.tables.failures.add(detail.slice(0, artifactLimits.maxUrlChars), Date.now());
    await this.#parts.wake();
  }

  /** Adds to the facts of a release, and creates it if it is unknown. */
  async changeRelease(change: ReleaseChange): Promise<ReleaseFacts> {
    await this.#requireReady();
    const facts = this.#parts.tables.releases.change(change, Date.now());
    this.#parts.tables.releases.noteChange();
    this.#parts.copies.mark(RELEASES_COPY, CopyRank.triage, RELEASES_DELAY_MS);
    await this.#parts.wake();
    return facts;
  }

  /** Those of the ids of commits that no release of the project has. */
  async listNewCommits(ids: readonly string[]): Promise<readonly string[]> {
    await this.#requireReady();
    return this.#parts.tables.releases.listNewCommits(ids);
  }

  /**
   * The facts of the named releases that have any, or of the newest ones without the paths of
   * changed files.
   */
  async listReleaseFacts(versions?: readonly string[]): Promise<readonly ReleaseFacts[]> {
    await this.#requireReady();
    if (versions === undefined) return this.#parts.tables.releases.list().map(withoutFiles);
    return versions.flatMap((version) => this.#parts.tables.releases.get(version) ?? []);
  }

  /** The deploys since a time (Unix ms), newest first. */
  async listDeploys(sinceMs: number): Promise<readonly DeployMoment[]> {
    await this.#requireReady();
    return listDeployMoments(this.#parts.tables.releases.listDeploys(), sinceMs);
  }

  /** The deploys since a time, and the commits of a release, for the page of an issue. */
  async readReleases(sinceMs: number, release: string | undefined): Promise<IssueReleases> {
    await this.#requireReady();
    const { releases } = this.#parts.tables;
    const deploys = listDeployMoments(releases.listDeploys(), sinceMs);
    const facts = release === undefined ? undefined : releases.get(release);
    return { deploys, commits: facts?.commits ?? [] };
  }

  // Called by the jobs of the index.

  /** Deletes everything. Resolves to the KV keys of its record, which KV's list may miss. */
  async wipe(): Promise<readonly string[]> {
    const keys = this.#parts.tables.listKeys();
    this.#parts.restore.stop();
    this.#parts.tables.wipe();
    this.#parts.resolver.reset();
    await this.waitUntilIdle();
    // The record in KV is obsolete now, even if the object has not read it.
    this.#parts.restoreRuns.skip();
    await this.#parts.wake();
    return keys;
  }

  /**
   * Compares the next keys of the record in KV with the object, reads values that the object lacks,
   * and rewrites values that KV lacks. Resolves to where to continue; undefined at the end.
   */
  async rebuildSome(cursor: string | undefined): Promise<RebuiltPart> {
    await this.#requireReady();
    const part = await this.#parts.restore.runStep(cursor);
    if (part.cursor !== undefined) return part;
    await this.#parts.wake();
    return { ...part, newestUpload: this.#parts.tables.uploads.getNewestReady() };
  }

  /** The next uploads that contain a text. */
  async findText(text: string, cursor: string | undefined): Promise<FoundUploads> {
    await this.#requireReady();
    return findUploads(this.#parts.tables, text, cursor);
  }

  /** Erases a text from everything but the uploads, which an owner deletes. */
  async eraseText(text: string): Promise<void> {
    await this.#requireReady();
    if (!eraseFromReleaseFacts(this.#parts.tables, text)) return;
    this.#parts.tables.releases.noteChange();
    this.#parts.copies.mark(RELEASES_COPY, CopyRank.erasure);
    await this.#parts.wake();
  }

  /** Resolves when no write to KV is in progress. */
  override async waitUntilIdle(): Promise<void> {
    await this.#parts.record.waitUntilIdle();
    await this.#parts.copies.waitForWrite();
  }

  protected override setAlarmBy(atMs: number): Promise<void> {
    return this.#parts.alarm.setBy(atMs);
  }

  /** Never throws: the platform gives up on an alarm that throws repeatedly. */
  protected override async onAlarm(): Promise<void> {
    this.#parts.alarm.onFired();
    await this.#attempt(() => this.#parts.restoreRuns.run());
    if (this.#parts.restoreRuns.isBlocking) return this.#parts.wake();
    // A part that fails because the registry or the index is unavailable does not stop the others.
    const hasMore = await this.#attempt(() => this.#parts.conversions.runSome());
    if (hasMore) await this.#parts.wake();
    await this.#attempt(() => this.#parts.announcement.send());
    await this.#attempt(async () => this.#parts.retention.enforceLimit());
    await this.#attempt(() => this.#parts.retention.run());
    const saveMs = await this.#parts.record.save();
    await this.#parts.copies.write({ isAlarm: true });
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
    await this.#parts.wake();
    throw new Error("the source maps are being read from KV");
  }
}

/** The parts of the object. */
function createParts(ctx: DurableObjectState, getEnv: () => Bindings, database: Database) {
  const { storage } = ctx;
  const project = ctx.id.name ?? "";
  const settings = readStoreSettings(getEnv());
  const objects = connectProject(getEnv, { ...settings, project });
  const nowMs = Date.now;
  const tables = new ArtifactTables(storage, project, database);
  const shared = { project, tables, storage, kv: () => getEnv().KV, nowMs };
  const alarm = new SharedAlarm(storage, nowMs);
  /** Sets the alarm for work that is due now. */
  const wake = () => alarm.setBy(nowMs());
  const resolver = new StackResolver(tables);
  const conversions = new Conversions({
    ...shared,
    onFinished: () => ctx.waitUntil(wake()),
    freeMemory: () => resolver.reset(),
  });
  const budget = new WriteBudget(storage, settings.sourceMapWritesPerDay);
  const copies = new CopyWriter({
    ...{ ...shared, alarm, budget },
    source: {
      read: () => {
        const releases = tables.releases.list();
        const value = releases.length === 0 ? null : { v: 1, releases };
        return { key: toCopyKey(project, RELEASES_COPY), value };
      },
    },
    isPaused: () => !restoreRuns.isReady,
  });
  const restore = new RecordRestore({ ...shared, copies });
  const restoreRuns: RestoreRuns = new RestoreRuns({ ...shared, restore });
  return {
    tables,
    alarm,
    wake,
    resolver,
    conversions,
    copies,
    restore,
    uploads: new Uploads({ ...shared, conversions, onAdded: wake }),
    announcement: new UploadAnnouncement({ ...shared, objects }),
    record: new ArtifactRecord({
      ...shared,
      budget,
      newName: () => randomBytes(8).toString("hex"),
    }),
    restoreRuns,
    retention: new UploadRetention({
      ...shared,
      keptDays: RETENTION_FACTOR * settings.retentionDays,
      maxStoredBytes: artifactLimits.maxStoredBytes,
      listLiveReleases: () => listLiveReleases(objects.index),
      onDeleted: () => resolver.reset(),
    }),
  };
}

/** Releases that stored reports or sessions name. */
async function listLiveReleases(index: IndexApi): Promise<ReadonlySet<string>> {
  const releases = await index.listReleases();
  const live = releases.filter(({ issueCount, sessions }) => issueCount > 0 || sessions);
  return new Set(live.map(({ name }) => name));
}

function refuseEmpty(): Result<never, UploadRefusal> {
  return fail({ reason: "invalid-upload", detail: "The body is empty." });
}

const SAVE = upsert("announced", ["id"], ["has_content", "newest_upload", "at_ms"]);

const REPEAT_MS = 86_400_000;

/**
 * Announces to the registry whether the project has uploads. Requests read it from their copy of
 * the registry, which is at most a minute old, so pages of projects without uploads do not call
 * this object. Also announces the newest upload to the index, which then resolves the places of
 * issues.
 */
class UploadAnnouncement {
  readonly #deps;

  constructor(
    deps: ArtifactDeps & {
      readonly objects: Pick<ProjectObjects, "registry" | "index">;
    },
  ) {
    this.#deps = deps;
  }

  /**
   * Sends both their missing announcements, and all of them once a day: a registry that was
   * restored from an older copy may lack them. Rejects if one is unavailable.
   */
  async send(): Promise<void> {
    const { project, tables, storage, nowMs, objects } = this.#deps;
    const [row] = storage.sql
      .exec<{ has: number; newest: number | null; at_ms: number }>(
        "SELECT has_content AS has, newest_upload AS newest, at_ms FROM announced",
      )
      .toArray();
    const hasContent = tables.hasContent();
    const newest = tables.uploads.getNewestReady();
    const isRecent = row !== undefined && nowMs() - row.at_ms < REPEAT_MS;
    const isKnown = (row?.has === 1) === hasContent && (row?.newest ?? null) === newest;
    if (isKnown && (isRecent || !hasContent)) return;
    await objects.registry.markArtifacts(project, hasContent);
    await objects.index.onUploaded(newest);
    storage.sql.exec(SAVE, 1, hasContent ? 1 : 0, newest, nowMs());
  }
}
