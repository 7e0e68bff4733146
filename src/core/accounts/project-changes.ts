/** Creates, renames, archives and deletes projects, and marks those with uploads. */
import * as v from "valibot";
import { limits } from "../limits.ts";
import { SWITCHABLE_NOISE_RULES, type SwitchableNoiseRule } from "../noise/noise-rules.ts";
import type { Digest } from "../report.ts";
import { fail, ok } from "../result.ts";
import { decodedField, formObject } from "../schema/form.ts";
import { findPerson } from "./actors.ts";
import {
  type ChangeResult,
  type ChangeScope,
  choiceField,
  defineChange,
  idField,
  nameField,
  type RegistryChangeResult,
  thingName,
} from "./define-change.ts";
import { addIngestKey, decodeOrigins, EXPECTED_ORIGINS } from "./key-changes.ts";
import { removeOrphanedPeople } from "./member-changes.ts";
import { isProjectName } from "./names.ts";
import { FIRST_PROJECT_ID } from "./project-path.ts";
import { findProject, type Project, type RegistryState } from "./registry.ts";
import { checkRoomForProject } from "./registry-space.ts";

const KEYLESS_MODES = ["accept", "origins", "require"] as const;

/** A box of a form, which sends only those that are checked. Programs may also send false. */
function box(name: string) {
  const readBox = (value: unknown) =>
    value === "on" || value === true ? true : value === false ? false : undefined;
  return v.optional(decodedField(readBox, `${name} to be on or absent`, "boolean"));
}

/** The changes of projects. */
export const PROJECT_CHANGES = [
  /**
   * Adds a project with one public key. The actor becomes the owner; `createdId` is the project's
   * id. Fails with `too-many` or `name-taken`.
   */
  defineChange({
    name: "create-project",
    role: "any-owner",
    input: formObject({
      name: nameField(
        limits.maxProjectNameChars,
        `a name of at most ${limits.maxProjectNameChars} characters`,
      ),
    }),
    audit: "created the project {subject}",
    apply: createProject,
  }),
  defineChange({
    name: "rename-project",
    role: "owner",
    isForTokens: true,
    input: formObject({ name: thingName }),
    audit: "renamed the project to {subject}",
    apply({ registry, project, actor, nowMs }, { name }) {
      if (name === project.name) return ok({ registry });
      return isProjectName(registry, actor, name, { nowMs, except: project.id })
        ? fail({ reason: "name-taken" })
        : ok(toProjectResult(registry, { ...project, name }));
    },
  }),
  defineChange({
    name: "archive-project",
    role: "owner",
    isForTokens: true,
    input: formObject({}),
    audit: "archived the project {subject}",
    apply({ registry, project, nowMs }) {
      if (project.id === FIRST_PROJECT_ID) return FIRST_PROJECT_STAYS;
      const archivedMs = project.archivedMs ?? nowMs;
      return ok(toProjectResult(registry, { ...project, archivedMs }));
    },
  }),
  defineChange({
    name: "reopen-project",
    role: "owner",
    isForTokens: true,
    input: formObject({}),
    audit: "reopened the project {subject}",
    apply({ registry, project }) {
      if (project.id === FIRST_PROJECT_ID) return FIRST_PROJECT_STAYS;
      return ok(toProjectResult(registry, { ...project, archivedMs: undefined }));
    },
  }),
  /** `origins`: see `Project.keylessOrigins`; null accepts every report without a key. */
  defineChange({
    name: "set-keyless",
    role: "owner",
    isForTokens: true,
    // Other modes ignore `origins`, which the form always contains.
    input: v.pipe(
      formObject({
        keyless: choiceField(KEYLESS_MODES, "keyless to be accept, origins or require"),
        origins: v.optional(decodedField((sent) => sent ?? null, EXPECTED_ORIGINS, "list")),
      }),
      v.rawTransform(({ dataset, addIssue }): { readonly origins: readonly string[] | null } => {
        const { keyless, origins } = dataset.value;
        if (keyless !== "origins") return { origins: keyless === "accept" ? null : [] };
        const listed = decodeOrigins(origins) ?? [];
        if (listed.length === 0) addIssue({ message: EXPECTED_ORIGINS });
        return { origins: listed };
      }),
    ),
    audit: "set “Reports without a key” to {subject}",
    apply({ registry, project: { keylessOrigins: _, ...rest } }, { origins }) {
      const next = origins === null ? rest : { ...rest, keylessOrigins: origins };
      return ok({ ...toProjectResult(registry, next), subject: formatKeyless(origins) });
    },
  }),
  /** Switches off these noise rules and switches on all others. */
  defineChange({
    name: "set-noise-rules",
    role: "owner",
    isForTokens: true,
    input: v.pipe(
      formObject({
        extension: box("extension"),
        injected: box("injected"),
        translated: box("translated"),
      } satisfies Record<SwitchableNoiseRule, unknown>),
      v.transform((boxes): { readonly disabledRules: readonly SwitchableNoiseRule[] } => ({
        disabledRules: SWITCHABLE_NOISE_RULES.filter((rule) => boxes[rule] !== true),
      })),
    ),
    audit: "set “Noise” to {subject}",
    apply({ registry, project: { disabledNoiseRules: _, ...rest } }, { disabledRules }) {
      const next =
        disabledRules.length === 0 ? rest : { ...rest, disabledNoiseRules: disabledRules };
      return ok({ ...toProjectResult(registry, next), subject: formatNoiseRules(disabledRules) });
    },
  }),
  /** `confirmation` must be the project's name, because deletion cannot be undone. */
  defineChange({
    name: "delete-project",
    role: "owner",
    input: v.pipe(
      formObject({ confirm: idField("confirm", "the name of the project") }),
      v.transform(({ confirm }) => ({ confirmation: confirm })),
    ),
    audit: "deleted the project {subject}",
    revokes: true,
    apply: deleteProject,
  }),
  /** Starts the split of a digest by stack. Programs may do it for members. */
  defineChange({
    name: "split-by-stack",
    role: "member",
    audit: "split by stack {subject}",
    apply: (scope, { digest }: { readonly digest: Digest }) => setSplit(scope, digest, true),
  }),
  defineChange({
    name: "group-together",
    role: "member",
    audit: "ended the split by stack of {subject}",
    apply: (scope, { digest }: { readonly digest: Digest }) => setSplit(scope, digest, false),
  }),
] as const;

