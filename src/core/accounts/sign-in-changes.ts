/**
 * Signing in: with a setup link, an invitation, a recovery code or a passkey, or through Cloudflare
 * Access. Every sign-in starts a new session.
 */
import { limits } from "../limits.ts";
import { fail, ok, type Result } from "../result.ts";
import { findPerson, hasOwner } from "./actors.ts";
import {
  type ChangeResult,
  type ChangeScope,
  defineChange,
  newEntityId,
  type RegistryChangeDeps,
  type RegistryChangeResult,
  type RegistryFailure,
} from "./define-change.ts";
import { isMemberName, toUniqueMemberName } from "./names.ts";
import type { ConsumedChallenge } from "./profile-changes.ts";
import { FIRST_PROJECT_ID } from "./project-path.ts";
import type { Person, RegistryState, Role, Session } from "./registry.ts";
import { checkRoomForPerson } from "./registry-space.ts";

/** Lifetime of a session. */
export const SESSION_MS = 30 * 86_400_000;

/** The browser that signs in. */
export interface SignInClient {
  readonly userAgent: string;
  readonly previousSession?: string | undefined;
}

/** The one-time code of a deployment: its SHA-256 in hex, and when it expires. */
export interface SetupCode {
  readonly hash: string;
  readonly expiresMs: number;
}

interface CodeSignIn extends SignInClient {
  /** SHA-256 of the code, in hex. */
  readonly hash: string;
  /** The display name of a new person, who needs one. */
  readonly name?: string | undefined;
  /** The valid setup code of this deployment, if there is one. */
  readonly setup?: SetupCode | undefined;
}

interface PasskeySignIn extends SignInClient, ConsumedChallenge {
  readonly passkey: string;
  readonly counter: number;
}

/** Cloudflare Access admitted an unknown person or service. */
interface AccessSignIn {
  readonly name: string;
  /** Whether it becomes an owner of the first project; `if-none` only if that has no owner. */
  readonly ownership: "granted" | "if-none" | "never";
}

/**
 * All sign-ins. The result has the `sessionId`, except for Cloudflare Access. They fail with
 * `bad-code`, `bad-passkey`, `name-missing`, `name-taken` or `too-many`, or with `forbidden` for a
 * removed person who returns through Cloudflare Access.
 */
export const SIGN_IN_CHANGES = [
  /** A person who is signed in can accept an invitation without a new account. */
  defineChange({
    name: "sign-in-with-code",
    role: "anyone",
    audit: {
      "sign-in-with-link": "signed in with a setup link",
      "sign-in-with-invitation": "accepted an invitation",
      "sign-in-with-recovery-code": "signed in with a recovery code",
    },
    isUrgent: true,
    apply: signInByCode,
  }),
  defineChange({
    name: "sign-in-with-passkey",
    role: "anyone",
    audit: "signed in with a passkey",
    isUrgent: true,
    apply: signInByPasskey,
  }),
  defineChange({
    name: "access-sign-in",
    role: "anyone",
    audit: "signed in through Cloudflare Access for the first time",
    isUrgent: true,
    apply: signInByAccess,
  }),
] as const;

function signInByCode(
  { registry, actor, ...deps }: ChangeScope<"anyone">,
  change: CodeSignIn,
): ChangeResult {
  const { nowMs } = deps;
  const { hash, setup } = change;
  if (setup !== undefined && isSetupCode(registry, { hash, setup, nowMs })) {
    const usedCodes = [...registry.usedCodes, { hash, expiresMs: setup.expiresMs }];
    const person = findOrCreateDeployer(registry, change.name, deps);
    if (!person.ok) return person;
    const after = grantOwnership({ ...registry, usedCodes }, person.value, nowMs);
    return startSession(after, person.value, change, { ...deps, action: "sign-in-with-link" });
  }
  const invitation = registry.invitations.find((one) => one.hash === hash && one.expiresMs > nowMs);
  if (invitation !== undefined) {
    const invitations = registry.invitations.filter((one) => one !== invitation);
    const existing = actor === null ? undefined : findPerson(registry, actor, nowMs);
    const room = checkRoomForPerson(registry, invitation.project);
    if (existing === undefined && !room.ok) return room;
    const projects = [invitation.project];
    const name = existing?.name ?? change.name;
    if (name === undefined) return fail({ reason: "name-missing" });
    if (isMemberName(registry, name, { projects, except: existing?.id ?? "" }))
      return fail({ reason: "name-taken" });
    const person = existing ?? createPerson(name, deps);
    const added = { ...upsertPerson(registry, person), invitations };
    const after = grantMembership(added, person, invitation, nowMs);
    const action = "sign-in-with-invitation";
    // A person who is already signed in keeps the session.
    return existing === undefined
      ? startSession(after, person, change, { ...deps, action })
      : ok({ registry: after, subject: person.name, personId: person.id, action });
  }
  const owner = registry.people.find(({ recoveryCodeHashes }) => recoveryCodeHashes.includes(hash));
  if (owner === undefined) return fail({ reason: "bad-code" });
  const recoveryCodeHashes = owner.recoveryCodeHashes.filter((one) => one !== hash);
  const person = { ...owner, recoveryCodeHashes, hadCredentials: true } as const;
  const action = "sign-in-with-recovery-code";
  return startSession(upsertPerson(registry, person), person, change, { ...deps, action });
}

