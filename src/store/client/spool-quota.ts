/**
 * The quota of spool writes for public and page reports. If strangers overload a shard, each of
 * their requests costs a KV write. Without a quota they would use up the day's writes, which
 * reports of servers and erasures need. The index counts the writes of all locations.
 */
import { maxTrust, type Trust } from "../../core/trust/trust.ts";
import type { LogEntry } from "../log/log-entries.ts";
import type { IndexApi } from "../objects.ts";

/** After a refusal, an isolate asks again after this time: floods must not reach the index. */
const REFUSAL_MS = 60_000;

/** Until when spool writes are refused, by project and trust level. Shared in an isolate. */
export type SpoolRefusals = Map<string, number>;

interface SpoolQuotaOptions {
  readonly project: string;
  readonly index: Pick<IndexApi, "takeSpoolWrite">;
  readonly refusals: SpoolRefusals;
  readonly nowMs: () => number;
}

/** Takes one spool write for these reports. False if their level has none left. */
type SpoolQuota = (entries: readonly LogEntry[]) => Promise<boolean>;

/** The quota of one project. Reports of servers have no limit. */
export function createSpoolQuota(options: SpoolQuotaOptions): SpoolQuota {
  const { project, index, refusals, nowMs } = options;
  return async (entries) => {
    const trust = findHighestTrust(entries);
    if (trust === "server") return true;
    const key = `${project} ${trust}`;
    if (nowMs() < (refusals.get(key) ?? 0)) return false;
    // Without an answer, the reports are not spooled.
    const isTaken = await index.takeSpoolWrite(trust).catch(() => false);
    if (isTaken) refusals.delete(key);
    else refusals.set(key, nowMs() + REFUSAL_MS);
    return isTaken;
  };
}

function findHighestTrust(entries: readonly LogEntry[]): Trust {
  return entries.reduce<Trust>(
    (highest, { summary: { trust } }) => maxTrust(highest, trust),
    "public",
  );
}
