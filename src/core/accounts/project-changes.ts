/** Creates, renames, archives and deletes projects, and marks those with uploads. */
import { limits } from "../limits.ts";
import type { SwitchableNoiseRule } from "../noise/noise-rules.ts";
import type { Digest } from "../report.ts";
import { fail, ok, type Result } from "../result.ts";
import { type Actor, findPerson } from "./actors.ts";
import type { RegistryChangeDeps, RegistryChangeResult, RegistryFailure } from "./change-types.ts";
import { addIngestKey } from "./key-changes.ts";
import { removeOrphanedPeople } from "./member-changes.ts";
import { isProjectName } from "./names.ts";
import { FIRST_PROJECT_ID, findProject, type Project, type RegistryState } from "./registry.ts";
import { checkRoomForProject } from "./registry-space.ts";

/** Creates a project. `name` is truncated and not empty. */
export interface ProjectCreation {
  readonly do: "create-project";
  readonly name: string;
}

/** Changes a project as a whole. */
export type ProjectChange =
  | { readonly do: "rename-project"; readonly project: string; readonly name: string }
  | { readonly do: "archive-project"; readonly project: string }
  | { readonly do: "reopen-project"; readonly project: string }
  /** `origins`: see `Project.keylessOrigins`; null accepts every report without a key. */
  | {
      readonly do: "set-keyless";
      readonly project: string;
      readonly origins: readonly string[] | null;
    }
  /** Switches off these noise rules and switches on all others. */
  | {
      readonly do: "set-noise-rules";
      readonly project: string;
      readonly disabledRules: readonly SwitchableNoiseRule[];
    }
  /** `confirmation` must be the project's name, because deletion cannot be undone. */
  | { readonly do: "delete-project"; readonly project: string; readonly confirmation: string };

/** Starts or ends the split of a digest by stack. Members may do it, and programs for them. */
export interface SplitChange {
  readonly do: "split-by-stack" | "group-together";
  readonly project: string;
  readonly digest: Digest;
}

/** The first project cannot be archived or deleted. */
const FIRST_PROJECT_CHANGES: ReadonlySet<ProjectChange["do"]> = new Set([
  "rename-project",
  "set-keyless",
  "set-noise-rules",
]);

/**
 * Renames, archives, reopens or deletes a project, or changes a setting. `applyRegistryChange` has
 * checked that the actor owns it. Fails with `not-found`, `first-project`, `name-taken` or
 * `not-confirmed`.
 */
export function applyProjectChange(
  registry: RegistryState,
  actor: Actor,
  change: ProjectChange,
  { nowMs }: Pick<RegistryChangeDeps, "nowMs">,
): Result<RegistryChangeResult, RegistryFailure> {
  const project = findProject(registry, change.project);
  if (project === undefined) return fail({ reason: "not-found", what: "project" });
  // The first project receives Errata's own errors.
  const isFirst = project.id === FIRST_PROJECT_ID;
  if (isFirst && !FIRST_PROJECT_CHANGES.has(change.do)) return fail({ reason: "first-project" });
  switch (change.do) {
    case "rename-project":
      if (change.name === project.name) return ok({ registry });
      if (isProjectName(registry, actor, change.name, { nowMs, except: project.id }))
        return fail({ reason: "name-taken" });
      return ok(toProjectResult(registry, { ...project, name: change.name }));
    case "archive-project":
      return ok(toProjectResult(registry, { ...project, archivedMs: project.archivedMs ?? nowMs }));
    case "reopen-project": {
      const { archivedMs: _, ...open } = project;
      return ok(toProjectResult(registry, open));
    }
    case "set-keyless": {
      const { keylessOrigins: _, ...rest } = project;
      const { origins } = change;
      const next = origins === null ? rest : { ...rest, keylessOrigins: origins };
      return ok({ ...toProjectResult(registry, next), subject: formatKeyless(origins) });
    }
    case "set-noise-rules": {
      const { disabledNoiseRules: _, ...rest } = project;
      const { disabledRules } = change;
      const next =
        disabledRules.length === 0 ? rest : { ...rest, disabledNoiseRules: disabledRules };
      return ok({
        ...toProjectResult(registry, next),
        subject: formatNoiseRules(disabledRules),
      });
    }
    case "delete-project":
      return deleteProject(registry, project, change.confirmation, nowMs);
  }
}

/**
 * Adds a project with one public key. `applyRegistryChange` has checked that the actor owns a
 * project. The actor becomes the owner; `createdId` is the project's id. Fails with `too-many` or
 * `name-taken`.
 */
