/** Projects are made, named, put away and deleted. */
import { limits } from "../limits.ts";
import { fail, ok, type Result } from "../result.ts";
import type { ChangeFacts, Made, RegistryFailure } from "./change.ts";
import { addKey } from "./key-changes.ts";
import { withoutStrangers } from "./member-changes.ts";
import { FIRST_PROJECT, type Project, type Registry } from "./registry.ts";
import { type Actor, personOf } from "./rights.ts";

/** Another project. `name` has been cut and is not empty. */
export interface ProjectCreation {
  readonly do: "create-project";
  readonly name: string;
}

/** What is done to a project as a whole. */
export type ProjectChange =
  | { readonly do: "rename-project"; readonly project: string; readonly name: string }
  | { readonly do: "archive-project"; readonly project: string }
  | { readonly do: "reopen-project"; readonly project: string }
  /** `typed` must be its name: what it has cannot be had again. */
  | { readonly do: "delete-project"; readonly project: string; readonly typed: string };

/** By an owner of the project. */
export function changeProject(
  registry: Registry,
  change: ProjectChange,
  { nowMs }: Pick<ChangeFacts, "nowMs">,
): Result<Made, RegistryFailure> {
  const project = registry.projects.find(({ id }) => id === change.project);
  if (project === undefined) return fail({ reason: "not-known", what: "project" });
  // What fails in Errata itself is reported there.
  const isFirst = project.id === FIRST_PROJECT;
  if (isFirst && change.do !== "rename-project") return fail({ reason: "first-project" });
  switch (change.do) {
    case "rename-project":
      if (change.name === project.name) return ok({ registry });
      return ok(withProject(registry, { ...project, name: change.name }));
    case "archive-project":
      return ok(withProject(registry, { ...project, archivedMs: project.archivedMs ?? nowMs }));
    case "reopen-project": {
      const { archivedMs: _, ...open } = project;
      return ok(withProject(registry, open));
    }
    case "delete-project":
      return deleted(registry, project, change.typed, nowMs);
  }
}

/** By an owner of any other one, who owns it then. It has a key. */
export function createProject(
  registry: Registry,
  actor: Actor,
  { name }: ProjectCreation,
  facts: ChangeFacts,
): Result<Made, RegistryFailure> {
  if (registry.projects.length >= limits.maxProjects)
    return fail({ reason: "too-many", limit: "maxProjects", max: limits.maxProjects });
  const lastProject = registry.lastProject + 1;
  const project: Project = { id: String(lastProject), name, createdMs: facts.nowMs };
  const person = personOf(registry, actor, facts.nowMs)?.id;
  const own = { project: project.id, role: "owner" } as const;
  const after: Registry = {
    ...registry,
    lastProject,
    projects: [...registry.projects, project],
    memberships: person ? [...registry.memberships, { ...own, person }] : registry.memberships,
  };
  // A project without a key takes nothing.
  const withKey = addKey(after, { project: project.id, name: "First key", origins: [] }, facts);
  return withKey.ok ? ok({ ...withKey.value, subject: name, made: project.id }) : withKey;
}

function withProject(registry: Registry, project: Project): Made {
  const projects = registry.projects.map((one) => (one.id === project.id ? project : one));
  return { registry: { ...registry, projects }, subject: project.name };
}

function deleted(
  registry: Registry,
  project: Project,
  typed: string,
  nowMs: number,
): Result<Made, RegistryFailure> {
  if (typed !== project.name) return fail({ reason: "not-typed", expected: "the project's name" });
  const others = <T extends { readonly project: string }>(all: readonly T[]) =>
    all.filter((one) => one.project !== project.id);
  return ok({
    registry: withoutStrangers({
      ...registry,
      deleted: [...(registry.deleted ?? []), { id: project.id, deletedMs: nowMs }],
      projects: registry.projects.filter(({ id }) => id !== project.id),
      keys: others(registry.keys),
      memberships: others(registry.memberships),
      invitations: others(registry.invitations),
      tokens: others(registry.tokens),
    }),
    subject: project.name,
  });
}