/** True if `hash` is that of the deployment's setup code, which is valid and was not used. */
export function isSetupCode(
  { usedCodes }: RegistryState,
  { hash, setup, nowMs }: Pick<CodeSignIn, "hash" | "setup"> & { readonly nowMs: number },
): boolean {
  const isUsed = usedCodes.some((one) => one.hash === hash);
  return setup?.hash === hash && setup.expiresMs > nowMs && !isUsed;
}

/** The person whom every setup code signs in; undefined before the first was used. */
export function findDeployer({ people }: RegistryState): Person | undefined {
  return people.find(({ isDeployer }) => isDeployer);
}

function signInByPasskey(
  { registry, ...deps }: ChangeScope<"anyone">,
  change: PasskeySignIn,
): ChangeResult {
  const owner = registry.people.find(({ passkeys }) =>
    passkeys.some(({ id }) => id === change.passkey),
  );
  const isUsed = registry.usedCodes.some(({ hash }) => hash === change.challenge);
  const stored = owner?.passkeys.find(({ id }) => id === change.passkey)?.counter ?? 0;
  // Another sign-in may have been stored since this one was verified.
  if (owner === undefined || isUsed || !isNextCounter(change.counter, stored))
    return fail({ reason: "bad-passkey" });
  const person = {
    ...owner,
    passkeys: owner.passkeys.map((one) =>
      one.id === change.passkey ? { ...one, counter: change.counter } : one,
    ),
  };
  const usedCode = { hash: change.challenge, expiresMs: change.expiresMs };
  const usedCodes = [...registry.usedCodes, usedCode];
  return startSession(upsertPerson({ ...registry, usedCodes }, person), person, change, deps);
}

/**
 * Whether a passkey may state `counter` after `stored`. Authenticators that do not count state 0
 * each time; any other counter grows, unless the authenticator was copied. Source: WebAuthn Level 3
 * § 6.1.1.
 */
export function isNextCounter(counter: number, stored: number): boolean {
  return counter > stored || (counter === 0 && stored === 0);
}

/**
 * Adds a person or a service admitted by Access to the first project. A removed one is not added
 * again. A known person gets ownership only if it is granted and the project has no owner.
 */
function signInByAccess(
  { registry, ...deps }: ChangeScope<"anyone">,
  { name, ownership }: AccessSignIn,
): ChangeResult {
  const isOwned = hasOwner(registry, FIRST_PROJECT_ID);
  const project = FIRST_PROJECT_ID;
  const known = registry.people.find(({ accessName }) => accessName === name);
  if (known !== undefined) {
    if (isOwned || ownership !== "granted") return ok({ registry });
    const owned = grantMembership(registry, known, { project, role: "owner" }, deps.nowMs);
    return ok({ registry: owned, subject: name, personId: known.id });
  }
  if (registry.removedAccessNames?.includes(name)) return fail({ reason: "forbidden" });
  const room = checkRoomForPerson(registry, project);
  if (!room.ok) return room;
  const displayName = toUniqueMemberName(registry, name, [FIRST_PROJECT_ID]);
  const person = { ...createPerson(displayName, deps), accessName: name };
  const isOwner = ownership === "granted" || (ownership === "if-none" && !isOwned);
  const role = isOwner ? "owner" : "member";
  const after = grantMembership(
    upsertPerson(registry, person),
    person,
    { project, role },
    deps.nowMs,
  );
  return ok({ registry: after, subject: name, personId: person.id });
}

