/**
 * The Durable Objects: how each is bound and named, how long its calls may take, and how its data
 * of a project is erased. Calls, services, the erasure of a project and tests read this table.
 *
 * An object is created near its first user, or near the location hint, and stays there.
 */
import type { RegistryObject } from "./accounts/registry-object.ts";
import type { AlertSender } from "./alerts/alert-sender.ts";
import type { SourceMaps } from "./artifacts/source-maps.ts";
import type { ProjectIndex } from "./index/project-index.ts";
import type { ReportLog } from "./log/report-log.ts";
import { connect, type Remote, type Timeouts } from "./remote.ts";

/** The classes, which `worker.ts` exports. */
interface ObjectClasses {
  readonly log: ReportLog;
  readonly index: ProjectIndex;
  readonly sourceMaps: SourceMaps;
  readonly alerts: AlertSender;
  readonly registry: RegistryObject;
}

export type ObjectKind = keyof ObjectClasses;

interface ObjectRow<T> extends Timeouts<T> {
  /** The binding in `wrangler.toml`. */
  readonly binding: string;
  /** What has an object of its own. */
  readonly per: "shard" | "project" | "deployment";
  readonly toName: (project: string, shard: string) => string;
  /**
   * The phase of a project's erasure that calls `wipe` of the object: it deletes everything and
   * resolves to the KV keys to delete. Absent if the job erases its data in phases of its own.
   */
  readonly wipePhase?: string;
}

/** A page waits at most this long for the index. */
const INDEX_READ_MS = 3_000;
/** More than the time that the index waits for its shards. */
const INDEX_WORK_MS = 15_000;
/** A page waits at most this long for lists, frames and settings. */
const READ_MS = 5_000;

export const OBJECTS = {
  log: {
    binding: "REPORT_LOG",
    per: "shard",
    toName: (project, shard) => `${project}/${shard}`,
    // Appends are limited where they are coalesced; work of jobs takes as long as it needs.
    timeoutMs: null,
    timeoutsMs: { readLine: 3_000 },
  },
  index: {
    binding: "PROJECT_INDEX",
    per: "project",
    toName: (project) => project,
    timeoutMs: INDEX_READ_MS,
    timeoutsMs: {
      // Limited by the outbox.
      applyRows: null,
      // Without an answer, public reports are not spooled.
      takeSpoolWrite: 1_000,
      enqueueJob: INDEX_WORK_MS,
      eraseIssue: INDEX_WORK_MS,
      eraseReport: INDEX_WORK_MS,
      getErasure: INDEX_WORK_MS,
      previewErasure: INDEX_WORK_MS,
      closeLiveSockets: INDEX_WORK_MS,
      exportTriage: null,
      importTriage: null,
      listShards: INDEX_WORK_MS,
      onLogCreated: INDEX_WORK_MS,
      onUploaded: INDEX_WORK_MS,
      readAlertedIssues: INDEX_WORK_MS,
      readFixProgress: INDEX_WORK_MS,
      readPeriod: INDEX_WORK_MS,
      readProjectFacts: INDEX_WORK_MS,
      readResolvers: INDEX_WORK_MS,
      recordSentAlert: INDEX_WORK_MS,
      applyTrackerEvents: INDEX_WORK_MS,
      listFollowedIssues: INDEX_WORK_MS,
      tellTrackerProofs: INDEX_WORK_MS,
      setAlertRules: INDEX_WORK_MS,
      waitUntilIdle: null,
    },
  },
  sourceMaps: {
    binding: "SOURCE_MAPS",
    per: "project",
    toName: (project) => project,
    wipePhase: "source-maps",
    timeoutMs: null,
    timeoutsMs: {
      getCoverage: READ_MS,
      listDeploys: READ_MS,
      listFiles: READ_MS,
      listNewCommits: READ_MS,
      listReleaseFacts: READ_MS,
      readReleases: READ_MS,
      resolveStacks: READ_MS,
      summarize: READ_MS,
    },
  },
  alerts: {
    binding: "ALERT_SENDER",
    per: "project",
    toName: (project) => project,
    wipePhase: "alerts",
    // A test message takes up to ten seconds.
    timeoutMs: null,
    timeoutsMs: {
      take: 10_000,
      listDeliveries: READ_MS,
      listHeldBack: READ_MS,
      listTrackers: READ_MS,
      receiveHook: 10_000,
      markNoticeRead: READ_MS,
      nameDeleted: READ_MS,
      readInbox: READ_MS,
      readMarks: READ_MS,
      readPreferences: READ_MS,
      readSettings: READ_MS,
      verifyAction: READ_MS,
      verifyAddress: READ_MS,
      askForVisitor: READ_MS,
      confirmVisitor: READ_MS,
      readVisitorLink: READ_MS,
      withdrawVisitor: READ_MS,
    },
  },
  registry: {
    binding: "REGISTRY",
    per: "deployment",
    toName: () => "registry",
    timeoutMs: null,
    timeoutsMs: { readIfNewer: 2_000 },
  },
} as const satisfies { readonly [K in ObjectKind]: ObjectRow<ObjectClasses[K]> };

