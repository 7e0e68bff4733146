/**
 * Finds the issue of a receipt: in the project of the URL if that one knows the digest, otherwise
 * in any other project. A visitor does not know the project of a digest, and the receipt does not
 * name it. Everyone can compute digests, so the owners of another project must not answer for a
 * digest of this one, nor receive what its visitors write.
 */
import { FIRST_PROJECT_ID } from "../../core/accounts/project-path.ts";
import type { Issue } from "../../core/issue/issue.ts";
import { limits } from "../../core/limits.ts";
import { parseReportCode } from "../../core/report/report-code.ts";
import type { Digest } from "../../core/report.ts";
import { isTrusted, TRUST_POLICY } from "../../core/trust/trust.ts";
import type { ProjectStore } from "../../store/client/project-store.ts";
import type { AppContext, Services } from "../context.ts";

/** An issue with a receipt, and the services of its project. */
interface ReceiptIssue {
  readonly issue: Issue;
  readonly services: Services;
}

/**
 * The issue of a digest, or the one it was merged into, or that of the code of a failure in the
 * browser; null if there is none, or if no server (for such a code: no signed page) reported it.
 * Unless the project of the URL has reports of any level with the digest, asks at most
 * `limits.maxOtherProjects` other projects, with one read each, or three for such a code. A project
 * that does not answer counts as one without the issue. Rejects while the project of the URL does
 * not answer.
 */
export async function findReceiptIssue(
  c: AppContext,
  digest: Digest,
): Promise<ReceiptIssue | null> {
  const services = c.get("services");
  const { issue, isKnown } = await findInProject(services.projectStore, digest);
  if (issue !== null) return { issue, services };
  if (isKnown) return null;
  const others = await listOtherProjects(c);
  const candidates = await Promise.all(
    others.map(async (other) => {
      if (parseReportCode(digest) !== undefined) return other;
      const matches = await other.projectStore.findMatches([digest]).catch(() => []);
      return matches.some(({ trust }) => TRUST_POLICY[trust].provesIssues) ? other : null;
    }),
  );
  for (const other of candidates) {
    const found = other && (await findInProject(other.projectStore, digest).catch(() => null));
    if (other && found?.issue) return { issue: found.issue, services: other };
  }
  return null;
}

/**
 * Resolves another code, such as a Next.js digest, to the digest of an issue with a receipt;
 * undefined if it leads to none or to several.
 */
export async function findReceiptDigest(c: AppContext, alias: string): Promise<Digest | undefined> {
  const { projectStore } = c.get("services");
  const own = await projectStore.findIssuesByAlias(alias);
  const digests = own.length > 0 ? own : await findInOtherProjects(c, alias);
  const [digest, ...others] = digests;
  if (digest === undefined || others.length > 0) return undefined;
  return (await findReceiptIssue(c, digest)) === null ? undefined : digest;
}

async function findInOtherProjects(c: AppContext, alias: string): Promise<readonly Digest[]> {
  const others = await listOtherProjects(c);
  const found = await Promise.all(
    others.map(({ projectStore }) => projectStore.findMatches([alias]).catch(() => [])),
  );
  return found.flat().map(({ digest }) => digest);
}

/** The services of the projects other than that of the URL, in order of creation. */
async function listOtherProjects(c: AppContext): Promise<readonly Services[]> {
  const { registry, forProject } = c.get("services");
  const { projects } = await registry.readCopy().catch(() => ({ projects: [] }));
  const current = c.get("project") ?? FIRST_PROJECT_ID;
  return projects
    .filter(({ id }) => id !== current)
    .slice(0, limits.maxOtherProjects)
    .map(({ id }) => forProject(id));
}

/** `isKnown` if reports of any level have the digest; `issue` if it has a receipt. */
interface ProjectAnswer {
  readonly issue: Issue | null;
  readonly isKnown: boolean;
}

async function findInProject(projectStore: ProjectStore, digest: Digest): Promise<ProjectAnswer> {
  // A snapshot may be older than the last decision, or than the server's first report.
  const issue = await projectStore.getFreshIssue(digest);
  if (issue !== null && hasServerOccurrences(issue)) return { issue, isKnown: true };
  const merged = issue === null ? await findMergedIssue(projectStore, digest) : NOTHING_KNOWN;
  if (merged.issue !== null) return merged;
  const found = await findByReportCode(projectStore, digest);
  return { ...found, isKnown: issue !== null || merged.isKnown || found.isKnown };
}

const NOTHING_KNOWN: ProjectAnswer = { issue: null, isKnown: false };

async function findMergedIssue(projectStore: ProjectStore, digest: Digest): Promise<ProjectAnswer> {
  const [issueDigest, ...others] = await projectStore.findIssuesByAlias(digest);
  if (issueDigest === undefined) return NOTHING_KNOWN;
  const issue = others.length > 0 ? null : await projectStore.getFreshIssue(issueDigest);
  const isMerged = issue?.mergedDigests?.includes(digest) === true;
  const hasReceipt = issue !== null && isMerged && hasServerOccurrences(issue);
  return { issue: hasReceipt ? issue : null, isKnown: true };
}

/** The issue of a failure that only the browser saw, if its page was signed. */
async function findByReportCode(projectStore: ProjectStore, code: Digest): Promise<ProjectAnswer> {
  const locator = parseReportCode(code);
  if (locator === undefined) return NOTHING_KNOWN;
  const [digest, ...others] = await projectStore.findIssuesByAlias(locator);
  if (digest === undefined) return NOTHING_KNOWN;
  const issue = others.length > 0 ? null : await projectStore.getFreshIssue(digest);
  const hasReceipt = issue !== null && issue.count > 0 && isTrusted(issue.trust);
  return { issue: hasReceipt ? issue : null, isKnown: true };
}

/** True if a server reported an occurrence. Strangers and browsers can name any digest. */
function hasServerOccurrences({ count, trust }: Issue): boolean {
  return count > 0 && TRUST_POLICY[trust].provesIssues;
}
