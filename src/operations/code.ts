/**
 * Where the code of reports is, and who owns it: links from frames to the repositories of the
 * project, and suggested owners.
 */
import * as v from "valibot";
import { LOCAL_ASSIGNEE, listMemberNames } from "../core/accounts/names.ts";
import type { ReleaseCommit } from "../core/release/release-facts.ts";
import type { Report } from "../core/report.ts";
import { type CodeSettings, NO_REPOSITORIES } from "../core/repositories/repository.ts";
import { type CodeFinder, createCodeFinder } from "../core/repositories/source-link.ts";
import {
  type SuggestedOwner,
  suggestOwner,
  toOwnedFacts,
} from "../core/repositories/suggest-owner.ts";
import { list } from "../core/schema/stored-object.ts";
import { getResolutions, type Symbolication } from "../core/symbolication/report/original-stack.ts";
import { number } from "./issue-output.ts";
import { type Call, orNull } from "./operation.ts";
import { byMember, reported, trustLevel } from "./provenance.ts";

/** The settings of a project that has none, or whose index does not respond. */
export const NO_CODE: CodeSettings = { settings: NO_REPOSITORIES, codeOwners: [] };

/** The settings. Never rejects. */
export async function loadCodeSettings({ services }: Pick<Call, "services">) {
  return (await orNull(services, services.projectStore.readCodeSettings())) ?? NO_CODE;
}

/** The commits of releases, by their names. */
export type CommitsOf = (release: string | undefined) => readonly ReleaseCommit[];

/** One call for all releases; none without any. Never rejects. */
export async function loadCommits(
  { services }: Pick<Call, "services">,
  releases: readonly (string | undefined)[],
): Promise<CommitsOf> {
  const names = [...new Set(releases)].filter((name) => name !== undefined);
  const facts =
    names.length === 0
      ? []
      : ((await orNull(services, services.sourceMaps.listReleaseFacts(names))) ?? []);
  return (release) => facts.find(({ version }) => version === release)?.commits ?? [];
}

/** Finds the code of a report in the repositories. */
export function createFinder(
  { settings }: CodeSettings,
  report: Pick<Report, "release">,
  commitsOf: CommitsOf,
): CodeFinder {
  const { repositories } = settings;
  const { release } = report;
  return createCodeFinder({ repositories, release, commits: commitsOf(release) });
}

/** Who should fix what a report is about; undefined if no rule matches. */
export function findOwner(
  { caller, project, services }: Call,
  settings: CodeSettings,
  report: Report,
  symbolication: Symbolication | null,
  finder: CodeFinder,
): SuggestedOwner | undefined {
  const known = services.registry.getLastCopy();
  const names = known === null ? [] : listMemberNames(known, project);
  const members = caller.actor.kind === "local" ? [...names, LOCAL_ASSIGNEE] : names;
  return suggestOwner(
    toOwnedFacts(report, getResolutions(symbolication), finder),
    settings,
    members,
  );
}

/** A suggested owner in an output. */
export const suggestedOwner = v.optional(
  v.strictObject({
    /** The level of the report that the rule matches. */
    trust: trustLevel,
    owners: list(byMember("A team, a handle, an email address or a name, as the rule has it")),
    member: v.optional(byMember("The member that one of them stands for")),
    source: v.picklist(["rules", "codeowners"]),
    pattern: byMember("The rule, or the pattern in CODEOWNERS"),
    line: number,
    matched: reported("What of the report matches: a path, a URL, the value of a tag"),
  }),
);

/** The suggestion in an output. */
export function toOwnerOutput(
  found: SuggestedOwner | undefined,
  { trust }: Pick<Report, "trust">,
): v.InferOutput<typeof suggestedOwner> {
  return found && { ...found, owners: [...found.owners], trust };
}
