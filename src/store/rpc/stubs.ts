/**
 * Stubs of the Durable Objects. An object is created near its first user, or near the location
 * hint, and stays there. A stub is unusable after an exception, so each call creates a new one.
 */
import type { Bindings } from "../../bindings.ts";
import { REGISTRY_NAME, toReportLogName } from "../kv/keys.ts";
import type { AlertSenderObject } from "./alerts-rpc.ts";
import type { ProjectIndexObject } from "./index-rpc.ts";
import type { ReportLogObject } from "./log-rpc.ts";
import type { RegistryObject } from "./registry-rpc.ts";
import type { SourceMapsObject } from "./source-maps-rpc.ts";

/** The store of one project. `nowMs` is the clock. */
export interface StoreOptions {
  readonly project: string;
  readonly shards: number;
  readonly location?: DurableObjectLocationHint;
  readonly nowMs: () => number;
}

export type StubOptions = Pick<StoreOptions, "project" | "location">;

/** The index and the shards of one project. */
export interface ProjectStubs {
  index(): DurableObjectStub<ProjectIndexObject>;
  log(shard: string): DurableObjectStub<ReportLogObject>;
}

/** The stubs of one project. `location` applies to objects that do not exist yet. */
export function createStubs(
  bindings: Pick<Bindings, "PROJECT_INDEX" | "REPORT_LOG">,
  { project, location }: StubOptions,
): ProjectStubs {
  const indexes = bindings.PROJECT_INDEX as DurableObjectNamespace<ProjectIndexObject>;
  const logs = bindings.REPORT_LOG as DurableObjectNamespace<ReportLogObject>;
  return {
    index: () => indexes.getByName(project, toHint(location)),
    log: (shard) => logs.getByName(toReportLogName(project, shard), toHint(location)),
  };
}

/** The source maps of one project. */
export function createSourceMapsStub(
  bindings: Pick<Bindings, "SOURCE_MAPS">,
  { project, location }: StubOptions,
): DurableObjectStub<SourceMapsObject> {
  const objects = bindings.SOURCE_MAPS as DurableObjectNamespace<SourceMapsObject>;
  return objects.getByName(project, toHint(location));
}

/** The alert sender of one project. */
export function createAlertSenderStub(
  bindings: Pick<Bindings, "ALERT_SENDER">,
  { project, location }: StubOptions,
): DurableObjectStub<AlertSenderObject> {
  const objects = bindings.ALERT_SENDER as DurableObjectNamespace<AlertSenderObject>;
  return objects.getByName(project, toHint(location));
}

export function createRegistryStub(
  bindings: Pick<Bindings, "REGISTRY">,
  location?: DurableObjectLocationHint,
): DurableObjectStub<RegistryObject> {
  const registries = bindings.REGISTRY as DurableObjectNamespace<RegistryObject>;
  return registries.getByName(REGISTRY_NAME, toHint(location));
}

function toHint(location?: DurableObjectLocationHint) {
  return location === undefined ? {} : { locationHint: location };
}
