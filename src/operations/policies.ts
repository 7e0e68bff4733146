/** Content security policies: what they block, and what another policy would have blocked. */
import * as v from "valibot";
import { dryRunPolicies } from "../core/csp/dry-run.ts";
import { isOwnResource } from "../core/csp/evaluate-policies.ts";
import { parsePolicies, serializePolicy } from "../core/csp/parse-policies.ts";
import { limits } from "../core/limits.ts";
import { fail, ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import { attachPages, findCurrentPolicy, loadViolations } from "./csp-violations.ts";
import { flag, issueList, number, toIssueListOutput } from "./issue-output.ts";
import { defineRead } from "./operation.ts";
import { byErrata, byMember, reported, reportedByAnyone, time, trustLevel } from "./provenance.ts";

/** The policy in place of an empty text. */
export const DEFAULT_POLICY = "default-src 'self'";

const READ = { role: "viewer", rate: "search" } as const;

export const listPolicies = defineRead({
  ...READ,
  name: "policies.list",
  summary: "List the most frequent CSP violations, and the policy that the newest one names.",
  route: "GET /policies",
  input: v.strictObject({}),
  output: v.strictObject({
    ...issueList,
    asOfMs: time,
    currentPolicy: v.optional(reportedByAnyone("The policy in the newest violation")),
  }),
  reasons: [],
  // A page with a dry run needs neither.
  load: async (_, { services: { projectStore } }) =>
    ok({
      loadViolations: () => loadViolations(projectStore),
      findCurrentPolicy: () => findCurrentPolicy(projectStore),
    }),
  async toOutput(loaded, _, { services }) {
    const asOfMs = services.nowMs();
    const [violations, currentPolicy] = await Promise.all([
      loaded.loadViolations(),
      loaded.findCurrentPolicy(),
    ]);
    return { ...toIssueListOutput(violations, asOfMs), asOfMs, currentPolicy };
  },
});

const totals = v.strictObject({ violationCount: number, reportCount: number });

export const tryPolicy = defineRead({
  ...READ,
  name: "policies.try",
  summary: "Say what a content security policy would have blocked in the stored violations.",
  route: "POST /policies/trials",
  input: v.strictObject({
    policy: v.pipe(
      v.string(),
      v.maxLength(limits.maxPolicyChars),
      v.description(
        `a policy of at most ${limits.maxPolicyChars} characters with a known directive, also as a header`,
      ),
    ),
  }),
  output: v.strictObject({
    counts: v.strictObject({ blocked: totals, undecided: totals, allowed: totals }),
    blockedOwnCount: v.pipe(
      number,
      v.description("Violations of the site’s own resources that the policy would block"),
    ),
    violations: list(
      v.strictObject({
        digest: byErrata(),
        trust: trustLevel,
        directive: reported(),
        blockedUri: reported("A URL, a scheme, or inline, eval, wasm-eval"),
        reportCount: number,
        isOwn: v.optional(v.pipe(flag, v.description("Of the origin of the page, or in the page"))),
        verdict: v.picklist(["blocked", "undecided", "allowed"]),
        reason: v.optional(byErrata("What an undecided verdict depends on")),
      }),
    ),
    suggestedPolicies: list(reportedByAnyone("The policy with the sources that are missing")),
    addedSources: list(
      v.strictObject({
        directive: reportedByAnyone(),
        source: reportedByAnyone(),
        violationCount: number,
      }),
    ),
    stillBlocked: list(
      v.strictObject({ digest: byErrata(), requirement: byErrata("What it needs instead") }),
    ),
    warnings: list(v.strictObject({ problem: byErrata(), word: byMember("Of the policy") })),
    hiddenWarningCount: number,
    origins: list(reportedByAnyone("An origin that 'self' matched")),
  }),
  reasons: [],
  async load({ policy }, { services: { projectStore } }) {
    const parsed = parsePolicies(policy.trim() === "" ? DEFAULT_POLICY : policy);
    if (!parsed.ok) return fail({ reason: "invalid-input", fields: { policy: parsed.expected } });
    const { policies, warnings, hiddenWarningCount } = parsed.value;
    // Pages begin before the violations arrive, and those that redirect need none.
    const start = () => {
      const violations = loadViolations(projectStore);
      const dryRun = violations.then(async ({ issues }) => {
        const { violations: tried, origins } = await attachPages(projectStore, issues);
        const trusts = new Map(issues.map(({ digest, trust }) => [digest, trust] as const));
        const result = dryRunPolicies(policies, tried);
        return { ...result, tried, trusts, warnings, hiddenWarningCount, origins };
      });
      return { violations, dryRun };
    };
    return ok({ start });
  },
  async toOutput(loaded) {
    const dryRun = await loaded.start().dryRun;
    const { verdicts, counts, extended, blockedOwn, tried, trusts, ...rest } = dryRun;
    return {
      ...rest,
      counts,
      blockedOwnCount: blockedOwn.length,
      violations: tried.map((one) => {
        const { verdict, ...facts } = verdicts.get(one.digest) ?? { verdict: "allowed" };
        return {
          ...one,
          trust: trusts.get(one.digest) ?? "public",
          isOwn: isOwnResource(one) || undefined,
          verdict,
          reason: "reason" in facts ? facts.reason : undefined,
        };
      }),
      suggestedPolicies: extended.policies.map(serializePolicy),
      addedSources: [...extended.additions],
      stillBlocked: extended.stillBlocked.map(({ violation: { digest }, requirement }) => ({
        digest,
        requirement,
      })),
    };
  },
});
