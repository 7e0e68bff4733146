/**
 * How people come in: by the link of a deployment, by an invitation, by a recovery code, by a passkey, through Cloudflare Access.
 * A session is always a new one, whatever the browser had before.
 */
import { limits } from "../limits.ts";
import { fail, ok, type Result } from "../result.ts";
import type { ChangeFacts, Made, RegistryFailure } from "./change.ts";
import { newId } from "./new-id.ts";
import type { AnsweredChallenge } from "./own-changes.ts";
import { FIRST_PROJECT, type Person, type Registry, type Role } from "./registry.ts";
import { type Actor, personOf } from "./rights.ts";

/** What opens the door. `agent` is what the browser calls itself, cut; `before` the session that it had, which ends. */
export type EnterChange =
  | ({
      readonly do: "enter-by-code";
      /** SHA-256 of the code, in hex. */
      readonly hash: string;
      /** What the person wants to be called; for whoever is new. */
      readonly name?: string | undefined;
      /** The code of this deployment, where there is one that is good. */
      readonly setup?: SetupCode | undefined;
    } & Browser)
  | ({
      readonly do: "enter-by-passkey";
      readonly passkey: string;
      readonly counter: number;
    } & Browser &
      AnsweredChallenge)
  /** Cloudflare Access let somebody through who has not been here before. */
  | { readonly do: "arrive"; readonly name: string };

interface Browser {
  readonly agent: string;
  readonly before?: string | undefined;
}

/** The one-time code that whoever deploys Errata has: its SHA-256 in hex, and until when it is good. */
export interface SetupCode {
  readonly hash: string;
  readonly untilMs: number;
}

/** How long a session lasts. */
export const SESSION_MS = 30 * 86_400_000;

/** Anybody may try. An invitation is taken by whoever is signed in already, without another person coming into being. */
export function enter(
  registry: Registry,
  actor: Actor | null,
  change: EnterChange,
  facts: ChangeFacts,
): Result<Made, RegistryFailure> {
  switch (change.do) {
    case "enter-by-code":
      return byCode(registry, actor, change, facts);
    case "enter-by-passkey":
      return byPasskey(registry, change, facts);
    case "arrive":
      return arrived(registry, change.name, facts);
  }
}

function byCode(
  registry: Registry,
  actor: Actor | null,
  change: Extract<EnterChange, { do: "enter-by-code" }>,
  facts: ChangeFacts,
): Result<Made, RegistryFailure> {
  const { nowMs } = facts;
  const { hash, setup } = change;
  const isSpent = registry.spent.some((one) => one.hash === hash);
  if (setup?.hash === hash && setup.untilMs > nowMs && !isSpent) {
    const spent = [...registry.spent, { hash, untilMs: setup.untilMs }];
    const person = deployerOf(registry, change.name, facts);
    return begun(owning({ ...registry, spent }, person), person, change, {
      ...facts,
      deed: "enter-by-link",
    });
  }
  const invitation = registry.invitations.find((one) => one.hash === hash && one.endsMs > nowMs);
  if (invitation !== undefined) {
    const invitations = registry.invitations.filter((one) => one !== invitation);
    const known = actor === null ? undefined : personOf(registry, actor, nowMs);
    if (known === undefined && registry.people.length >= limits.maxPeople)
      return fail({ reason: "too-many", limit: "maxPeople", max: limits.maxPeople });
    const person = known ?? aPerson(change.name ?? "New member", facts);
    const after = member({ ...withPerson(registry, person), invitations }, person, invitation);
    // Who is in already stays in as he is.
    return known === undefined
      ? begun(after, person, change, { ...facts, deed: "enter-by-invitation" })
      : ok({
          registry: after,
          subject: person.name,
          person: person.id,
          deed: "enter-by-invitation",
        });
  }
  const owner = registry.people.find(({ recoveryHashes }) => recoveryHashes.includes(hash));
  if (owner === undefined) return fail({ reason: "bad-code" });
  const recoveryHashes = owner.recoveryHashes.filter((one) => one !== hash);
  const person = { ...owner, recoveryHashes };
  return begun(withPerson(registry, person), person, change, {
    ...facts,
    deed: "enter-by-recovery-code",
  });
}

