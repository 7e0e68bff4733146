/** The repositories of a project, and the rules that say who owns which code. */
import * as v from "valibot";
import { LOCAL_ASSIGNEE, listMemberNames } from "../core/accounts/names.ts";
import { parseGitHubRepository } from "../core/alerts/formats/github-issue.ts";
import { parseCodeOwners } from "../core/repositories/code-owners.ts";
import {
  type InvalidRule,
  parseHandles,
  parseOwnerRules,
} from "../core/repositories/owner-rules.ts";
import type { CodeSettings, MemberHandle } from "../core/repositories/repository.ts";
import { REPOSITORY_KINDS } from "../core/repositories/repository.ts";
import { parseRepository } from "../core/repositories/repository-hosts.ts";
import { repositoryLimits } from "../core/repositories/repository-limits.ts";
import { findMember } from "../core/repositories/suggest-owner.ts";
import { fail, ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import { plainText } from "./inputs.ts";
import { number } from "./issue-output.ts";
import { type Call, defineOperation, defineRead, orNull } from "./operation.ts";
import { byErrata, byMember, time } from "./provenance.ts";

const limits = repositoryLimits;

const repositories = list(
  v.strictObject({
    id: byErrata(),
    kind: v.picklist(REPOSITORY_KINDS),
    url: byMember(),
    branch: v.optional(byMember("The branch for code whose commit is not known")),
    folder: v.optional(byMember("The folder that the files of frames are relative to")),
    prefix: v.optional(byMember("Frames of this repository begin with it")),
    template: v.optional(byMember("A URL with {path}, {ref} and {line}")),
  }),
);

const handles = list(
  v.strictObject({ handle: byMember("A name of CODEOWNERS"), member: byMember() }),
);

export const getRepositories = defineRead({
  name: "repositories.get",
  summary: "Read the repositories of the project, its rules of owners, and CODEOWNERS.",
  role: "member",
  rate: "read",
  route: "GET /repositories",
  input: v.strictObject({}),
  output: v.strictObject({
    repositories,
    rules: byMember("The rules of owners, one in a line"),
    handles,
    issuesIn: byMember("The GitHub repository of prefilled issues; empty for none"),
    codeOwners: list(
      v.strictObject({
        repository: v.optional(byMember()),
        path: byMember(),
        release: byMember(),
        atMs: time,
        rules: number,
        text: byMember(),
      }),
    ),
  }),
  reasons: [],
  load: async (_, { services }) => ok(await services.projectStore.readCodeSettings()),
  toOutput: (loaded) => toSettingsOutput(loaded),
});

/** The settings as programs and the page read them. */
export function toSettingsOutput({ settings, codeOwners }: CodeSettings) {
  return {
    repositories: [...settings.repositories],
    rules: settings.rules?.text ?? "",
    handles: [...(settings.handles ?? [])],
    issuesIn: settings.issuesIn ?? "",
    codeOwners: codeOwners.map((file) => ({ ...file, rules: parseCodeOwners(file).length })),
  };
}

const CHANGE = { role: "owner", effect: "set", rate: "change" } as const;

/** The members of `EnteredRepository`; an empty text is as none. */
const ENTERED = {
  url: plainText(limits.maxUrlChars, "the https URL of a repository"),
  kind: v.optional(
    v.pipe(
      v.picklist(["", ...REPOSITORY_KINDS]),
      v.description(`the service of the repository: ${REPOSITORY_KINDS.join(", ")}`),
    ),
  ),
  branch: v.optional(plainText(limits.maxBranchChars, "the name of a branch")),
  folder: v.optional(plainText(limits.maxFolderChars, "a folder in the repository")),
  prefix: v.optional(plainText(limits.maxFolderChars, "the beginning of the files of frames")),
  template: v.optional(
    plainText(limits.maxUrlChars, "a URL on the host of the repository with {path}"),
  ),
};

export const saveRepository = defineOperation({
  ...CHANGE,
  name: "repositories.save",
  summary:
    "Add a repository, or replace the one of the same id, else of the same URL, folder and prefix.",
  route: "POST /repositories",
  input: v.strictObject({
    id: v.optional(v.pipe(v.string(), v.maxLength(64), v.description("the id of a repository"))),
    ...ENTERED,
  }),
  output: v.strictObject({ repositories }),
  reasons: ["too-many"],
  audit: ({ url }) => ({ text: `saved the repository ${url}` }),
  messages: { "code-repository-saved": "Repository saved. Frames link to it." },
  message: () => ({ kind: "code-repository-saved", digests: [] }),
  async run({ id, kind, ...entered }, { services, changeId }) {
    const parsed = parseRepository({ ...entered, kind: kind || undefined });
    if (!parsed.ok)
      return fail({
        reason: "invalid-input",
        fields: { [parsed.member]: parsed.expected },
      } as const);
    const saved = { id: id || changeId, ...parsed.value };
    const all = await services.projectStore.saveRepository(saved);
    return all === null
      ? fail({ reason: "too-many", limit: "maxRepositories", max: limits.maxRepositories } as const)
      : ok({ repositories: [...all] });
  },
});

export const removeRepository = defineOperation({
  ...CHANGE,
  name: "repositories.remove",
  summary: "Remove a repository.",
  route: "DELETE /repositories/{id}",
  input: v.strictObject({
    id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(64), v.description("the id of a repository")),
  }),
  output: v.strictObject({ repositories }),
  reasons: ["unknown-repository"],
  async audit({ id }, _, { services }) {
    const loaded = await orNull(services, services.projectStore.readCodeSettings());
    const known = loaded?.settings.repositories.find((one) => one.id === id);
    return { text: `removed the repository ${known?.url ?? id}` };
  },
  messages: { "code-repository-removed": "Repository removed." },
  message: () => ({ kind: "code-repository-removed", digests: [] }),
  async run({ id }, { services }) {
    const left = await services.projectStore.removeRepository(id);
    return left === null
      ? fail({ reason: "unknown-repository" } as const)
      : ok({ repositories: [...left] });
  },
});

