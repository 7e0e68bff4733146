/**
 * The repositories of the project, the rules of owners, and CODEOWNERS. Synchronous; each call is
 * one transaction.
 */
import {
  addCodeOwners,
  type CodeOwnersFile,
  type CodeSettings,
  type MemberHandle,
  NO_REPOSITORIES,
  type Repository,
  type RepositorySettings,
} from "../../../core/repositories/repository.ts";
import { repositoryLimits } from "../../../core/repositories/repository-limits.ts";
import { CODE_OWNERS_NAME, REPOSITORIES_NAME } from "../../kv/keys.ts";
import { type ChangeResult, createDirtyKeys } from "../state/dirty-keys.ts";
import type { IndexTables } from "../state/index-tables.ts";

/** The settings; empty ones at first. */
export function readCodeSettings({ repositories, codeOwners }: IndexTables): CodeSettings {
  return {
    settings: repositories.get(REPOSITORIES_NAME) ?? NO_REPOSITORIES,
    codeOwners: codeOwners.get(CODE_OWNERS_NAME)?.files ?? [],
  };
}

/**
 * Adds a repository, or replaces that of the same id, else that of the same URL, folder and prefix.
 * Null above `repositoryLimits.maxRepositories`.
 */
export function saveRepository(
  tables: IndexTables,
  saved: Repository,
): ChangeResult<readonly Repository[] | null> {
  const { settings } = readCodeSettings(tables);
  const { repositories } = settings;
  const isSame = (one: Repository) =>
    one.url === saved.url && one.folder === saved.folder && one.prefix === saved.prefix;
  const known = repositories.find(({ id }) => id === saved.id) ?? repositories.find(isSame);
  if (known === undefined && repositories.length >= repositoryLimits.maxRepositories)
    return { result: null };
  const next = { ...saved, id: known?.id ?? saved.id };
  const all =
    known === undefined
      ? [...repositories, next]
      : repositories.map((one) => (one === known ? next : one));
  return saveSettings(tables, { ...settings, repositories: all }, all);
}

/** Removes a repository. Null if it is unknown. */
export function removeRepository(
  tables: IndexTables,
  id: string,
): ChangeResult<readonly Repository[] | null> {
  const { settings } = readCodeSettings(tables);
  const left = settings.repositories.filter((one) => one.id !== id);
  if (left.length === settings.repositories.length) return { result: null };
  return saveSettings(tables, { ...settings, repositories: left }, left);
}

/** What `saveOwners` replaces; absent members stay. */
export interface OwnersChange {
  readonly rules?: string | undefined;
  readonly handles?: readonly MemberHandle[] | undefined;
}

/** Replaces the rules of owners, the handles of members, or both. */
export function saveOwners(
  tables: IndexTables,
  { rules, handles }: OwnersChange,
  nowMs: number,
): ChangeResult<RepositorySettings> {
  const { settings } = readCodeSettings(tables);
  // The same rules keep their time, which decides about new issues.
  const isChanged = rules !== undefined && rules !== settings.rules?.text;
  const next = {
    ...settings,
    ...(isChanged && { rules: { text: rules, savedMs: nowMs } }),
    ...(handles !== undefined && { handles }),
  };
  return saveSettings(tables, next, next);
}

/** Sets the repository of prefilled issues; an empty text removes it. */
export function saveIssueRepository(tables: IndexTables, issuesIn: string): ChangeResult<void> {
  const { settings } = readCodeSettings(tables);
  return saveSettings(tables, { ...settings, issuesIn }, undefined);
}

/** Takes the repository of prefilled issues from the alert settings, unless one was set here. */
export function moveIssueRepository(tables: IndexTables, issuesIn: string): ChangeResult<void> {
  const { settings } = readCodeSettings(tables);
  return settings.issuesIn === undefined
    ? saveIssueRepository(tables, issuesIn)
    : { result: undefined };
}

/** Replaces the file CODEOWNERS of its repository. */
export function saveCodeOwners(
  tables: IndexTables,
  file: CodeOwnersFile,
): ChangeResult<readonly CodeOwnersFile[]> {
  const { codeOwners } = readCodeSettings(tables);
  const files = addCodeOwners(codeOwners, file);
  tables.codeOwners.save(CODE_OWNERS_NAME, { v: 1, files });
  return { result: files, dirtyKeys: createDirtyKeys({}) };
}

function saveSettings<T>(
  { repositories }: IndexTables,
  settings: RepositorySettings,
  result: T,
): ChangeResult<T> {
  repositories.save(REPOSITORIES_NAME, settings);
  return { result, dirtyKeys: createDirtyKeys({}) };
}
