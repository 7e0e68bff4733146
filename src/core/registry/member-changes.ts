/** Members are invited, given another role, and removed. A project keeps an owner. */
import { limits } from "../limits.ts";
import { present } from "../present.ts";
import { fail, ok, type Result } from "../result.ts";
import type { ChangeFacts, Made, RegistryFailure } from "./change.ts";
import { newId } from "./new-id.ts";
import type { Invitation, Membership, Registry, Role } from "./registry.ts";
import { type Actor, nameOf, personOf } from "./rights.ts";

/** What is done to the members of a project. */
export type MemberChange = { readonly project: string } & (
  | { readonly do: "invite"; readonly role: Role }
  | { readonly do: "withdraw-invitation"; readonly invitation: string }
  | { readonly do: "set-role"; readonly person: string; readonly role: Role }
  | { readonly do: "remove-member"; readonly person: string }
);

/** How long an invitation is good for. */
const INVITATION_MS = 7 * 86_400_000;

/** By an owner of the project. An invitation's code is shown once. */
export function changeMembers(
  registry: Registry,
  actor: Actor,
  change: MemberChange,
  facts: ChangeFacts,
): Result<Made, RegistryFailure> {
  switch (change.do) {
    case "invite":
      return invited(registry, actor, change, facts);
    case "withdraw-invitation": {
      const invitations = registry.invitations.filter((one) => !isIt(one, change));
      return invitations.length === registry.invitations.length
        ? fail({ reason: "not-known", what: "invitation" })
        : ok({ registry: { ...registry, invitations } });
    }
    case "set-role":
      return withMembers(registry, change, (one) => [{ ...one, role: change.role }]);
    case "remove-member":
      return withMembers(registry, change, () => []);
  }
}

function isIt(one: Invitation, { project, invitation }: { project: string; invitation: string }) {
  return one.id === invitation && one.project === project;
}

function invited(
  registry: Registry,
  actor: Actor,
  { project, role }: { readonly project: string; readonly role: Role },
  { nowMs, mintSecret, hash }: ChangeFacts,
): Result<Made, RegistryFailure> {
  const good = registry.invitations.filter(({ endsMs }) => endsMs > nowMs);
  if (good.filter((one) => one.project === project).length >= limits.maxInvitations)
    return fail({ reason: "too-many", limit: "maxInvitations", max: limits.maxInvitations });
  const code = mintSecret();
  const invitation: Invitation = {
    id: newId({ mintSecret }),
    hash: hash(code),
    project,
    role,
    createdMs: nowMs,
    endsMs: nowMs + INVITATION_MS,
    by: nameOf(registry, actor, nowMs) ?? "",
    ...present({ byPerson: personOf(registry, actor, nowMs)?.id }),
  };
  return ok({
    registry: { ...registry, invitations: [...good, invitation] },
    subject: role,
    shown: [code],
    made: invitation.id,
  });
}

function withMembers(
  registry: Registry,
  { project, person }: { readonly project: string; readonly person: string },
  change: (one: Membership) => readonly Membership[],
): Result<Made, RegistryFailure> {
  const isMeant = (one: Membership) => one.project === project && one.person === person;
  if (!registry.memberships.some(isMeant)) return fail({ reason: "not-known", what: "person" });
  const memberships = registry.memberships.flatMap((one) => (isMeant(one) ? change(one) : [one]));
  if (!memberships.some((one) => one.project === project && one.role === "owner"))
    return fail({ reason: "last-owner" });
  const name = registry.people.find(({ id }) => id === person)?.name ?? person;
  const isOwner = memberships.some((one) => isMeant(one) && one.role === "owner");
  const after = { ...registry, memberships };
  return ok({
    registry: withoutStrangers(isOwner ? after : withoutGiven(after, project, person)),
    subject: name,
  });
}

/** What somebody let others in by goes with his right to do so: it may be in his own pocket. */
function withoutGiven(registry: Registry, project: string, person: string): Registry {
  const stays = (one: { readonly project: string; readonly byPerson?: string }) =>
    one.project !== project || one.byPerson !== person;
  return {
    ...registry,
    invitations: registry.invitations.filter(stays),
    tokens: registry.tokens.filter(stays),
  };
}

/**
 * Who is in no project any more is forgotten, with his sessions and passkeys; of whoever comes through Access the name is remembered.
 * The deployer stays.
 */
export function withoutStrangers(registry: Registry): Registry {
  const members = new Set(registry.memberships.map(({ person }) => person));
  const gone = registry.people.filter(({ id, deployer }) => !members.has(id) && !deployer);
  if (gone.length === 0) return registry;
  const ids = new Set(gone.map(({ id }) => id));
  const names = gone.flatMap(({ access }) => (access === undefined ? [] : [access]));
  return {
    ...registry,
    people: registry.people.filter(({ id }) => !ids.has(id)),
    sessions: registry.sessions.filter(({ person }) => !ids.has(person)),
    removed: [...(registry.removed ?? []), ...names].slice(-limits.maxPeople),
  };
}