/** Fails if there is no deployer yet, and the name is missing or belongs to another person. */
function findOrCreateDeployer(
  registry: RegistryState,
  name: string | undefined,
  deps: RegistryChangeDeps,
): Result<Person, RegistryFailure> {
  const existing = findDeployer(registry);
  if (existing !== undefined) return ok(existing);
  const projects = registry.projects.map(({ id }) => id);
  if (name === undefined) return fail({ reason: "name-missing" });
  if (isMemberName(registry, name, { projects })) return fail({ reason: "name-taken" });
  return ok({ ...createPerson(name, deps), isDeployer: true });
}

function createPerson(
  name: string,
  { nowMs, newSecret }: Pick<RegistryChangeDeps, "nowMs" | "newSecret">,
): Person {
  const id = newEntityId({ newSecret });
  return { id, name, createdMs: nowMs, passkeys: [], recoveryCodeHashes: [] };
}

function upsertPerson(registry: RegistryState, person: Person): RegistryState {
  const isKnown = registry.people.some(({ id }) => id === person.id);
  const people = isKnown
    ? registry.people.map((one) => (one.id === person.id ? person : one))
    : [...registry.people, person];
  return { ...registry, people };
}

/** The deployer owns all projects, because a deployer can read all data anyway. */
function grantOwnership(registry: RegistryState, person: Person, nowMs: number): RegistryState {
  return registry.projects.reduce(
    (before, { id: project }) => grantMembership(before, person, { project, role: "owner" }, nowMs),
    upsertPerson(registry, person),
  );
}

/** Adds a membership, or keeps a higher existing role. */
function grantMembership(
  registry: RegistryState,
  { id: person, createdMs }: Person,
  { project, role }: { project: string; role: Role },
  nowMs: number,
): RegistryState {
  const isSameMembership = (one: { project: string; person: string }) =>
    one.project === project && one.person === person;
  const current = registry.memberships.find(isSameMembership);
  const others = registry.memberships.filter((one) => !isSameMembership(one));
  const keepsCurrent = current !== undefined && (current.role === "owner" || role === "viewer");
  // 500 members fill the space of a project, so that what the person tells is not stored again.
  const since = current ?? (createdMs === nowMs ? {} : { joinedMs: nowMs });
  return {
    ...registry,
    memberships: [...others, keepsCurrent ? current : { ...since, project, person, role }],
  };
}

/**
 * Adds a session of `person` and ends the client's previous one. The oldest sessions end if the
 * person or the registry has too many. `action` is for the audit log.
 */
export function startSession(
  registry: RegistryState,
  person: Person,
  { userAgent, previousSession }: SignInClient,
  { nowMs, newSecret, action }: RegistryChangeDeps & { readonly action?: string },
): Result<RegistryChangeResult, never> {
  const session = {
    id: newSecret(),
    person: person.id,
    createdMs: nowMs,
    expiresMs: nowMs + SESSION_MS,
    userAgent,
  };
  const otherSessions = registry.sessions.filter(({ id }) => id !== previousSession);
  const personSessions = otherSessions.filter((one) => one.person === person.id);
  // The oldest sessions end.
  const ended = new Set(
    personSessions.slice(0, Math.max(0, personSessions.length + 1 - limits.maxSessionsPerPerson)),
  );
  const kept = [...otherSessions.filter((one) => !ended.has(one)), session];
  return ok({
    registry: { ...registry, sessions: limitSessions(kept) },
    subject: person.name,
    personId: person.id,
    sessionId: session.id,
    action,
  });
}

/** Ends the oldest session of the person with the most sessions, if there are too many. */
function limitSessions(sessions: readonly Session[]): readonly Session[] {
  if (sessions.length <= limits.maxSessions) return sessions;
  const counts = new Map<string, number>();
  for (const { person } of sessions) counts.set(person, (counts.get(person) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const ended = sessions.find(({ person }) => counts.get(person) === most);
  return sessions.filter((one) => one !== ended);
}
