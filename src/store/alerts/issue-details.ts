/**
 * Reads the details of issues for messages: the newest report with its stack in the original
 * source, and the deploy of the first release. A message waits for each of them at most a second,
 * and is sent without those that are missing.
 */
import { type AlertedFacts, findReport } from "../../core/alerts/alerted-facts.ts";
import { describeReport, type IssueDetails } from "../../core/alerts/describe-report.ts";
import { getDeployMs } from "../../core/artifacts/deploy-moments.ts";
import type { ReleaseFacts } from "../../core/ports/source-maps-port.ts";
import { type Digest, isJavaScript, type Report } from "../../core/report.ts";
import { createResolveRequest } from "../../core/symbolication/report/resolve-request.ts";
import type { SourceMapsApi } from "../objects.ts";
import { withTimeout } from "../with-timeout.ts";

const TIMEOUT_MS = 1_000;

interface DetailsDeps {
  /** The line of a report in its log; null if it is no longer there. */
  readonly readReport: (position: string) => Promise<Report | null>;
  readonly sourceMaps: Pick<SourceMapsApi, "resolveStacks" | "listReleaseFacts">;
}

/** The details of these issues. Never rejects; an issue without details is missing. */
export async function readIssueDetails(
  issues: readonly AlertedFacts[],
  deps: DetailsDeps,
): Promise<ReadonlyMap<Digest, IssueDetails>> {
  const [deploys, reports] = await Promise.all([
    readDeploys(issues, deps),
    Promise.all(issues.map((issue) => readReportDetails(issue, deps))),
  ]);
  return new Map(
    issues.map((issue, n) => [
      issue.digest,
      { ...reports[n], deployedMs: findDeployMs(issue, deploys) },
    ]),
  );
}

async function readReportDetails(issue: AlertedFacts, deps: DetailsDeps): Promise<IssueDetails> {
  const summary = findReport(issue);
  if (summary === undefined) return {};
  const report = await orNull(deps.readReport(summary.position));
  if (report === null) return {};
  const request = createResolveRequest(report);
  // Only scripts have maps.
  if (request === null || !isJavaScript(report.platform)) return describeReport(report);
  const { stacks, ...others } = request;
  const stack = stacks[0] ?? [];
  const answers = await orNull(deps.sourceMaps.resolveStacks({ ...others, stacks: [stack] }));
  return describeReport(report, answers?.[0]);
}

async function readDeploys(
  issues: readonly AlertedFacts[],
  deps: DetailsDeps,
): Promise<readonly ReleaseFacts[]> {
  const releases = [...new Set(issues.flatMap(({ firstRelease }) => firstRelease ?? []))];
  if (releases.length === 0) return [];
  return (await orNull(deps.sourceMaps.listReleaseFacts(releases))) ?? [];
}

/** The last deploy before the issue was first seen, in its environment if there is one. */
function findDeployMs(
  { firstRelease, environment, firstSeenMs }: AlertedFacts,
  facts: readonly ReleaseFacts[],
): number | undefined {
  const release = facts.find(({ version }) => version === firstRelease);
  if (release === undefined) return undefined;
  const ofEnvironment = release.deploys.filter((deploy) => deploy.environment === environment);
  const deploys = ofEnvironment.length > 0 ? ofEnvironment : release.deploys;
  const times = deploys.map(getDeployMs).filter((atMs) => atMs !== undefined);
  const before = times.filter((atMs) => atMs <= firstSeenMs);
  if (before.length > 0) return Math.max(...before);
  return times.length === 0 ? release.releasedMs : undefined;
}

async function orNull<T>(pending: Promise<T>): Promise<T | null> {
  try {
    return await withTimeout(pending, TIMEOUT_MS);
  } catch {
    return null;
  }
}
