/** The scripts in the stacks of a release, and which of them have a source map. */
import { limits } from "../../core/limits.ts";
import type { ScriptCoverage } from "../../core/ports/source-maps-port.ts";
import type { Report } from "../../core/report.ts";
import { looksBuilt } from "../../core/symbolication/report/explain-frame.ts";
import type { ReleaseSection } from "../../ui/releases/issue-section.tsx";
import type { Services } from "../context.ts";

/**
 * The scripts in the newest stacks of the most frequent issues of the release; empty if its stacks
 * name no built script. Rejects while the index or the object with the maps is unavailable.
 */
export async function loadScriptCoverage(
  { projectStore, sourceMaps }: Pick<Services, "projectStore" | "sourceMaps">,
  release: string,
  sections: readonly ReleaseSection[],
): Promise<readonly ScriptCoverage[]> {
  const pages = await Promise.all(sections.map(({ page }) => page));
  const listed = pages.flatMap(({ issues }) => issues).filter(({ kind }) => kind === "error");
  const counts = new Map(listed.map(({ digest, count }) => [digest, count]));
  const digests = [...counts].sort(([, a], [, b]) => b - a).map(([digest]) => digest);
  const issues = await Promise.all(
    digests.slice(0, limits.maxCoverageIssues).map((digest) => projectStore.getIssue(digest)),
  );
  const newest = issues.flatMap(
    (issue) => issue?.latestReports.find((report) => report.release === release) ?? [],
  );
  const reports = await projectStore.readReports(newest);
  const files = listScripts(reports.filter((report) => report !== null));
  return files.length === 0 ? [] : sourceMaps.getCoverage(release, files);
}

function listScripts(reports: readonly Report[]): readonly string[] {
  const frames = reports.flatMap((report) => [
    ...report.frames,
    ...(report.causes ?? []).flatMap((cause) => cause.frames),
  ]);
  const files = frames.filter(looksBuilt).flatMap(({ file }) => file ?? []);
  return [...new Set(files)].slice(0, limits.maxCoverageScripts);
}
