/**
 * All changes of the registry, and their application. Pure: the registry, the change and the actor
 * go in; the new registry or a failure comes out.
 */

import { fail, ok, type Result } from "../result.ts";
import { type ParsedForm, parseForm } from "../schema/form.ts";
import { type Actor, findPerson, getRoleInProject, hasRole, isActive } from "./actors.ts";
import type {
  ChangeDefinition,
  ChangeRole,
  RegistryChangeDeps,
  RegistryChangeResult,
  RegistryFailure,
  RequestFacts,
} from "./define-change.ts";
import { GRANT_CHANGES } from "./grant-changes.ts";
import { KEY_CHANGES } from "./key-changes.ts";
import { MEMBER_CHANGES } from "./member-changes.ts";
import { PROFILE_CHANGES } from "./profile-changes.ts";
import { PROJECT_CHANGES } from "./project-changes.ts";
import { findProject, type Project, type RegistryState } from "./registry.ts";
import { checkShares } from "./registry-space.ts";
import { forgetRemoved, RESTORE_CHANGES } from "./removed-credentials.ts";
import { SIGN_IN_CHANGES } from "./sign-in-changes.ts";
import { TOKEN_CHANGES } from "./token-changes.ts";

const CHANGES = [
  ...PROJECT_CHANGES,
  ...KEY_CHANGES,
  ...MEMBER_CHANGES,
  ...TOKEN_CHANGES,
  ...RESTORE_CHANGES,
  ...PROFILE_CHANGES,
  ...GRANT_CHANGES,
  ...SIGN_IN_CHANGES,
] as const;

type Definition = (typeof CHANGES)[number];

/** The name of a change. */
export type RegistryChangeName = Definition["name"];

/** A change to apply: its name, its project if it belongs to one, and its members. */
export type RegistryChange = ChangeOf<Definition>;

type ChangeOf<D> =
  D extends ChangeDefinition<infer Name, infer Role, infer Input>
    ? { readonly do: Name } & (Role extends "member" | "owner"
        ? { readonly project: string }
        : unknown) &
        Input &
        RequestFacts
    : never;

/** The declarations, by name. */
export const REGISTRY_CHANGES = Object.fromEntries(
  CHANGES.map((change) => [change.name, change]),
) as unknown as { readonly [D in Definition as D["name"]]: D };

/** The declaration of a change by its name. */
export function getRegistryChange(name: RegistryChangeName): ChangeDefinition {
  return REGISTRY_CHANGES[name] as unknown as ChangeDefinition;
}

/**
 * Parses the fields of the form whose changes require `role`: `do` names the change, and only its
 * own fields are allowed. `facts` are those that nobody can send.
 */
export function parseChangeForm(
  role: ChangeRole,
  { do: name, ...fields }: Readonly<Record<string, unknown>>,
  facts: RequestFacts & { readonly project?: string },
): ParsedForm<RegistryChange> {
  const offered = CHANGES.filter((one) => one.role === role && one.input !== undefined);
  const input = offered.find((one) => one.name === name)?.input;
  if (input === undefined) {
    const names = offered.map((one) => one.name).join(", ");
    return { ok: false, reason: "mismatch", expected: `do to be one of ${names}` };
  }
  const parsed = parseForm<object>(input, fields, ["do"]);
  return parsed.ok
    ? { ok: true, value: { ...facts, ...parsed.value, do: name } as RegistryChange }
    : parsed;
}

/**
 * Checks the permission for a change and applies it. `actor` is null without sign-in, which permits
 * only signing in. Returns the new registry without expired entries, or the same object if nothing
 * changed. Fails with `forbidden`, with `too-many` above a share of the registry, and with the
 * failures of the change.
 */
export function applyRegistryChange(
  registry: RegistryState,
  actor: Actor | null,
  change: RegistryChange,
  deps: RegistryChangeDeps,
): Result<RegistryChangeResult, RegistryFailure> {
  const { nowMs } = deps;
  const { isUrgent = false, apply } = getRegistryChange(change.do);
  const allowed = checkRole(registry, actor, change, nowMs);
  if (allowed === null) return fail({ reason: "forbidden" });
  const { undoId, origin, except, requestId } = change;
  const scope = { registry, ...deps, ...allowed, undoId, origin, except, requestId };
  const result = apply(scope as Parameters<typeof apply>[0], change);
  if (!result.ok || result.value.registry === registry) return result;
  const isValid = ({ expiresMs }: { expiresMs?: number | undefined }) => isActive(expiresMs, nowMs);
  const changed = result.value.registry;
  const next = {
    ...forgetRemoved(changed, nowMs),
    usedCodes: changed.usedCodes.filter(isValid),
    sessions: changed.sessions.filter(isValid),
    keys: changed.keys.filter(isValid),
    tokens: changed.tokens.filter(isValid),
    ...(changed.grants !== undefined && { grants: changed.grants.filter(isValid) }),
    version: registry.version + 1,
  };
  const room = checkShares(registry, next, isUrgent);
  return room.ok ? ok({ ...result.value, registry: next }) : room;
}

/** What a change gets by its role; null if the actor does not have it. */
function checkRole(
  registry: RegistryState,
  actor: Actor | null,
  change: RegistryChange,
  nowMs: number,
) {
  const { role, isForTokens = false } = getRegistryChange(change.do);
  if (role === "anyone") return { actor };
  if (actor === null) return null;
  switch (role) {
    case "person": {
      const person = findPerson(registry, actor, nowMs);
      return person === undefined ? null : { actor, person };
    }
    case "any-owner": {
      const owns = ({ id }: Project) => getRoleInProject(registry, actor, id, nowMs) === "owner";
      return actor.kind !== "token" && registry.projects.some(owns) ? { actor } : null;
    }
    case "member":
    case "owner": {
      // A token must not create tokens, or outlive the person who issued it.
      if (role === "owner" && actor.kind === "token" && !isForTokens) return null;
      const id = "project" in change ? change.project : undefined;
      const project = id === undefined ? undefined : findProject(registry, id);
      if (project === undefined) return null;
      return hasRole(getRoleInProject(registry, actor, project.id, nowMs), role)
        ? { actor, project }
        : null;
    }
  }
}

/** The texts of the audit log by action, with `{subject}`. */
export const CHANGE_AUDIT_TEXTS: Readonly<Record<string, string>> = Object.assign(
  {},
  ...CHANGES.map(({ name, audit }) => (typeof audit === "string" ? { [name]: audit } : audit)),
);

/** The actions of sign-ins, whose subject is also their author. */
export const SIGN_IN_ACTIONS: ReadonlySet<string> = new Set(
  SIGN_IN_CHANGES.flatMap(({ name, audit }) =>
    typeof audit === "string" ? [name] : Object.keys(audit),
  ),
);
