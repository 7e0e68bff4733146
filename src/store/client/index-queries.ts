/** The queries of the index, called from the Worker with a timeout. */
import type { IndexQueries } from "../../core/ports/storage-ports.ts";
import type { ProjectIndexRpc } from "../rpc/index-rpc.ts";
import type { ProjectStubs } from "../rpc/stubs.ts";
import { withTimeout } from "../with-timeout.ts";

const QUERY_NAMES = Object.keys({
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
  ...{ assignMany: true, undo: true, findNeighbors: true },
} satisfies Record<keyof IndexQueries, true>) as (keyof IndexQueries)[];

/** Every method of `IndexQueries` as one call of the index. Rejects after `timeoutMs`. */
export function createIndexQueries(stubs: ProjectStubs, timeoutMs: number): IndexQueries {
  const queries = QUERY_NAMES.map((name) => [
    name,
    async (...args: readonly unknown[]) => {
      const index = stubs.index() as unknown as Pick<ProjectIndexRpc, "query">;
      return withTimeout(index.query(name, args), timeoutMs);
    },
  ]);
  return Object.fromEntries(queries);
}