export function addProject(
  registry: RegistryState,
  actor: Actor,
  { name }: ProjectCreation,
  deps: RegistryChangeDeps,
): Result<RegistryChangeResult, RegistryFailure> {
  const { nowMs } = deps;
  const person = findPerson(registry, actor, nowMs);
  // Local access has the rights of the deployer.
  const isDeployer = person === undefined || person.isDeployer === true;
  const room = checkRoomForProject(registry, isDeployer);
  if (!room.ok) return room;
  const created = registry.projects.filter(
    ({ createdBy }) => createdBy !== undefined && createdBy === person?.id,
  );
  if (created.length >= limits.maxProjectsPerPerson && !isDeployer)
    return fail({
      reason: "too-many",
      limit: "maxProjectsPerPerson",
      max: limits.maxProjectsPerPerson,
    });
  if (isProjectName(registry, actor, name, { nowMs })) return fail({ reason: "name-taken" });
  const lastProject = registry.lastProjectId + 1;
  const project: Project = {
    id: String(lastProject),
    name,
    createdMs: nowMs,
    ...(person && { createdBy: person.id }),
  };
  const ownership = { project: project.id, role: "owner" } as const;
  const next: RegistryState = {
    ...registry,
    lastProjectId: lastProject,
    projects: [...registry.projects, project],
    memberships: person
      ? [...registry.memberships, { ...ownership, person: person.id }]
      : registry.memberships,
  };
  // A project without a key accepts no reports.
  const firstKey = { project: project.id, kind: "public", name: "First key", origins: [] } as const;
  const withKey = addIngestKey(next, firstKey, deps);
  return withKey.ok ? ok({ ...withKey.value, subject: name, createdId: project.id }) : withKey;
}

/**
 * Changes `Project.splitDigests`. `applyRegistryChange` has checked that the actor is a member.
 * Fails with `not-found`, or with `too-many` above `limits.maxSplitDigests`.
 */
export function applySplitChange(
  registry: RegistryState,
  change: SplitChange,
): Result<RegistryChangeResult, RegistryFailure> {
  const project = findProject(registry, change.project);
  if (project === undefined) return fail({ reason: "not-found", what: "project" });
  const { splitDigests = [], ...rest } = project;
  const others = splitDigests.filter((digest) => digest !== change.digest);
  const next = change.do === "split-by-stack" ? [...others, change.digest] : others;
  if (next.length === splitDigests.length) return ok({ registry });
  const max = limits.maxSplitDigests;
  if (next.length > max) return fail({ reason: "too-many", limit: "maxSplitDigests", max });
  const changed = next.length === 0 ? rest : { ...rest, splitDigests: next };
  return ok({ ...toProjectResult(registry, changed), subject: change.digest });
}

function formatKeyless(origins: readonly string[] | null): string {
  if (origins === null) return "all accepted";
  return origins.length === 0 ? "key required" : origins.join(", ");
}

function formatNoiseRules(disabledRules: readonly SwitchableNoiseRule[]): string {
  return disabledRules.length === 0 ? "all rules" : `all rules except ${disabledRules.join(", ")}`;
}

function toProjectResult(registry: RegistryState, project: Project): RegistryChangeResult {
  const projects = registry.projects.map((one) => (one.id === project.id ? project : one));
  return { registry: { ...registry, projects }, subject: project.name };
}

function deleteProject(
  registry: RegistryState,
  project: Project,
  confirmation: string,
  nowMs: number,
): Result<RegistryChangeResult, RegistryFailure> {
  if (confirmation !== project.name)
    return fail({ reason: "not-confirmed", expected: "the project's name" });
  const withoutProject = <T extends { readonly project: string }>(all: readonly T[]) =>
    all.filter((one) => one.project !== project.id);
  return ok({
    registry: removeOrphanedPeople({
      ...registry,
      deletedProjects: [...(registry.deletedProjects ?? []), { id: project.id, deletedMs: nowMs }],
      projects: registry.projects.filter(({ id }) => id !== project.id),
      keys: withoutProject(registry.keys),
      memberships: withoutProject(registry.memberships),
      invitations: withoutProject(registry.invitations),
      tokens: withoutProject(registry.tokens),
      ...(registry.removed && {
        removed: registry.removed.filter(({ entry }) => entry.project !== project.id),
      }),
    }),
    subject: project.name,
  });
}

/** True if a project has uploads or facts of releases. */
export function hasProjectArtifacts({ projects }: RegistryState, project: string): boolean {
  return projects.some(({ id, hasArtifacts }) => id === project && hasArtifacts === true);
}

/**
 * Marks whether a project has artifacts. Null if it is already marked that way, or does not exist.
 */
export function markProjectArtifacts(
  registry: RegistryState,
  project: string,
  hasArtifacts: boolean,
): RegistryState | null {
  const known = findProject(registry, project);
  if (known === undefined || (known.hasArtifacts ?? false) === hasArtifacts) return null;
  const { hasArtifacts: _, ...rest } = known;
  const marked: Project = hasArtifacts ? { ...rest, hasArtifacts } : rest;
  const projects = registry.projects.map((one) => (one === known ? marked : one));
  return { ...registry, projects, version: registry.version + 1 };
}

/** Forgets a deleted project, after all its data is erased. */
export function forgetDeletedProject(registry: RegistryState, project: string): RegistryState {
  const deletedProjects = (registry.deletedProjects ?? []).filter(({ id }) => id !== project);
  return { ...registry, deletedProjects, version: registry.version + 1 };
}
