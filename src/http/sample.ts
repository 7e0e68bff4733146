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
import { answerChange } from "./change.ts";
import type { Failure } from "./failures.ts";
import type { AppContext, Services } from "./services.ts";

/**
 * Loads it where it is not there. Leads to the list; JSON: `{"sample":<issues>}`. It is durable when this is answered. 503 while
 * the log or the index is away; then what was loaded may be removed. Otherwise as `answerChange` says.
 */
export function loadSample(c: AppContext): Promise<Response> {
  const services = c.get("services");
  return answerChange(c, async () => {
    const there = await sampleIssues(services.desk);
    const loaded = there > 0 ? ok(there) : await load(services);
    if (!loaded.ok) return loaded;
    const { value: sample } = loaded;
    return ok({
      said: { sample },
      leadsTo: "/issues",
      done: { did: "loaded", count: sample },
    });
  });
}

/**
 * Begins to erase every issue that nothing but the sample has reported. Leads to the page with its form; JSON:
 * `{"sample":<issues that are left>}`. Otherwise as `answerChange` says.
 */
export function removeSample(c: AppContext): Promise<Response> {
  const { desk, keeping } = c.get("services");
  return answerChange(c, async () => {
    for (const digest of await sampleDigests(desk)) {
      const issue = await desk.issueNow(digest);
      if (issue !== null && isSampleAlone(issue)) await keeping.eraseIssue(digest);
    }
    return ok({ said: { sample: await sampleIssues(desk) }, leadsTo: "/connect#sample" });
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

/** How many issues it made. */
async function load(services: Services): Promise<Result<number, Failure>> {
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
  return back.ok ? ok(await sampleIssues(desk)) : back;
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