/** It cannot be archived or deleted, because it receives Errata's own errors. */
const FIRST_PROJECT_STAYS = fail({ reason: "first-project" });

function createProject(
  { registry, actor, ...deps }: ChangeScope<"any-owner">,
  { name }: { readonly name: string },
): ChangeResult {
  const { nowMs } = deps;
  const person = findPerson(registry, actor, nowMs);
  // Local access has the rights of the deployer.
  const isDeployer = person === undefined || person.isDeployer === true;
  const room = checkRoomForProject(registry, isDeployer);
  if (!room.ok) return room;
  const created = registry.projects.filter(
    ({ createdBy }) => createdBy !== undefined && createdBy === person?.id,
  );
  const max = limits.maxProjectsPerPerson;
  if (created.length >= max && !isDeployer)
    return fail({ reason: "too-many", limit: "maxProjectsPerPerson", max });
  if (isProjectName(registry, actor, name, { nowMs })) return fail({ reason: "name-taken" });
  const lastProjectId = registry.lastProjectId + 1;
  const id = String(lastProjectId);
  const project: Project = { id, name, createdMs: nowMs, createdBy: person?.id };
  const next: RegistryState = {
    ...registry,
    lastProjectId,
    projects: [...registry.projects, project],
    memberships: person
      ? [
          ...registry.memberships,
          { project: id, role: "owner", person: person.id, joinedMs: nowMs },
        ]
      : registry.memberships,
  };
  // A project without a key accepts no reports.
  const firstKey = { project: id, kind: "public", name: "First key", origins: [] } as const;
  const withKey = addIngestKey(next, firstKey, deps);
  return withKey.ok ? ok({ ...withKey.value, subject: name, createdId: id }) : withKey;
}

/** Changes `Project.splitDigests`. Fails with `too-many` above `limits.maxSplitDigests`. */
function setSplit(
  { registry, project: { splitDigests = [], ...rest } }: ChangeScope<"member">,
  digest: Digest,
  isSplit: boolean,
): ChangeResult {
  const others = splitDigests.filter((one) => one !== digest);
  const next = isSplit ? [...others, digest] : others;
  if (next.length === splitDigests.length) return ok({ registry });
  const max = limits.maxSplitDigests;
  if (next.length > max) return fail({ reason: "too-many", limit: "maxSplitDigests", max });
  const changed = next.length === 0 ? rest : { ...rest, splitDigests: next };
  return ok({ ...toProjectResult(registry, changed), subject: digest });
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
  { registry, project: { id, name }, nowMs }: ChangeScope<"owner">,
  { confirmation }: { readonly confirmation: string },
): ChangeResult {
  if (id === FIRST_PROJECT_ID) return FIRST_PROJECT_STAYS;
  if (confirmation !== name)
    return fail({ reason: "not-confirmed", expected: "the project's name" });
  const withoutProject = <T extends { readonly project: string }>(all: readonly T[]) =>
    all.filter((one) => one.project !== id);
  return ok({
    registry: removeOrphanedPeople({
      ...registry,
      deletedProjects: [...(registry.deletedProjects ?? []), { id, deletedMs: nowMs }],
      projects: registry.projects.filter((one) => one.id !== id),
      keys: withoutProject(registry.keys),
      memberships: withoutProject(registry.memberships),
      invitations: withoutProject(registry.invitations),
      tokens: withoutProject(registry.tokens),
      grants: registry.grants?.filter((one) => one.project !== id),
      removed: registry.removed?.filter(({ entry }) => entry.project !== id),
    }),
    subject: name,
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
