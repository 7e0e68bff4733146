/** Erases one report: its line in the log or in the archive, and its summary in the issue. */
import type { ReportId } from "../../../core/report.ts";
import { parsePosition } from "../../kv/keys.ts";
import type { LogApi } from "../../objects.ts";
import { yieldToRequests } from "../../yield-to-requests.ts";
import { createDirtyKeys, type DirtyKeys, joinDirtyKeys } from "../state/dirty-keys.ts";
import { eraseFromIssue, eraseReports } from "../state/erase-issue.ts";
import { findIssueOfReport, searchIssueOfReport } from "../state/find-issue-of-report.ts";
import type { IndexTables } from "../state/index-tables.ts";

/** Issues that are searched in one turn. */
const SEARCHED_ISSUES = 40;

/**
 * Erases one report from its log and from the index; null if no log has it. `startId`: that of the
 * index, see `ProjectIndex.applyRows`.
 */
export async function eraseReportFromLogs(
  tables: IndexTables,
  logs: readonly Pick<LogApi, "flush" | "locate" | "eraseFromChunk">[],
  id: ReportId,
  startId: string,
): Promise<DirtyKeys | null> {
  await Promise.all(logs.map((log) => log.flush(startId)));
  for (const log of logs) {
    const position = await log.locate(id);
    const parsed = position === null ? null : parsePosition(position);
    if (parsed === null) continue;
    const erased = await log.eraseFromChunk(parsed, { ids: [id] });
    const [line] = erased;
    const isFound =
      line?.digest !== undefined && findIssueOfReport(tables, line.digest, id) !== undefined;
    const dirtyKeys = eraseReports(tables, erased);
    // An earlier attempt may have erased the line, but not the summary in the issue.
    const mayBeElsewhere = line === undefined || line.isLinkable === true;
    if (isFound || !mayBeElsewhere) return dirtyKeys;
    return joinDirtyKeys([dirtyKeys, await searchAndErase(tables, id)]);
  }
  return null;
}

/** Searches all issues for the one that lists a report, and erases it there. */
async function searchAndErase(tables: IndexTables, id: ReportId): Promise<DirtyKeys> {
  let cursor: number | undefined = 0;
  while (cursor !== undefined) {
    const { issue, next } = searchIssueOfReport(tables, id, cursor, SEARCHED_ISSUES);
    if (issue !== undefined) return eraseFromIssue(tables, issue, id);
    cursor = next;
    await yieldToRequests();
  }
  return createDirtyKeys({});
}