/** Its name and its route are from when it was one of the settings of alerts. */
export const setIssueRepository = defineOperation({
  ...CHANGE,
  dependency: "alerts",
  name: "alerts.setRepository",
  summary: "Set the GitHub repository of prefilled issues, or remove it.",
  route: "PUT /alerts/repository",
  input: v.strictObject({
    repository: v.pipe(
      v.string(),
      v.maxLength(200),
      v.description("owner/name, its URL, or an empty text"),
    ),
  }),
  output: v.strictObject({ repository: byMember() }),
  reasons: ["invalid-alert"],
  audit: ({ repository }) => ({
    text:
      repository.trim() === ""
        ? "removed the GitHub repository of prefilled issues"
        : `set the GitHub repository of prefilled issues to ${repository.trim()}`,
  }),
  messages: { "issue-repository-saved": "Repository saved. Messages link to it." },
  message: () => ({ kind: "issue-repository-saved", digests: [] }),
  async run({ repository }, { services }) {
    const text = repository.trim();
    const parsed = text === "" ? ok("") : parseGitHubRepository(text);
    if (!parsed.ok) return fail({ reason: "invalid-alert", detail: parsed.detail } as const);
    await services.projectStore.saveIssueRepository(parsed.value);
    await services.alerts.copyRepository(parsed.value);
    return ok({ repository: parsed.value });
  },
});

export const saveOwners = defineOperation({
  ...CHANGE,
  name: "owners.save",
  summary:
    "Replace the rules of owners, such as “path:src/cart/** -> @acme/cart”, or the members that " +
    "names of CODEOWNERS stand for, such as “@acme/cart = Ada”. One in a line.",
  route: "PUT /owners",
  input: v.strictObject({
    rules: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(limits.maxRulesChars),
        v.description(`rules of owners of at most ${limits.maxRulesChars} characters`),
      ),
    ),
    handles: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(limits.maxHandlesChars),
        v.description(`names and members of at most ${limits.maxHandlesChars} characters`),
      ),
    ),
  }),
  output: v.strictObject({ rules: byMember(), handles }),
  reasons: [],
  audit: ({ rules, handles: table }) => {
    const changed = [
      ...(rules === undefined ? [] : ["the rules of owners"]),
      ...(table === undefined ? [] : ["the names of owners"]),
    ];
    return { text: `changed ${changed.join(" and ") || "no owners"}` };
  },
  messages: { "owners-saved": "Owners saved." },
  message: () => ({ kind: "owners-saved", digests: [] }),
  async run({ rules, handles: table }, context) {
    const { projectStore } = context.services;
    const parsed = table === undefined ? undefined : parseHandles(table);
    if (parsed?.ok === false) return failAtLine("handles", parsed);
    const written = rules === undefined ? undefined : parseOwnerRules(rules);
    if (written?.ok === false) return failAtLine("rules", written);
    const members = await listMembers(context);
    const unknown = parsed?.value.findIndex(({ member }) => !members.includes(member)) ?? -1;
    if (unknown !== -1)
      return failAt("handles", `the name of a member of the project in entry ${unknown + 1}`);
    const known = parsed?.value ?? (await projectStore.readCodeSettings()).settings.handles ?? [];
    const unassigned = written?.value.find(
      ({ assigns, owner }) => assigns !== undefined && !isMember(owner, known, members),
    );
    if (unassigned !== undefined)
      return failAt(
        "rules",
        `a member in line ${unassigned.line}: a rule that assigns needs the name of a member, or a name in the table of members`,
      );
    const saved = await projectStore.saveOwners({
      rules: rules?.replace(/\r\n?/g, "\n").trimEnd(),
      handles: parsed?.value,
    });
    return ok({ rules: saved.rules?.text ?? "", handles: [...(saved.handles ?? [])] });
  },
});

function isMember(
  owner: string,
  known: readonly MemberHandle[],
  members: readonly string[],
): boolean {
  return findMember([owner], known, members) !== undefined;
}

async function listMembers({ caller, project, services }: Call): Promise<readonly string[]> {
  const members = listMemberNames(await services.registry.readFresh(), project);
  return caller.actor.kind === "local" ? [...members, LOCAL_ASSIGNEE] : members;
}

function failAtLine(member: string, { line, expected }: InvalidRule) {
  return failAt(member, `in line ${line} of the ${member}: ${expected}`);
}

function failAt(member: string, expected: string) {
  return fail({ reason: "invalid-input", fields: { [member]: expected } } as const);
}
