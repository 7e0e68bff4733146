/** Invites members, changes their roles and removes them. A project always has an owner. */

import { limits } from "../limits.ts";
import { fail, ok } from "../result.ts";
import { formObject } from "../schema/form.ts";
import { findPerson, getActorName } from "./actors.ts";
import {
  type ChangeResult,
  type ChangeScope,
  defineChange,
  idField,
  newEntityId,
  roleField,
} from "./define-change.ts";
import { type Invitation, type Membership, type RegistryState, ROLES } from "./registry.ts";
import { rememberRemoved } from "./removed-credentials.ts";

/** Lifetime of an invitation. */
const INVITATION_MS = 7 * 86_400_000;

/** The changes of members. They fail with `not-found`, `last-owner` or `too-many`. */
export const MEMBER_CHANGES = [
  /** `secrets` contains the code of the invitation, which is shown once. */
  defineChange({
    name: "invite",
    role: "owner",
    input: formObject({ role: roleField(ROLES) }),
    audit: "created an invitation for the role {subject}",
    apply({ registry, project, actor, nowMs, newSecret, hash, requestId }, { role }) {
      const id = newEntityId({ newSecret, requestId });
      if (registry.invitations.some((one) => one.id === id)) return ok({ registry, createdId: id });
      const active = registry.invitations.filter(({ expiresMs }) => expiresMs > nowMs);
      if (active.filter((one) => one.project === project.id).length >= limits.maxInvitations)
        return fail({ reason: "too-many", limit: "maxInvitations", max: limits.maxInvitations });
      const code = newSecret();
      const invitation: Invitation = {
        id,
        hash: hash(code),
        project: project.id,
        role,
        createdMs: nowMs,
        expiresMs: nowMs + INVITATION_MS,
        by: getActorName(registry, actor, nowMs) ?? "",
        byPerson: findPerson(registry, actor, nowMs)?.id,
      };
      return ok({
        registry: { ...registry, invitations: [...active, invitation] },
        subject: role,
        secrets: [code],
        createdId: invitation.id,
      });
    },
  }),
  defineChange({
    name: "withdraw-invitation",
    role: "owner",
    isForTokens: true,
    input: formObject({ invitation: idField("invitation", "the id of an invitation") }),
    audit: "withdrew the invitation {subject}",
    removalMessage: "invitation-withdrawn",
    apply({ registry, project, undoId, nowMs }, { invitation }) {
      const entry = registry.invitations.find(
        (one) => one.id === invitation && one.project === project.id,
      );
      if (entry === undefined) return fail({ reason: "not-found", what: "invitation" });
      const invitations = registry.invitations.filter((one) => one !== entry);
      const removed = { kind: "invitation", entry } as const;
      const next = { ...registry, invitations };
      const subject = `for ${entry.role === "owner" ? "an owner" : `a ${entry.role}`}`;
      return ok({ registry: rememberRemoved(next, removed, undoId, nowMs), subject });
    },
  }),
  defineChange({
    name: "set-role",
    role: "owner",
    input: formObject({ person: idField("person"), role: roleField(ROLES) }),
    audit: "changed the role of {subject}",
    revokes: true,
    apply: (scope, { person, role }) =>
      changeMembership(scope, person, (one) => [{ ...one, role }]),
  }),
  defineChange({
    name: "remove-member",
    role: "owner",
    input: formObject({ person: idField("person") }),
    audit: "removed {subject}",
    revokes: true,
    apply: (scope, { person }) => changeMembership(scope, person, () => []),
  }),
] as const;

function changeMembership(
  { registry, project: { id: project } }: ChangeScope<"owner">,
  person: string,
  change: (one: Membership) => readonly Membership[],
): ChangeResult {
  const isSelected = (one: Membership) => one.project === project && one.person === person;
  if (!registry.memberships.some(isSelected)) return fail({ reason: "not-found", what: "person" });
  const memberships = registry.memberships.flatMap((one) =>
    isSelected(one) ? change(one) : [one],
  );
  if (!memberships.some((one) => one.project === project && one.role === "owner"))
    return fail({ reason: "last-owner" });
  const name = registry.people.find(({ id }) => id === person)?.name ?? person;
  const isOwner = memberships.some((one) => isSelected(one) && one.role === "owner");
  const isMember = memberships.some(isSelected);
  const grants = registry.grants?.filter(
    (one) => isMember || one.person !== person || one.project !== project,
  );
  const after = { ...registry, memberships, grants };
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
    removed: registry.removed?.filter(({ entry }) => isKept(entry)),
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
    grants: registry.grants?.filter(({ person }) => !ids.has(person)),
    removedAccessNames: [...(registry.removedAccessNames ?? []), ...names].slice(-limits.maxPeople),
  };
}
