/** Invites members, changes their roles and removes them. A project always has an owner. */
import { limits } from "../limits.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { fail, ok, type Result } from "../result.ts";
import { type Actor, findPerson, getActorName } from "./actors.ts";
import {
  newEntityId,
  type RegistryChangeDeps,
  type RegistryChangeResult,
  type RegistryFailure,
} from "./change-types.ts";
import type { Invitation, Membership, RegistryState, Role } from "./registry.ts";
import { rememberRemoved } from "./removed-credentials.ts";

export type MemberChange = { readonly project: string } & (
  | { readonly do: "invite"; readonly role: Role }
  | {
      readonly do: "withdraw-invitation";
      readonly invitation: string;
      readonly undoId?: string | undefined;
    }
  | { readonly do: "set-role"; readonly person: string; readonly role: Role }
  | { readonly do: "remove-member"; readonly person: string }
);

/** Lifetime of an invitation. */
const INVITATION_MS = 7 * 86_400_000;

/**
 * Invites, changes or removes members. `applyRegistryChange` has checked that the actor owns the
 * project. `secrets` contains the code of a new invitation, which is shown once. Fails with
 * `not-found`, `last-owner` or `too-many`.
 */
export function applyMemberChange(
  registry: RegistryState,
  actor: Actor,
  change: MemberChange,
  deps: RegistryChangeDeps,
): Result<RegistryChangeResult, RegistryFailure> {
  switch (change.do) {
    case "invite":
      return createInvitation(registry, actor, change, deps);
    case "withdraw-invitation": {
      const entry = registry.invitations.find((one) => isSameInvitation(one, change));
      if (entry === undefined) return fail({ reason: "not-found", what: "invitation" });
      const invitations = registry.invitations.filter((one) => one !== entry);
      const removed = { kind: "invitation", entry } as const;
      const next = { ...registry, invitations };
      return ok({ registry: rememberRemoved(next, removed, change.undoId, deps.nowMs) });
    }
    case "set-role":
      return changeMembership(registry, change, (one) => [{ ...one, role: change.role }]);
    case "remove-member":
      return changeMembership(registry, change, () => []);
  }
}

function isSameInvitation(
  one: Invitation,
  { project, invitation }: { project: string; invitation: string },
) {
  return one.id === invitation && one.project === project;
}

function createInvitation(
  registry: RegistryState,
  actor: Actor,
  { project, role }: { readonly project: string; readonly role: Role },
  { nowMs, newSecret, hash }: RegistryChangeDeps,
): Result<RegistryChangeResult, RegistryFailure> {
  const active = registry.invitations.filter(({ expiresMs }) => expiresMs > nowMs);
  if (active.filter((one) => one.project === project).length >= limits.maxInvitations)
    return fail({ reason: "too-many", limit: "maxInvitations", max: limits.maxInvitations });
  const code = newSecret();
  const invitation: Invitation = {
    id: newEntityId({ newSecret }),
    hash: hash(code),
    project,
    role,
    createdMs: nowMs,
    expiresMs: nowMs + INVITATION_MS,
    by: getActorName(registry, actor, nowMs) ?? "",
    ...omitUndefined({ byPerson: findPerson(registry, actor, nowMs)?.id }),
  };
  return ok({
    registry: { ...registry, invitations: [...active, invitation] },
    subject: role,
    secrets: [code],
    createdId: invitation.id,
  });
}

function changeMembership(
  registry: RegistryState,
  { project, person }: { readonly project: string; readonly person: string },
  change: (one: Membership) => readonly Membership[],
): Result<RegistryChangeResult, RegistryFailure> {
  const isSelected = (one: Membership) => one.project === project && one.person === person;
  if (!registry.memberships.some(isSelected)) return fail({ reason: "not-found", what: "person" });
  const memberships = registry.memberships.flatMap((one) =>
    isSelected(one) ? change(one) : [one],
  );
  if (!memberships.some((one) => one.project === project && one.role === "owner"))
    return fail({ reason: "last-owner" });
  const name = registry.people.find(({ id }) => id === person)?.name ?? person;
  const isOwner = memberships.some((one) => isSelected(one) && one.role === "owner");
  const after = { ...registry, memberships };
  return ok({
    registry: removeOrphanedPeople(
      isOwner ? after : revokeIssuedCredentials(after, project, person),
    ),
    subject: name,
  });
}

/**
 * Revokes the invitations and tokens that a former owner issued, since that person may know them.
 */
function revokeIssuedCredentials(
  registry: RegistryState,
  project: string,
  person: string,
): RegistryState {
  const isKept = (one: { readonly project: string; readonly byPerson?: string }) =>
    one.project !== project || one.byPerson !== person;
  return {
    ...registry,
    invitations: registry.invitations.filter(isKept),
    tokens: registry.tokens.filter(isKept),
    ...(registry.removed && { removed: registry.removed.filter(({ entry }) => isKept(entry)) }),
  };
}

/**
 * Removes people without a project, with their sessions and passkeys. Remembers their Access names.
 * The deployer stays.
 */
export function removeOrphanedPeople(registry: RegistryState): RegistryState {
  const members = new Set(registry.memberships.map(({ person }) => person));
  const orphaned = registry.people.filter(({ id, isDeployer }) => !members.has(id) && !isDeployer);
  if (orphaned.length === 0) return registry;
  const ids = new Set(orphaned.map(({ id }) => id));
  const names = orphaned.flatMap(({ accessName }) =>
    accessName === undefined ? [] : [accessName],
  );
  return {
    ...registry,
    people: registry.people.filter(({ id }) => !ids.has(id)),
    sessions: registry.sessions.filter(({ person }) => !ids.has(person)),
    removedAccessNames: [...(registry.removedAccessNames ?? []), ...names].slice(-limits.maxPeople),
  };
}
