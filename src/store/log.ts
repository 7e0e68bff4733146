/**
 * The Worker's side of the log: reports are written as lines here, once, and sent to the shard that their id belongs to.
 */
import { markOf } from "../core/mark.ts";
import type { Appended, Log } from "../core/ports.ts";
import type { Report } from "../core/report.ts";
import type { Bindings } from "../env.ts";
import { inTime } from "./in-time.ts";
import { shardName, shardOf } from "./keys.ts";
import type { Entry } from "./rpc.ts";

/** A sender that waits longer has gone; it may send again, because an id counts once. */
const APPEND_PATIENCE_MS = 10_000;

/** The log of one project over `shards` objects. `append` rejects when any of them cannot promise durability. */
export function createLog(
  bindings: Pick<Bindings, "REPORT_LOG">,
  settings: { readonly project: string; readonly shards: number },
): Log {
  return {
    async append(reports: readonly Report[]): Promise<readonly Appended[]> {
      const perShard = Map.groupBy(reports, ({ id }) => shardOf(id, settings.shards));
      const answers = await Promise.all(
        [...perShard].map(([shard, its]) =>
          inTime(
            bindings.REPORT_LOG.getByName(shardName(settings.project, shard)).append(
              its.map(entryOf),
            ),
            APPEND_PATIENCE_MS,
          ),
        ),
      );
      const byId = new Map(answers.flat().map((answer) => [answer.id, answer]));
      return reports.map(({ id }) => byId.get(id)).filter((answer) => answer !== undefined);
    },
  };
}

function entryOf(report: Report): Entry {
  const { position: _position, ...mark } = markOf(report, "");
  return { id: report.id, line: JSON.stringify(report), mark };
}
