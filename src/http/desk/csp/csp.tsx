/** `/csp`: CSP violations, other browser reports, and dry runs of policies. */
import { serializePolicy } from "../../../core/csp/parse-policies.ts";
import { ok, type Result } from "../../../core/result.ts";
import { createKindQuery } from "../../../operations/csp-violations.ts";
import { selectIssues } from "../../../operations/issue-output.ts";
import type { OperationFailure } from "../../../operations/operation.ts";
import { DEFAULT_POLICY, listPolicies, tryPolicy } from "../../../operations/policies.ts";
import { CspPage } from "../../../ui/csp/csp-page.tsx";
import type { PolicyDryRun } from "../../../ui/csp/dry-run-result.tsx";
import { Layout } from "../../../ui/layout/layout.tsx";
import { toDryRunUrl } from "../../../ui/urls/csp-urls.ts";
import type { AppContext } from "../../context.ts";
import { toFailureResponse } from "../../failure-response.ts";
import type { FormBodyFailure } from "../../failures.ts";
import { isSameOrigin } from "../../forms/csrf.ts";
import {
  expected,
  type FormFields,
  isJsonClient,
  type Parsed,
  readForm,
} from "../../forms/form-body.ts";
import { toCall, toFailure } from "../../operation-call.ts";
import { toProjectUrl } from "../../project-url.ts";
import { ignoreRejection, sendPage } from "../../send-page.tsx";
import { respondOrUnavailable } from "../../unavailable.ts";
import { describeKeys } from "../setup/project-keys.ts";

/**
 * Serves the page; `?policy=…` or the form's `policy` starts a dry run. A form that fits into a URL
 * redirects to it with 303. An invalid policy: the page with an error, status 400. JSON: the
 * violations, and with a policy the verdict on each; 400 for an invalid policy, 503 while the index
 * is unavailable. 403 for a form of another site.
 */
export async function serveCsp(c: AppContext): Promise<Response> {
  const isPost = c.req.method === "POST";
  if (isPost && !isSameOrigin(c.req.raw)) return toFailureResponse({ reason: "cross-site" });
  const candidate = await readCandidatePolicy(c);
  if (!candidate.ok) return toFailureResponse(candidate);
  const text = candidate.value;
  const url = text === undefined ? undefined : toDryRunUrl(text);
  const trial = text === undefined ? undefined : await tryPolicy.load({ policy: text }, toCall(c));
  if (isJsonClient(c)) return respondWithJson(c, trial);
  if (isPost && trial?.ok && url !== undefined) return c.redirect(url, 303);
  return sendCspPage(c, text, trial);
}

/** `/policies`, the word of the menu: redirects to the page. */
export function redirectToPolicies(c: AppContext): Response {
  return c.redirect(toProjectUrl(c, "/csp"), 301);
}

/** What `tryPolicy` loads. */
type Trial = Extract<Awaited<ReturnType<typeof tryPolicy.load>>, { ok: true }>["value"];
type TrialResult = Result<Trial, OperationFailure>;

/** What the text should be; undefined if it is a policy. */
function describeRefusal(trial: TrialResult | undefined): string | undefined {
  if (trial === undefined || trial.ok) return undefined;
  const failure = toFailure(trial, "bad-form");
  return "expected" in failure ? failure.expected : failure.reason;
}

async function sendCspPage(
  c: AppContext,
  text: string | undefined,
  trial: TrialResult | undefined,
): Promise<Response> {
  const { projectStore, nowMs } = c.get("services");
  const error = describeRefusal(trial);
  const listed = await listPolicies.load({}, toCall(c));
  if (!listed.ok) return toFailureResponse(toFailure(listed, "bad-form"));
  const { findCurrentPolicy } = listed.value;
  const run = trial?.ok === true ? trial.value.start() : undefined;
  const violations = run?.violations ?? listed.value.loadViolations();
  return sendPage(c, {
    title: "Policies",
    route: "/csp",
    ...(error !== undefined && { status: 400 }),
    content: (
      <Layout current="csp" isSignedIn scoped="policies">
        <CspPage
          text={text}
          placeholder={DEFAULT_POLICY}
          address={describeKeys(c).then(({ address }) => address)}
          error={error}
          currentPolicy={
            text === undefined ? ignoreRejection(findCurrentPolicy().then(withUrl)) : undefined
          }
          violations={ignoreRejection(violations)}
          dryRun={run && ignoreRejection(run.dryRun)}
          noise={ignoreRejection(projectStore.listIssues(createKindQuery("csp", true)))}
          browserReports={ignoreRejection(projectStore.listIssues(createKindQuery("browser")))}
          networkReports={ignoreRejection(projectStore.listIssues(createKindQuery("network")))}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  });
}

function withUrl(policy: string | undefined): { policy: string; url: string } | undefined {
  const url = policy === undefined ? undefined : toDryRunUrl(policy);
  return policy === undefined || url === undefined ? undefined : { policy, url };
}

async function respondWithJson(c: AppContext, trial: TrialResult | undefined): Promise<Response> {
  const expectedPolicy = describeRefusal(trial);
  if (expectedPolicy !== undefined)
    return toFailureResponse({ reason: "bad-policy", expected: expectedPolicy });
  return respondOrUnavailable(c, async () => {
    const run = trial?.ok === true ? trial.value.start() : undefined;
    const listed = await listPolicies.load({}, toCall(c));
    if (!listed.ok) return toFailureResponse(toFailure(listed, "bad-form"));
    const violations = await (run?.violations ?? listed.value.loadViolations());
    const asOfMs = c.get("services").nowMs();
    const issues = selectIssues(violations.issues, asOfMs);
    const dryRun = run && toDryRunJson(await run.dryRun);
    return { ...violations, issues, asOfMs, dryRun };
  });
}

function toDryRunJson({ verdicts, counts, extended, warnings, origins }: PolicyDryRun) {
  return {
    counts,
    verdicts: Object.fromEntries(verdicts),
    suggestedPolicies: extended.policies.map(serializePolicy),
    addedSources: extended.additions,
    stillBlocked: extended.stillBlocked.map(({ violation, requirement }) => ({
      digest: violation.digest,
      requirement,
    })),
    warnings,
    origins,
  };
}

/**
 * The text of the policy: undefined without a policy, empty for an empty field. Consumes the body
 * of a POST request.
 */
async function readCandidatePolicy(
  c: AppContext,
): Promise<Result<string | undefined, FormBodyFailure>> {
  return c.req.method === "POST"
    ? readForm(c.req.raw, "bad-form", parsePolicyField)
    : ok(c.req.query("policy"));
}

function parsePolicyField(fields: FormFields): Parsed<string> {
  const { policy = "", ...others } = Object.fromEntries(fields);
  return typeof policy === "string" && Object.keys(others).length === 0
    ? ok(policy.replace(/\r\n?/g, "\n"))
    : expected("one field, policy, with text");
}
