/** Creates the parts of the object with one project's source maps and connects them. */
import { randomBytes } from "node:crypto";
import type { Bindings } from "../../bindings.ts";
import { readStoreSettings } from "../../config.ts";
import { artifactLimits } from "../../core/artifacts/artifact-limits.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { ReleaseSummary } from "../../core/release/release-summary.ts";
import { WriteBudget } from "../kv/write-budget.ts";
import { createRegistryStub, createStubs } from "../rpc/stubs.ts";
import { SharedAlarm } from "../shared-alarm.ts";
import type { Database } from "../sqlite/database.ts";
import { Conversions } from "./intake/conversions.ts";
import { Uploads } from "./intake/uploads.ts";
import { StackResolver } from "./queries/stack-resolver.ts";
import { ArtifactRecord } from "./record/artifact-record.ts";
import { RecordRestore } from "./record/record-restore.ts";
import { RestoreRuns } from "./record/restore-runs.ts";
import { ArtifactTables } from "./tables/artifact-tables.ts";
import { UploadAnnouncement } from "./upload-announcement.ts";
import { UploadRetention } from "./upload-retention.ts";

/** Reports of rare issues are kept three times as long as others; so are uploads. */
const RETENTION_FACTOR = 3;

/** The parts of an object. `getEnv` returns its bindings. */
export function createSourceMapParts(
  ctx: DurableObjectState,
  getEnv: () => Bindings,
  database: Database,
) {
  const project = ctx.id.name ?? "";
  const { location, retentionDays, sourceMapWritesPerDay } = readStoreSettings(getEnv());
  const { storage } = ctx;
  const nowMs = Date.now;
  const tables = new ArtifactTables(storage, project, database);
  const kv = () => getEnv().KV;
  const shared = { project, tables, storage, kv, nowMs };
  const openIndex = () =>
    createStubs(getEnv(), { project, ...omitUndefined({ location }) }).index();
  const alarm = new SharedAlarm(storage, nowMs);
  const wake = () => alarm.setBy(nowMs());
  const resolver = new StackResolver(tables);
  const conversions = new Conversions({
    ...shared,
    onFinished: () => void ctx.waitUntil(wake()),
    freeMemory: () => resolver.reset(),
  });
  const uploads = new Uploads({ ...shared, conversions, onAdded: wake });
  const announcement = new UploadAnnouncement({
    ...shared,
    registry: () => createRegistryStub(getEnv(), location),
    index: openIndex,
  });
  const record = new ArtifactRecord({
    ...shared,
    budget: new WriteBudget(storage, sourceMapWritesPerDay),
    newName: () => randomBytes(8).toString("hex"),
  });
  const restore = new RecordRestore(shared);
  const restoreRuns = new RestoreRuns({ ...shared, restore });
  const retention = new UploadRetention({
    ...shared,
    keptDays: RETENTION_FACTOR * retentionDays,
    maxStoredBytes: artifactLimits.maxStoredBytes,
    listLiveReleases: async () => {
      const releases = await openIndex().operate("listReleases", []);
      return listLiveReleases(releases as readonly ReleaseSummary[]);
    },
    onDeleted: () => resolver.reset(),
  });
  return {
    ...{ tables, alarm, resolver, conversions, uploads, announcement },
    ...{ record, restore, restoreRuns, retention },
  };
}

/** Releases that stored reports or sessions name. */
function listLiveReleases(
  releases: readonly (Pick<ReleaseSummary, "name" | "issueCount"> & { sessions?: object })[],
): ReadonlySet<string> {
  const live = releases.filter(({ issueCount, sessions }) => issueCount > 0 || sessions);
  return new Set(live.map(({ name }) => name));
}