type Row<K extends ObjectKind> = (typeof OBJECTS)[K];

/** The namespaces of the objects in the bindings of the Worker. */
export type ObjectBindings = {
  readonly [K in ObjectKind as Row<K>["binding"]]: DurableObjectNamespace;
};

/** The objects of one project, each with the methods of its class; a log by its shard. */
export type ProjectObjects = {
  readonly [K in ObjectKind]: Row<K>["per"] extends "shard"
    ? (shard: string) => Remote<ObjectClasses[K]>
    : Remote<ObjectClasses[K]>;
};

export type LogApi = Remote<ReportLog>;
export type IndexApi = Remote<ProjectIndex>;
export type SourceMapsApi = Remote<SourceMaps>;
export type AlertsApi = Remote<AlertSender>;
export type RegistryApi = Remote<RegistryObject>;

/** The namespace of a kind of objects. */
export function getNamespace(env: object, kind: ObjectKind): DurableObjectNamespace {
  return (env as ObjectBindings)[OBJECTS[kind].binding];
}

/** Where a project is. `location` applies to objects that do not exist yet. */
export interface ObjectPlace {
  readonly project: string;
  readonly location?: DurableObjectLocationHint;
}

/** The store of one project in the Worker. `nowMs` is the clock. */
export interface StoreOptions extends ObjectPlace {
  readonly shards: number;
  readonly nowMs: () => number;
}

/** The objects of a project. `getEnv` returns the bindings of the Worker. */
export function connectProject(getEnv: () => object, place: ObjectPlace): ProjectObjects {
  const kinds = Object.keys(OBJECTS) as ObjectKind[];
  return Object.fromEntries(
    kinds.map((kind) => {
      const open = (shard = "") => connectTo(kind, getEnv, place, shard);
      return [kind, OBJECTS[kind].per === "shard" ? open : open()];
    }),
  ) as unknown as ProjectObjects;
}

function connectTo(
  kind: ObjectKind,
  getEnv: () => object,
  { project, location: locationHint }: ObjectPlace,
  shard: string,
): unknown {
  const name = OBJECTS[kind].toName(project, shard);
  const options = locationHint === undefined ? {} : { locationHint };
  return connect(() => getNamespace(getEnv(), kind).getByName(name, options), OBJECTS[kind]);
}

/** The objects that erase a project's data by one call, in the order of the table. */
export function listWipes(objects: ProjectObjects) {
  return (Object.keys(OBJECTS) as ObjectKind[]).flatMap((kind) => {
    const row: ObjectRow<unknown> = OBJECTS[kind];
    const object = objects[kind] as unknown as Wipeable;
    return row.wipePhase === undefined ? [] : { phase: row.wipePhase, wipe: () => object.wipe() };
  });
}

interface Wipeable {
  /** Deletes everything. Resolves to the KV keys to delete. */
  wipe(): Promise<readonly string[]>;
}