function byPasskey(
  registry: Registry,
  change: Extract<EnterChange, { do: "enter-by-passkey" }>,
  facts: ChangeFacts,
): Result<Made, RegistryFailure> {
  const owner = registry.people.find(({ passkeys }) =>
    passkeys.some(({ id }) => id === change.passkey),
  );
  const isSpent = registry.spent.some(({ hash }) => hash === change.challenge);
  if (owner === undefined || isSpent) return fail({ reason: "bad-passkey" });
  const person = {
    ...owner,
    passkeys: owner.passkeys.map((one) =>
      one.id === change.passkey ? { ...one, counter: change.counter } : one,
    ),
  };
  const spent = [...registry.spent, { hash: change.challenge, untilMs: change.untilMs }];
  return begun(withPerson({ ...registry, spent }, person), person, change, facts);
}

/**
 * Whoever Access lets through is a member of the first project, and owns it while nobody does. Somebody who was removed does not become
 * a member again by himself.
 */
function arrived(
  registry: Registry,
  name: string,
  facts: ChangeFacts,
): Result<Made, RegistryFailure> {
  if (registry.people.some(({ access }) => access === name)) return ok({ registry });
  if (registry.removed?.includes(name)) return fail({ reason: "not-allowed" });
  if (registry.people.length >= limits.maxPeople)
    return fail({ reason: "too-many", limit: "maxPeople", max: limits.maxPeople });
  const person = { ...aPerson(name, facts), access: name };
  const hasOwner = registry.memberships.some(
    ({ project, role }) => project === FIRST_PROJECT && role === "owner",
  );
  const role = hasOwner ? "member" : "owner";
  const after = member(withPerson(registry, person), person, { project: FIRST_PROJECT, role });
  return ok({ registry: after, subject: name, person: person.id });
}

function deployerOf(registry: Registry, name = "Deployer", facts: ChangeFacts): Person {
  const known = registry.people.find(({ deployer }) => deployer);
  return known ?? { ...aPerson(name, facts), deployer: true };
}

function aPerson(
  name: string,
  { nowMs, mintSecret }: Pick<ChangeFacts, "nowMs" | "mintSecret">,
): Person {
  const id = newId({ mintSecret });
  return { id, name, createdMs: nowMs, passkeys: [], recoveryHashes: [] };
}

function withPerson(registry: Registry, person: Person): Registry {
  const isKnown = registry.people.some(({ id }) => id === person.id);
  const people = isKnown
    ? registry.people.map((one) => (one.id === person.id ? person : one))
    : [...registry.people, person];
  return { ...registry, people };
}

/** Whoever deploys Errata owns all there is: he could read it anyway. */
function owning(registry: Registry, person: Person): Registry {
  return registry.projects.reduce(
    (before, { id: project }) => member(before, person, { project, role: "owner" }),
    withPerson(registry, person),
  );
}

/** A member with this role, or with the greater one that the person has already. */
function member(
  registry: Registry,
  { id: person }: Person,
  { project, role }: { readonly project: string; readonly role: Role },
): Registry {
  const isIt = (one: { project: string; person: string }) =>
    one.project === project && one.person === person;
  const had = registry.memberships.find(isIt);
  const others = registry.memberships.filter((one) => !isIt(one));
  const isGreater = had !== undefined && (had.role === "owner" || role === "viewer");
  return {
    ...registry,
    memberships: [...others, isGreater ? had : { project, person, role }],
  };
}

function begun(
  registry: Registry,
  person: Person,
  { agent, before }: Browser,
  { nowMs, mintSecret, deed }: ChangeFacts & { readonly deed?: string },
): Result<Made, RegistryFailure> {
  const session = {
    id: mintSecret(),
    person: person.id,
    createdMs: nowMs,
    endsMs: nowMs + SESSION_MS,
    agent,
  };
  const kept = registry.sessions.filter(({ id }) => id !== before);
  const own = kept.filter((one) => one.person === person.id);
  // The oldest makes room.
  const ended = new Set(own.slice(0, Math.max(0, own.length + 1 - limits.maxSessionsPerPerson)));
  const sessions = [...kept.filter((one) => !ended.has(one)), session].slice(-limits.maxSessions);
  return ok({
    registry: { ...registry, sessions },
    subject: person.name,
    person: person.id,
    session: session.id,
    ...(deed !== undefined && { deed }),
  });
}
