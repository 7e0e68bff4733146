/** Calls the operations of the index from the Worker, with a timeout. */
import type { IndexOperations } from "../../core/ports/storage-ports.ts";
import type { ProjectIndexRpc } from "../rpc/index-rpc.ts";
import type { ProjectStubs } from "../rpc/stubs.ts";
import { withTimeout } from "../with-timeout.ts";

const OPERATION_NAMES = Object.keys({
  ...{
    findMatches: true,
    listIssues: true,
    listFacets: true,
    readOverview: true,
    listReleases: true,
    listScripts: true,
  },
  ...{ listLiveEvents: true, listCounters: true, listViews: true, saveView: true },
  ...{ getAnnotations: true, annotate: true, decide: true, decideMany: true, getHealth: true },
  ...{ assignMany: true, undo: true, findNeighbors: true, checkQuery: true },
} satisfies Record<keyof IndexOperations, true>) as (keyof IndexOperations)[];

/** Every method of `IndexOperations` as one call of the index. Rejects after `timeoutMs`. */
export function createIndexClient(stubs: ProjectStubs, timeoutMs: number): IndexOperations {
  const operations = OPERATION_NAMES.map((name) => [
    name,
    async (...args: readonly unknown[]) => {
      const index = stubs.index() as unknown as Pick<ProjectIndexRpc, "operate">;
      return withTimeout(index.operate(name, args), timeoutMs);
    },
  ]);
  return Object.fromEntries(operations);
}
