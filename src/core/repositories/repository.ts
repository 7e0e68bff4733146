/**
 * The repositories of a project, and the rules that say who owns which code. Stored in a row and in
 * KV without expiry (version 1): fields may be added, never renamed.
 */
import * as v from "valibot";
import {
  choice,
  code,
  list,
  type StoredValue,
  storedObject,
  text,
  timeMs,
  version1,
} from "../schema/stored-object.ts";
import { repositoryLimits } from "./repository-limits.ts";

/** The services that host repositories. `template` is any other, by a template of its URLs. */
export const REPOSITORY_KINDS = [
  "github",
  "gitlab",
  "bitbucket",
  "gitea",
  "azure",
  "template",
] as const;
export type RepositoryKind = (typeof REPOSITORY_KINDS)[number];

const { maxUrlChars, maxBranchChars, maxFolderChars, maxHandleChars } = repositoryLimits;

/** A repository of the project. */
export type Repository = StoredValue<typeof repositorySchema>;
export const repositorySchema = /* @__PURE__ */ storedObject({
  id: code(),
  kind: choice(REPOSITORY_KINDS),
  /** Its page, without a slash at the end: `https://github.com/acme/shop`. */
  url: text(maxUrlChars),
  /** The branch for code whose commit is not known; by default, that of the service. */
  branch: v.optional(text(maxBranchChars)),
  /** The folder that the files of frames are relative to: `apps/web`. */
  folder: v.optional(text(maxFolderChars)),
  /** Only frames whose file begins with it are of this repository: `/srv/shop`. */
  prefix: v.optional(text(maxFolderChars)),
  /** For the kind `template`: `https://git.example/shop/tree/{path}?id={ref}#n{line}`. */
  template: v.optional(text(maxUrlChars)),
});

/** A name of CODEOWNERS, and the member that it stands for. */
export type MemberHandle = StoredValue<typeof handleSchema>;
const handleSchema = /* @__PURE__ */ storedObject({
  /** `@ada`, `@acme/cart` or an email address. */
  handle: text(maxHandleChars),
  /** The name of the member, as in the assignee of an issue. */
  member: text(maxHandleChars),
});

/** What owners of the project set. */
export type RepositorySettings = StoredValue<typeof repositorySettingsSchema>;
export const repositorySettingsSchema = /* @__PURE__ */ storedObject({
  v: version1,
  repositories: list(repositorySchema, repositoryLimits.maxRepositories),
  /** The rules of the project, one in a line (`parseOwnerRules`), and when they were saved. */
  rules: v.optional(storedObject({ text: text(repositoryLimits.maxRulesChars), savedMs: timeMs })),
  handles: v.optional(list(handleSchema, repositoryLimits.maxHandles)),
  /**
   * The GitHub repository of the prefilled issues to which messages link: `owner/name`. Empty if an
   * owner removed it.
   */
  issuesIn: v.optional(text(maxUrlChars)),
});

/** The settings of a project without any. */
export const NO_REPOSITORIES: RepositorySettings = { v: 1, repositories: [] };

/** The file CODEOWNERS of a repository, as a build sent it with a release. */
export type CodeOwnersFile = StoredValue<typeof codeOwnersFileSchema>;
const codeOwnersFileSchema = /* @__PURE__ */ storedObject({
  /** `acme/shop`, if the build named it. A new file replaces that of the same repository. */
  repository: v.optional(text(maxUrlChars)),
  /** `.github/CODEOWNERS` */
  path: text(maxFolderChars),
  text: text(repositoryLimits.maxCodeOwnersBytes),
  release: text(),
  atMs: timeMs,
});

/** The newest files of all repositories. */
export type CodeOwnersFiles = StoredValue<typeof codeOwnersFilesSchema>;
export const codeOwnersFilesSchema = /* @__PURE__ */ storedObject({
  v: version1,
  files: list(codeOwnersFileSchema, repositoryLimits.maxCodeOwnersFiles),
});

/** All that decides about links to code and about owners. */
export interface CodeSettings {
  readonly settings: RepositorySettings;
  readonly codeOwners: readonly CodeOwnersFile[];
}

/**
 * Replaces the file of the same repository, or removes it if the text is empty. The oldest files
 * above the limit are dropped.
 */
export function addCodeOwners(
  files: readonly CodeOwnersFile[],
  added: CodeOwnersFile,
): readonly CodeOwnersFile[] {
  const others = files.filter(({ repository }) => repository !== added.repository);
  if (added.text.trim() === "") return others;
  return [...others, added].slice(-repositoryLimits.maxCodeOwnersFiles);
}
