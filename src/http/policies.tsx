/** `/policies`: what policies blocked and what browsers reported by themselves, and a policy tried against it. */
import type { IssueSummary } from "../core/issue.ts";
import {
  type PolicyFailure,
  type ReadPolicies,
  readPolicies,
  writePolicy,
} from "../core/policy/read-policies.ts";
import { tryPolicies } from "../core/policy/trial.ts";
import type { Desk } from "../core/ports.ts";
import type { Result } from "../core/result.ts";
import { Layout } from "../ui/layout.tsx";
import { PoliciesPage } from "../ui/pages/policies-page.tsx";
import type { TriedOut } from "../ui/policies/trial-result.tsx";
import { failureResponse } from "./failures.ts";
import { readsJson } from "./fields.ts";
import { listFields } from "./issue-json.ts";
import { optional, sendPage } from "./page.tsx";
import { readTried, trialUrl } from "./policy-fields.ts";
import { isSameOrigin } from "./same-origin.ts";
import type { AppContext } from "./services.ts";
import { answerOrUnavailable } from "./unless-away.ts";
import { onPages, policyInForce, queryOf, violationsIn } from "./violations.ts";

/** Where one begins who has no policy yet. */
const START = "default-src 'self'";

/**
 * The page; with `?policy=…` or a form's `policy` it is tried. A form that fits into an address is answered by 303 to it. A text
 * that is no policy: the page with a sentence, status 400. JSON: what was blocked, and with a policy what would become of each;
 * 400 for no policy, 503 while the index is away. 403 for a form of another site.
 */
export async function policies(c: AppContext): Promise<Response> {
  const isForm = c.req.method === "POST";
  if (isForm && !isSameOrigin(c.req.raw)) return failureResponse({ reason: "cross-site" });
  const tried = await readTried(c);
  if (!tried.ok) return failureResponse(tried);
  const text = tried.value;
  const policy = text === undefined ? undefined : readPolicies(text.trim() === "" ? START : text);
  if (readsJson(c)) return policiesJson(c, policy);
  const url = text === undefined ? undefined : trialUrl(text);
  if (isForm && policy?.ok && url !== undefined) return c.redirect(url, 303);
  return policiesPage(c, text, policy);
}

type Read = Result<ReadPolicies, PolicyFailure>;

function policiesPage(
  c: AppContext,
  text: string | undefined,
  policy: Read | undefined,
): Promise<Response> {
  const { desk, nowMs } = c.get("services");
  const violations = violationsIn(desk);
  const trial =
    policy?.ok === true
      ? violations.then(({ issues }) => tryOn(desk, policy.value, issues))
      : undefined;
  return sendPage(c, {
    title: "Policies",
    route: "/policies",
    ...(policy?.ok === false && { status: 400 }),
    content: (
      <Layout current="policies" deskOpen>
        <PoliciesPage
          text={text}
          start={START}
          mistake={policy?.ok === false ? policy.expected : undefined}
          inForce={text === undefined ? optional(inForceWithUrl(desk)) : undefined}
          violations={optional(violations)}
          trial={trial && optional(trial)}
          noise={optional(desk.list(queryOf("csp", true)))}
          browser={optional(desk.list(queryOf("browser")))}
          network={optional(desk.list(queryOf("network")))}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  });
}

async function inForceWithUrl(desk: Desk): Promise<{ policy: string; url: string } | undefined> {
  const policy = await policyInForce(desk);
  const url = policy === undefined ? undefined : trialUrl(policy);
  return policy === undefined || url === undefined ? undefined : { policy, url };
}

async function tryOn(
  desk: Desk,
  { policies: read, remarks, unsaid }: ReadPolicies,
  issues: readonly IssueSummary[],
): Promise<TriedOut> {
  const { violations, origins } = await onPages(desk, issues);
  return { ...tryPolicies(read, violations), remarks, unsaid, origins };
}

async function policiesJson(c: AppContext, policy: Read | undefined): Promise<Response> {
  const { desk, nowMs } = c.get("services");
  if (policy?.ok === false) return failureResponse(policy);
  return answerOrUnavailable(c, async () => {
    const { issues, total } = await violationsIn(desk);
    const trial = policy && (await tryOn(desk, policy.value, issues));
    const listed = listFields({ v: 1, issues, total, asOfMs: nowMs() }, nowMs());
    return { ...listed, ...(trial && { trial: trialJson(trial) }) };
  });
}

function trialJson({ verdicts, counts, extended, remarks, origins }: TriedOut) {
  return {
    counts,
    verdicts: Object.fromEntries(verdicts),
    clean: extended.policies.map(writePolicy),
    additions: extended.additions,
    left: extended.left.map(({ violation, need }) => ({ digest: violation.digest, need })),
    remarks,
    origins,
  };
}
