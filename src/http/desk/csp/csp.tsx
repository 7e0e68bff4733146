/** `/csp`: CSP violations, other browser reports, and dry runs of policies. */
import { dryRunPolicies } from "../../../core/csp/dry-run.ts";
import {
  type ParsedPolicies,
  type PolicyFailure,
  parsePolicies,
  serializePolicy,
} from "../../../core/csp/parse-policies.ts";
import type { IssueSummary } from "../../../core/issue/issue.ts";
import { ok, type Result } from "../../../core/result.ts";
import { selectIssues } from "../../../operations/issue-output.ts";
import type { ProjectStore } from "../../../store/client/project-store.ts";
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
import { ignoreRejection, sendPage } from "../../send-page.tsx";
import { respondOrUnavailable } from "../../unavailable.ts";
import { attachPages, createKindQuery, findCurrentPolicy, loadViolations } from "./violations.ts";

/** The policy to start with. */
const DEFAULT_POLICY = "default-src 'self'";

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
  const policy =
    text === undefined ? undefined : parsePolicies(text.trim() === "" ? DEFAULT_POLICY : text);
  if (isJsonClient(c)) return respondWithJson(c, policy);
  const url = text === undefined ? undefined : toDryRunUrl(text);
  if (isPost && policy?.ok && url !== undefined) return c.redirect(url, 303);
  return sendCspPage(c, text, policy);
}

type ParseResult = Result<ParsedPolicies, PolicyFailure>;

function sendCspPage(
  c: AppContext,
  text: string | undefined,
  policy: ParseResult | undefined,
): Promise<Response> {
  const { projectStore, nowMs } = c.get("services");
  const violations = loadViolations(projectStore);
  const dryRun =
    policy?.ok === true
      ? violations.then(({ issues }) => runDryRun(projectStore, policy.value, issues))
      : undefined;
  return sendPage(c, {
    title: "Policies",
    route: "/csp",
    ...(policy?.ok === false && { status: 400 }),
    content: (
      <Layout current="csp" isSignedIn>
        <CspPage
          text={text}
          placeholder={DEFAULT_POLICY}
          error={policy?.ok === false ? policy.expected : undefined}
          currentPolicy={
            text === undefined ? ignoreRejection(findCurrentPolicyWithUrl(projectStore)) : undefined
          }
          violations={ignoreRejection(violations)}
          dryRun={dryRun && ignoreRejection(dryRun)}
          noise={ignoreRejection(projectStore.listIssues(createKindQuery("csp", true)))}
          browserReports={ignoreRejection(projectStore.listIssues(createKindQuery("browser")))}
          networkReports={ignoreRejection(projectStore.listIssues(createKindQuery("network")))}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  });
}

async function findCurrentPolicyWithUrl(
  desk: ProjectStore,
): Promise<{ policy: string; url: string } | undefined> {
  const policy = await findCurrentPolicy(desk);
  const url = policy === undefined ? undefined : toDryRunUrl(policy);
  return policy === undefined || url === undefined ? undefined : { policy, url };
}

async function runDryRun(
  desk: ProjectStore,
  { policies: read, warnings, hiddenWarningCount }: ParsedPolicies,
  issues: readonly IssueSummary[],
): Promise<PolicyDryRun> {
  const { violations, origins } = await attachPages(desk, issues);
  return { ...dryRunPolicies(read, violations), warnings, hiddenWarningCount, origins };
}

async function respondWithJson(c: AppContext, policy: ParseResult | undefined): Promise<Response> {
  const { projectStore, nowMs } = c.get("services");
  if (policy?.ok === false) return toFailureResponse(policy);
  return respondOrUnavailable(c, async () => {
    const violations = await loadViolations(projectStore);
    const dryRun = policy && (await runDryRun(projectStore, policy.value, violations.issues));
    const asOfMs = nowMs();
    const issues = selectIssues(violations.issues, asOfMs);
    return { ...violations, issues, asOfMs, dryRun: dryRun && toDryRunJson(dryRun) };
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
