/**
 * The objects of one project, and how they are reached. An object is made where it is asked for first, and stays there: the
 * hint says where that is. A stub is dead after an exception, so each use takes a new one.
 */
import type { Bindings } from "../../config.ts";
import { reportLogName } from "../kv/keys.ts";
import type { ProjectIndexObject, ReportLogObject } from "./rpc.ts";

/** Which project's store, and how it is spread. `nowMs` is the clock. */
export interface StoreOptions {
  readonly project: string;
  readonly shards: number;
  readonly location?: DurableObjectLocationHint;
  readonly nowMs: () => number;
}

/** Which project's objects, and near where they are made. */
export type StubOptions = Pick<StoreOptions, "project" | "location">;

/** The index and the shards of one project. */
export interface ProjectStubs {
  index(): DurableObjectStub<ProjectIndexObject>;
  log(shard: string): DurableObjectStub<ReportLogObject>;
}

/** The objects of `project`; made near `location` if this is the first time that they are asked for. */
export function createStubs(
  bindings: Pick<Bindings, "PROJECT_INDEX" | "REPORT_LOG">,
  { project, location }: StubOptions,
): ProjectStubs {
  const options = location === undefined ? {} : { locationHint: location };
  return {
    index: () => bindings.PROJECT_INDEX.getByName(project, options),
    log: (shard) => bindings.REPORT_LOG.getByName(reportLogName(project, shard), options),
  };
}
