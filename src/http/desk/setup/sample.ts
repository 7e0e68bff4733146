/**
 * Sample data: `POST /sample` sends the reports of a fictional shop through ingest; `POST
 * /sample/remove` erases its issues and sessions. Forms or JSON.
 */
import type { Issue } from "../../../core/issue/issue.ts";
import { parseIssueQuery } from "../../../core/issue/issue-query.ts";
import { SAMPLE_ENVIRONMENT } from "../../../core/report/sample-environment.ts";
import type { Digest } from "../../../core/report.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import type { SamplePayload } from "../../../core/sample/sample-payload.ts";
import type { SampleError } from "../../../core/sample/sample-shop.ts";
import {
  createSamplePayloads,
  createSampleRegression,
  SAMPLE_DECISIONS,
  SAMPLE_ERRORS_PATH,
} from "../../../core/sample/scenario.ts";
import { parseBody, toIngestBody } from "../../../ingest/parse-body.ts";
import {
  admitAll,
  listAboutEvents,
  processItems,
  storeItems,
} from "../../../ingest/process-items.ts";
import type { ProjectStore } from "../../../store/client/project-store.ts";
import type { SampleStatus } from "../../../ui/setup/sample-data.tsx";
import type { AppContext, Services } from "../../context.ts";
import type { Failure } from "../../failures.ts";
import { respondToAction } from "../../forms/respond.ts";
import { findIssuesOfEvents } from "../../ingest/issue-of-event.ts";

/**
 * Loads the sample unless it exists. Redirects to the list; JSON: `{"sample":<issues>}`. The data
 * are durable by then. 503 while the log or the index is unavailable; a partial sample can be
 * removed. Otherwise see `respondToAction`.
 */
export function loadSample(c: AppContext): Promise<Response> {
  const services = c.get("services");
  return respondToAction(c, async () => {
    const existingCount = await countSampleIssues(services.projectStore);
    const loaded = existingCount > 0 ? ok(existingCount) : await ingestSample(services);
    if (!loaded.ok) return loaded;
    const { value: sample } = loaded;
    return ok({
      body: { sample },
      redirectTo: "/issues",
      flash: { kind: "sample-loaded", count: sample },
    });
  });
}

/**
 * Starts to erase the sample's sessions and every issue that only the sample reported. Redirects to
 * the page with its form; JSON: `{"sample":<remaining issues>}`. Otherwise see `respondToAction`.
 */
export function removeSample(c: AppContext): Promise<Response> {
  const { projectStore, projectAdmin } = c.get("services");
  return respondToAction(c, async () => {
    const digests = await listSampleDigests(projectStore);
    // Runs first: while issues are left, the sample can be neither loaded again nor lost.
    if (digests.length > 0) await projectAdmin.eraseSessions(SAMPLE_ENVIRONMENT);
    for (const digest of digests) {
      const issue = await projectStore.getFreshIssue(digest);
      if (issue !== null && isOnlySample(issue)) await projectAdmin.eraseIssue(digest);
    }
    return ok({
      body: { sample: await countSampleIssues(projectStore) },
      redirectTo: "/connect#sample",
    });
  });
}

const SAMPLE_QUERIES = ["", " is:noise"].map((more) =>
  parseIssueQuery(`env:"${SAMPLE_ENVIRONMENT}"${more}`),
);

async function countSampleIssues(projectStore: ProjectStore): Promise<number> {
  const pages = await Promise.all(SAMPLE_QUERIES.map((query) => projectStore.listIssues(query)));
  return pages.reduce((sum, { total }) => sum + total, 0);
}

/**
 * The sample's status; it is being removed while any issue is being erased. Rejects while the index
 * is unavailable.
 */
export async function getSampleStatus(projectStore: ProjectStore): Promise<SampleStatus> {
  const issues = await countSampleIssues(projectStore);
  if (issues === 0) return { issueCount: issues, isBeingRemoved: false };
  const { work } = await projectStore.getHealth();
  const isBeingRemoved = work?.job === "erase-issue" || work?.job === "erase-sessions";
  return { issueCount: issues, isBeingRemoved };
}

async function listSampleDigests(projectStore: ProjectStore): Promise<readonly Digest[]> {
  const digests: Digest[] = [];
  for (const query of SAMPLE_QUERIES) {
    let page = await projectStore.listIssues(query);
    digests.push(...page.issues.map(({ digest }) => digest));
    while (page.next !== undefined) {
      page = await projectStore.listIssues(query, page.next);
      digests.push(...page.issues.map(({ digest }) => digest));
    }
  }
  return digests;
}

/** Any report may name this environment. An issue with another environment is not the sample's. */
function isOnlySample({ environments, count }: Issue): boolean {
  const inSample = environments?.values.find(([name]) => name === SAMPLE_ENVIRONMENT)?.[1] ?? 0;
  return inSample === count;
}

/** Ingests the sample and returns the number of its issues. */
async function ingestSample(services: Services): Promise<Result<number, Failure>> {
  const { projectStore, newId, nowMs, readFile } = services;
  const seed = newId();
  const errors = await (await readFile(SAMPLE_ERRORS_PATH))?.json<readonly SampleError[]>();
  if (errors === undefined) return fail({ reason: "log-unavailable" });
  const digests = new Map<string, Digest>();
  for (const body of createSamplePayloads(errors, nowMs(), seed)) {
    const result = await ingestPayload(services, seed, body);
    if (!result.ok) return result;
    for (const [nth, outcome] of result.value.outcomes.entries()) {
      const errorName = body.errorNames[nth] ?? "";
      if ("digest" in outcome && outcome.digest !== undefined && !digests.has(errorName))
        digests.set(errorName, outcome.digest);
    }
  }
  for (const { errorName, input } of SAMPLE_DECISIONS) {
    const digest = digests.get(errorName);
    if (digest !== undefined) await projectStore.decide(digest, input);
  }
  const reopening = await ingestPayload(
    services,
    seed,
    createSampleRegression(errors, nowMs(), seed),
  );
  return reopening.ok ? ok(await countSampleIssues(projectStore)) : reopening;
}

async function ingestPayload(
  { reportWriter, projectStore, nowMs, newId, sha256, config }: Services,
  sender: string,
  { text, defaults }: SamplePayload,
) {
  const options = {
    nowMs: nowMs(),
    newId,
    sha256,
    scrub: config.scrub,
    trust: "server",
    sender,
  } as const;
  const body = toIngestBody(new TextEncoder().encode(text));
  const parsed = parseBody(body, { nowMs: options.nowMs, defaults });
  if (!parsed.ok) return parsed;
  const { items } = parsed.value;
  const digests = await findIssuesOfEvents(projectStore, listAboutEvents(items));
  return storeItems(processItems(admitAll(items), options, digests), reportWriter);
}
