import { abortAllDurableObjects, runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ISSUE_SORTS, parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { ALERT_SCHEMA } from "#src/store/alerts/tables/alert-schema.ts";
import { INDEX_SCHEMA } from "#src/store/index/tables/index-schema.ts";
import { LOG_SCHEMA } from "#src/store/log/log-schema.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { recordStatements, type StatementRecorder } from "#support/store/recorded-statements.ts";
import {
  admin,
  finishJobs,
  getIndex,
  getShard,
  log,
  NOW_MS,
  projectStore,
  uploadChunk,
} from "#support/store/store.ts";

const SCHEMAS = [INDEX_SCHEMA, LOG_SCHEMA, ALERT_SCHEMA];
/** Tables that do not grow with reports or issues. */
const SMALL_TABLES: ReadonlySet<string> = new Set([
  ...SCHEMAS.flatMap(({ tables }) => tables.filter((one) => !one.isBig).map(({ name }) => name)),
  ...["schema_state", "schema_backfill", "sqlite_sequence"],
  // Those that are not uploaded.
  "log_row",
]);

/** Statements that scan a table that grows, and why they may. */
const ALLOWED: readonly (readonly [sql: RegExp, reason: string])[] = [
  [/FROM \(SELECT 1 FROM outdated_snapshot LIMIT \?\)/, "counts up to a limit"],
  [/FROM annotations WHERE coalesce/, "reads merges and splits, which are kept in memory"],
  [/^DELETE FROM alert_match WHERE rule NOT IN/, "follows a change of the rules"],
  [/FROM sqlite_master WHERE/, "reads the definitions of tables"],
  [/FROM \(SELECT \* FROM new_issue_copies LIMIT \d+\)/, "counts up to a limit"],
  [/FROM release_count INDEXED BY release_fixed WHERE fixed > 0/, "reads as many as it returns"],
];

/**
 * Statements of the object of source maps. Its rows grow with uploads, not with reports, and an
 * erasure of the project reads all of them.
 */
const OF_SOURCE_MAPS: readonly (readonly [sql: RegExp, reason: string])[] = [
  [/ FROM (restore_run|announced|failure|release_change|page_host|pragma_table_info)\b/, "a few"],
  [/ FROM (found_key|pack|upload|map|deleted_key)\b/, "one for each upload, or for each map"],
  [/^SELECT (body|1) FROM release\b/, "one for each release with uploads"],
];

const [A, B, C] = ["7F3K-Q2M9", "0000-0000", "0000-0001"] as const;
const TRACE_ID = "e44a7a5c16cd43dd8448eb211c80319c";
const QUERIES = [
  ...["", "price", "is:open tag.tenant:acme", "release:1.4 env:prod", "is:unassigned kind:error"],
  ...["release:1*,2", "users:>10", "count:<5 last:<1h", "first:>2026-11-20 -typeerror"],
  ...["-release:1.4", "url:x is:new", "cart is:regressed", "is:snoozed is:noise trust:public"],
];

let recorder: StatementRecorder;

beforeEach(async () => {
  recorder = await recordStatements();
});

afterEach(() => {
  vi.restoreAllMocks();
  return emptyStore();
});

async function report(): Promise<void> {
  const inBrowser = { digest: C, trust: "public", side: "browser" } as const;
  await log.append([
    createReport(1, { aliases: ["2338823894"], release: "1.4.0", tags: [["tenant", "acme"]] }),
    createReport(2, { digest: B, message: "another message", environment: "production" }),
    createReport(3, { ...inBrowser, aliases: ["2338823894"] }),
    createReport(4, { ...inBrowser, traceId: TRACE_ID }),
    createReport(5, { digest: C, format: "render", traceId: TRACE_ID }),
  ]);
  await projectStore.listNewestIssues();
  await uploadChunk();
  await runDurableObjectAlarm(getIndex());
}

async function read(): Promise<void> {
  for (const sort of ISSUE_SORTS) {
    for (const text of QUERIES) {
      const query = parseIssueQuery(text, sort);
      const { next } = await projectStore.listIssues(query);
      if (next !== undefined) await projectStore.listIssues(query, next);
      await projectStore.listFacets(query);
      await projectStore.listValues({ query, key: "release", text: "1" });
    }
  }
  await projectStore.searchIssues("price cart");
  await projectStore.findIssuesByAlias("2338823894");
  await projectStore.listReleases();
  await projectStore.listCounters(30);
  await projectStore.getFreshIssue(A);
  for (const n of [1, 99]) await projectStore.locateReport(toReportId(n));
  await projectStore.getCurrentIssue(A);
  await projectStore.listLiveEvents();
  const [beforeMs, fromMs] = [NOW_MS - 172_800_000, NOW_MS - 86_400_000];
  await getIndex().readPeriod({ beforeMs, fromMs, toMs: NOW_MS + 86_400_000 });
  await getIndex().getHealth();
  await getShard().getHealth();
}

async function triage(): Promise<void> {
  await projectStore.decide(A, { state: "resolved", release: "1.4.0" });
  await log.append([createReport(7, { release: "1.5.0" })]);
  await projectStore.annotate(A, { change: "comment", id: "1", text: "x" });
  await projectStore.annotate(A, { change: "assign", to: "ada" });
  await projectStore.annotate(A, { change: "merge", from: [B] });
  await projectStore.annotate(A, { change: "split", digest: B });
}

/** The scans of tables that grow, other than those that are allowed. */
function listScans(allowed: readonly (readonly [RegExp, string])[]) {
  return (
    recorder
      .listScans()
      // The rows of an INSERT are no table.
      .filter(({ scan }) => !scan.endsWith("VALUES CLAUSE"))
      .filter(({ scan }) => !SMALL_TABLES.has(scan.split(" ")[1] ?? ""))
      .filter(({ sql }) => !allowed.some(([pattern]) => pattern.test(sql)))
  );
}

it("no statement of a report, a page or an alarm scans a table that grows", async () => {
  await report();
  await read();
  await triage();
  await abortAllDurableObjects();
  await read();
  await runDurableObjectAlarm(getIndex());
  await runDurableObjectAlarm(getShard());
  expect(listScans(ALLOWED)).toEqual([]);
});

it("a job over the whole project scans tables in parts", async () => {
  await report();
  await triage();
  await admin.eraseReport(toReportId(1));
  await admin.eraseMatching("acme");
  await finishJobs();
  await admin.eraseIssue(C);
  await finishJobs();
  await admin.rebuildIndex();
  await finishJobs();
  await admin.eraseProject();
  await finishJobs();
  const inParts = [/ LIMIT \?\)?$/, "takes a part"] as const;
  expect(listScans([...ALLOWED, ...OF_SOURCE_MAPS, inParts])).toEqual([]);
});
