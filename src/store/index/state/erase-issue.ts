/**
 * What the ledger forgets when something is erased: an issue whole, or of an issue what one report had told it. Every method is
 * synchronous.
 */
import { ERASED } from "../../../core/erased.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Digest } from "../../../core/report.ts";
import type { ErasedLine } from "../../kv/erase-lines.ts";
import { containsText, redactText } from "../../redact-text.ts";
import { createDirtyKeys, type DirtyKeys } from "./dirty-keys.ts";
import type { ProjectState } from "./project-state.ts";

/** The tables that it erases from. */
export type ErasableState = Pick<
  ProjectState,
  | "issues"
  | "aliases"
  | "decisions"
  | "annotations"
  | "views"
  | "merges"
  | "search"
  | "linker"
  | "tombstones"
>;

/** Erases from the tables of one index. */
export class IssueEraser {
  readonly #state: ErasableState;

  constructor(state: ErasableState) {
    this.#state = state;
  }

  /** Forgets an issue, the codes and traces that led to it, and what people decided about it. */
  eraseIssue(digest: Digest): DirtyKeys {
    const { issues, aliases, search, decisions, annotations, merges, linker, tombstones } =
      this.#state;
    const merged = issues.get(digest)?.mergedDigests ?? [];
    const removedAliases = aliases.remove(digest);
    issues.remove(digest);
    search.remove(digest);
    decisions.remove(digest);
    for (const one of [digest, ...merged]) {
      // A browser that saw it fail would bring it back.
      linker.removeTraces(one);
      annotations.remove(one);
      // Their copies are deleted when KV takes it, which may be after a restart.
      tombstones.add("annotations", one);
    }
    merges.clearCache();
    tombstones.add("issue", digest);
    tombstones.add("decision", digest);
    for (const code of removedAliases) tombstones.add("alias", code);
    return createDirtyKeys({
      issues: [digest],
      aliases: removedAliases,
      decisions: [digest],
      annotations: [digest, ...merged],
    });
  }

  /** Forgets what the issues show of reports that were erased, and what they are called if such a report had named them. */
  eraseReports(erased: readonly Omit<ErasedLine, "line" | "isRemoved">[]): DirtyKeys {
    const digests = new Set<Digest>();
    for (const { id, digest, message } of erased) {
      const issue = id === undefined ? undefined : this.#state.issues.findIssueOfReport(digest, id);
      if (issue === undefined) continue;
      const summary = issue.latestReports.find((candidate) => candidate.id === id);
      const latest = issue.latestReports.filter((candidate) => candidate !== summary);
      const erasedMessage = message ?? summary?.message;
      this.#save({
        ...issue,
        latestReports: latest,
        ...replaceTitle(issue, erasedMessage, latest),
      });
      digests.add(issue.digest);
    }
    return createDirtyKeys({ issues: digests });
  }

  /** Replaces a text in everything that the issues show. */
  eraseText(text: string): DirtyKeys {
    const digests = new Set<Digest>();
    for (const digest of [
      ...this.#state.issues.findContaining(text),
      ...this.#state.search.findContaining(text),
    ]) {
      const issue = this.#state.issues.get(digest);
      if (issue === undefined) this.#state.search.remove(digest);
      if (issue === undefined) continue;
      this.#save(redactText(issue, text));
      digests.add(digest);
    }
    return createDirtyKeys({ issues: digests, annotations: this.#eraseFromAnnotations(text) });
  }

  /** What people said of somebody too, whoever is named as looking after an issue, and the views that ask for somebody. */
  #eraseFromAnnotations(text: string): readonly Digest[] {
    const { annotations, views } = this.#state;
    const matching = annotations.list().filter(([, document]) => containsText(document, text));
    for (const [digest, document] of matching) annotations.save(digest, redactText(document, text));
    for (const [name, document] of views.list()) {
      if (containsText(document, text)) views.save(name, redactText(document, text));
    }
    return matching.map(([digest]) => digest);
  }

  /** The words that it is found by may be an erased report's own: from now on it is found by what it is called. */
  #save(issue: Issue): void {
    this.#state.issues.save(issue);
    // Until KV has it as it is now, its copy there is not to be believed.
    this.#state.tombstones.add("issue", issue.digest);
    this.#state.search.remove(issue.digest);
    this.#state.search.add([[issue.digest, toTitleSearchText(issue)]]);
  }
}

/** The words of what an issue is called. */
export function toTitleSearchText({ type, message, culprit, route }: Issue): string {
  return [type, message, culprit, route].filter((part) => part !== undefined).join(" ");
}

/** What an issue is called when the report that may have named it is gone: as another report says it. */
function replaceTitle(
  { message }: Issue,
  erasedMessage: string | undefined,
  latest: readonly ReportSummary[],
): Partial<Issue> {
  const direct = latest.filter(({ isLinked }) => !isLinked);
  if (erasedMessage !== message || direct.some((candidate) => candidate.message === message))
    return {};
  const [newest] = direct;
  return { message: newest?.message ?? ERASED, ...(newest !== undefined && { type: newest.type }) };
}
