/** Two projects of one Errata, for what is exported from the first and imported into the second. */
import { runDurableObjectAlarm } from "cloudflare:test";
import type { Issue } from "#src/core/issue/issue.ts";
import type { ExportOptions } from "#src/core/ports/storage-ports.ts";
import type { ReportSummary } from "#src/core/report/report-summary.ts";
import type { DailyCounter } from "#src/core/stats/counters.ts";
import type { Services } from "#src/http/context.ts";
import type { ProjectAdmin } from "#src/store/client/project-admin.ts";
import { createProjectAdmin } from "#src/store/client/project-admin.ts";
import type { ProjectStore } from "#src/store/client/project-store.ts";
import { createProjectStore } from "#src/store/client/project-store.ts";
import { createReportWriter } from "#src/store/client/report-writer.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { visit } from "#support/http/visit.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "./empty-store.ts";
import { bindings, getIndex, log, NOW_MS, projectStore, uploadChunk } from "./store.ts";

/** The second project: empty, with two shards. */
export const otherSettings = {
  project: "2",
  shards: 2,
  nowMs: () => NOW_MS,
  drainSpool: async () => 0,
};

export const otherStore = createProjectStore(bindings, otherSettings);
export const otherLog = createReportWriter(bindings, otherSettings);
export const otherAdmin = createProjectAdmin(bindings, otherSettings);

/** The issue with a storm of reports. */
export const STORM = "7F3K-Q2M9";

const DIGESTS = [STORM, "0000-0000", "0000-008Q", "0000-00G1", "0000-00RP"] as const;

/** An attachment of a report of `STORM`. */
export const FILE = { name: "screen.png", type: "image/png", bytes: 3, base64: "AQID" };

/**
 * Fills the first project: a storm, sessions, a browser report linked to an issue, feedback, and
 * decisions. Some reports are uploaded to KV.
 */
export async function fillProject(): Promise<void> {
  const storm = Array.from({ length: 60 }, (_, n) => createReport(n + 1, { userSketch: "a71" }));
  await log.append(storm, [[["session", "server", "web@2.0.0", "production", "crashed"], 3]]);
  await log.append([createReport(100, { digest: "0000-0000", aliases: ["2338823894"] })]);
  await uploadChunk();
  await log.append([
    createReport(101, { digest: "0000-00G1", aliases: ["2338823894"], side: "browser" }),
    createReport(102, { digest: "0000-008Q", release: "1.4.0", message: "naïve — \u2028 text" }),
    createReport(104, {
      digest: STORM,
      isLinked: true,
      kind: "feedback",
      attachments: [FILE],
      detail: { name: "Ada", contact_email: "ada@example.com" },
    }),
    createReport(105, { digest: "0000-00RP", message: "to be erased" }),
    createReport(106, { digest: "0000-00RP", occurredAtMs: readNowMs() + 60_000 }),
  ]);
  await projectStore.decide("0000-008Q", { state: "resolved", release: "1.4.0" });
  await log.append([
    createReport(103, {
      digest: "0000-008Q",
      release: "1.5.0",
      occurredAtMs: readNowMs() + 60_000,
    }),
  ]);
  await projectStore.decide(STORM, { state: "archived" });
  await projectStore.decide("0000-0000", { state: "snoozed", forCount: 1 });
  // Reports received before the decision do not regress the issue, whatever the sender's clock.
  await projectStore.decide("0000-00RP", { state: "resolved" });
  await getIndex().eraseReport(toReportId(105));
  await projectStore.annotate(STORM, {
    change: "comment",
    id: toReportId(7),
    text: "since Monday",
  });
  await projectStore.annotate(STORM, { change: "assign", to: "Ada" });
  await projectStore.annotate("0000-008Q", { change: "merge", from: ["0000-00RP"] });
  await projectStore.saveView("Mine", { query: "assigned:ada", sort: "count" });
}

/** The contents of a project without log positions and times of reading. */
export async function readContents(project: ProjectStore) {
  const issues = await Promise.all(DIGESTS.map((digest) => project.getFreshIssue(digest)));
  const bodies = issues
    .flatMap((issue) => issue?.latestReports ?? [])
    .map((it) => project.readReport(it));
  return {
    issues: issues.map((issue) => issue && omitPositions(issue)),
    bodies: await Promise.all(bodies),
    linkedDigests: await project.findIssuesByAlias("2338823894"),
    annotations: await Promise.all(DIGESTS.map((digest) => project.getAnnotations(digest))),
    views: await project.listViews(),
    found: [...(await project.searchIssues("price cart missing"))].sort(),
    counters: countByName(await project.listCounters(7)),
  };
}

/** Summed over all days. Erased reports count as reports without a body. */
function countByName(counters: readonly DailyCounter[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { name, count } of counters) {
    const outcome = name
      .join(" ")
      .replace(/^(accepted|counted)/, "taken")
      .trim();
    counts[outcome] = (counts[outcome] ?? 0) + count;
  }
  return counts;
}

function omitPositions({ asOfMs: _asOf, watermarks: _upTo, latestReports, ...issue }: Issue) {
  return {
    ...issue,
    latest: latestReports.map(({ position: _position, ...mark }: ReportSummary) => mark),
  };
}

/** The export of the first project, or of a part of it. */
export async function readExport(path = "/export"): Promise<string> {
  return (await visit(path)).body;
}

/** The text of the export of a project, or of one part of it. */
export async function readAll(project: ProjectAdmin, options: ExportOptions = {}): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of project.readExport(options)) {
    text += decoder.decode(piece, { stream: true });
  }
  return text;
}

/**
 * Sends a body to the import of the second project. Resolves to the status and the JSON of the
 * response.
 */
export async function sendImport(
  body: BodyInit,
  headers: Record<string, string> = {},
  services: Partial<Services> = { projectAdmin: otherAdmin },
) {
  // The registry knows one project: to it, the other's export is its own.
  const visited = await visit("/import?own=1", { method: "POST", body, headers, services });
  return { status: visited.response.status, ...(JSON.parse(visited.body) as object) };
}

/** The lines of a text that are not empty. */
export function splitLines(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** Empties the store, after the writes of both projects. */
export async function emptyBothProjects(): Promise<void> {
  // A pending snapshot write would be recorded in the next test.
  for (const shard of ["1/0", "2/0", "2/1"]) {
    await runDurableObjectAlarm(bindings.REPORT_LOG.getByName(shard));
  }
  await bindings.PROJECT_INDEX.getByName("2").waitUntilIdle();
  await emptyStore();
}
