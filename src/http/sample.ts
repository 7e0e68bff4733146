/**
 * Sample data: `POST /sample` loads a made-up shop's reports, by the way that all reports take; `POST /sample/remove` erases
 * its issues again. Plain forms or JSON; only Errata's own pages may send them.
 */
import type { Issue } from "../core/issue.ts";
import { readQuery } from "../core/issue-query.ts";
import type { Desk } from "../core/ports.ts";
import type { Digest } from "../core/report.ts";
import { ok, type Result } from "../core/result.ts";
import type { SampleBody } from "../core/sample/body.ts";
import { SAMPLE_ENVIRONMENT } from "../core/sample/events.ts";
import { SAMPLE_DECISIONS, sampleBodies, sampleReturn } from "../core/sample/story.ts";
import { ingest } from "../ingest.ts";
import type { SampleStanding } from "../ui/connect/sample.tsx";
import { issueAbout } from "./about.ts";
import { type Failure, failureResponse } from "./failures.ts";
import { readsJson } from "./fields.ts";
import { isSameOrigin } from "./same-origin.ts";
import type { AppContext, Services } from "./services.ts";

/**
 * Loads it where it is not there: 303 to the list; JSON: `{"sample":<issues>}`. It is durable when this is answered. 403 for
 * what another site sent, 503 while the log or the index is away; then what was loaded may be removed.
 */
export function loadSample(c: AppContext): Promise<Response> {
  return answer(c, "/issues", async (services) => {
    if ((await sampleIssues(services.desk)) > 0) return ok(null);
    return load(services);
  });
}

/**
 * Begins to erase every issue that nothing but the sample has reported: 303 to the page with its form; JSON:
 * `{"sample":<issues that are left>}`. 403 and 503 as above.
 */
export function removeSample(c: AppContext): Promise<Response> {
  return answer(c, "/connect#sample", async ({ desk, keeping }) => {
    for (const digest of await sampleDigests(desk)) {
      const issue = await desk.issueNow(digest);
      if (issue !== null && isSampleAlone(issue)) await keeping.eraseIssue(digest);
    }
    return ok(null);
  });
}

const QUERIES = ["", " is:noise"].map((more) => readQuery(`env:"${SAMPLE_ENVIRONMENT}"${more}`));

async function sampleIssues(desk: Desk): Promise<number> {
  const pages = await Promise.all(QUERIES.map((query) => desk.list(query)));
  return pages.reduce((sum, { total }) => sum + total, 0);
}

/** How it stands: it is going while any issue is being erased. Rejects while the index is away. */
export async function sampleStanding(desk: Desk): Promise<SampleStanding> {
  const issues = await sampleIssues(desk);
  if (issues === 0) return { issues, isGoing: false };
  const { work } = await desk.health();
  return { issues, isGoing: work?.task === "erase-issue" };
}

async function sampleDigests(desk: Desk): Promise<readonly Digest[]> {
  const digests: Digest[] = [];
  for (const query of QUERIES) {
    let page = await desk.list(query);
    digests.push(...page.issues.map(({ digest }) => digest));
    while (page.next !== undefined) {
      page = await desk.list(query, page.next);
      digests.push(...page.issues.map(({ digest }) => digest));
    }
  }
  return digests;
}

/** Anybody may name an environment: an issue that has been met in another one is not the sample's. */
function isSampleAlone({ environments, count }: Issue): boolean {
  const inSample = environments?.values.find(([name]) => name === SAMPLE_ENVIRONMENT)?.[1] ?? 0;
  return inSample === count;
}

async function load(services: Services): Promise<Result<null, Failure>> {
  const { desk, mintId, nowMs } = services;
  const seed = mintId();
  const digests = new Map<string, Digest>();
  for (const body of sampleBodies(nowMs(), seed)) {
    const taken = await take(services, seed, body);
    if (!taken.ok) return taken;
    for (const [nth, outcome] of taken.value.outcomes.entries()) {
      const fault = body.faults[nth] ?? "";
      if ("digest" in outcome && outcome.digest !== undefined && !digests.has(fault))
        digests.set(fault, outcome.digest);
    }
  }
  for (const { fault, choice } of SAMPLE_DECISIONS) {
    const digest = digests.get(fault);
    if (digest !== undefined) await desk.decide(digest, choice);
  }
  const back = await take(services, seed, sampleReturn(nowMs(), seed));
  return back.ok ? ok(null) : back;
}

function take(
  { log, desk, nowMs, mintId, sha256, config }: Services,
  sender: string,
  body: SampleBody,
) {
  return ingest(new TextEncoder().encode(body.text), {
    log,
    nowMs: nowMs(),
    mintId,
    sha256,
    scrub: config.scrub,
    digestOf: (id) => issueAbout(desk, id),
    said: body.said,
    keyed: true,
    sender,
  });
}

async function answer(
  c: AppContext,
  leadsTo: string,
  act: (services: Services) => Promise<Result<null, Failure>>,
): Promise<Response> {
  const services = c.get("services");
  if (!isSameOrigin(c.req.raw)) return failureResponse({ reason: "cross-site" });
  try {
    const done = await act(services);
    if (!done.ok) return failureResponse(done);
    return readsJson(c)
      ? c.json({ sample: await sampleIssues(services.desk) })
      : c.redirect(leadsTo, 303);
  } catch (cause) {
    services.logProblem(cause);
    return failureResponse({ reason: "index-unavailable" });
  }
}
