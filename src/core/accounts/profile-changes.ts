/** Changes people make to their own account: name, passkeys, recovery codes, sessions. */
import * as v from "valibot";
import { limits } from "../limits.ts";
import { fail, ok } from "../result.ts";
import { formObject } from "../schema/form.ts";
import { toUtcDay } from "../utc-time.ts";
import type { Actor } from "./actors.ts";
import {
  type ChangeResult,
  type ChangeScope,
  defineChange,
  nameField,
  type RegistryChangeResult,
} from "./define-change.ts";
import { isMemberName } from "./names.ts";
import { createRecoveryCodes, normalizeCode } from "./recovery-code.ts";
import type { Passkey, Person, RegistryState } from "./registry.ts";

const PUBLIC_SESSION_ID_CHARS = 12;
/** How long a sign-in counts as recent. */
const RECENT_SIGN_IN_MS = 15 * 60_000;

/** A challenge can be answered once. */
export interface ConsumedChallenge {
  readonly challenge: string;
  readonly expiresMs: number;
}

/** The changes of a person's own account. */
export const PROFILE_CHANGES = [
  defineChange({
    name: "rename-person",
    role: "person",
    input: formObject({ name: nameField(limits.maxPersonNameChars, "a name") }),
    audit: "changed their name to {subject}",
    apply({ registry, person }, { name }) {
      if (name === person.name) return ok({ registry });
      const names = { projects: listProjects(registry, person), except: person.id };
      return isMemberName(registry, name, names)
        ? fail({ reason: "name-taken" })
        : ok(toPersonResult(registry, { ...person, name }, name));
    },
  }),
  defineChange({
    name: "remove-passkey",
    role: "person",
    input: formObject({ passkey: v.string("a passkey") }),
    audit: "removed the passkey {subject}",
    apply: (scope, { passkey: id }) =>
      afterRecentSignIn(scope, ({ registry, person }) => {
        const passkey = person.passkeys.find((one) => one.id === id);
        if (passkey === undefined) return fail({ reason: "not-found", what: "passkey" });
        const passkeys = person.passkeys.filter((one) => one !== passkey);
        const after = { ...person, passkeys, hadCredentials: true } as const;
        return ok(toPersonResult(registry, after, passkey.name));
      }),
  }),
  /** `secrets` contains the codes. */
  defineChange({
    name: "new-recovery-codes",
    role: "person",
    input: formObject({}),
    audit: "created new recovery codes",
    isUrgent: true,
    apply: (scope) =>
      afterRecentSignIn(scope, ({ registry, person, ...deps }) => {
        const codes = createRecoveryCodes(deps);
        const recoveryCodeHashes = codes.map((code) => deps.hash(normalizeCode(code)));
        const after = { ...person, recoveryCodeHashes, hadCredentials: true } as const;
        return ok({ ...toPersonResult(registry, after), secrets: codes });
      }),
  }),
  /**
   * `session` is the public id, a prefix of the session's id. The full id is secret, because the
   * cookie contains it.
   */
  defineChange({
    name: "end-session",
    role: "person",
    input: formObject({ session: v.string("a session") }),
    audit: "ended the session {subject}",
    revokes: true,
    apply({ registry, person }, { session }) {
      const ended = registry.sessions.find(
        (one) => toPublicSessionId(one.id) === session && one.person === person.id,
      );
      if (ended === undefined) return fail({ reason: "not-found", what: "session" });
      const sessions = registry.sessions.filter((one) => one !== ended);
      return ok({
        registry: { ...registry, sessions },
        personId: person.id,
        subject: toUtcDay(ended.createdMs),
      });
    },
  }),
  /** Ends all sessions except one. */
  defineChange({
    name: "end-sessions",
    role: "person",
    input: formObject({}),
    audit: "signed out everywhere else",
    revokes: true,
    apply({ registry, person, except }) {
      const sessions = registry.sessions.filter(
        (one) => one.person !== person.id || one.id === except,
      );
      return ok({ registry: { ...registry, sessions }, personId: person.id });
    },
  }),
  defineChange({
    name: "add-passkey",
    role: "person",
    audit: "added the passkey {subject}",
    isUrgent: true,
    apply: (scope, added: NewPasskey) => afterRecentSignIn(scope, () => addPasskey(scope, added)),
  }),
] as const;

/** Makes a change of credentials, or fails with `sign-in-again`. */
function afterRecentSignIn(
  scope: ChangeScope<"person">,
  change: (scope: ChangeScope<"person">) => ChangeResult,
): ChangeResult {
  const { registry, actor, person, nowMs } = scope;
  return mayChangeCredentials(registry, actor, person, nowMs)
    ? change(scope)
    : fail({ reason: "sign-in-again" });
}

/** True if the person can sign in again after this session, without another link. */
export function hasSignInMethod({ passkeys, recoveryCodeHashes }: Person): boolean {
  return passkeys.length > 0 || recoveryCodeHashes.length > 0;
}

/**
 * True if the actor may add or remove a passkey or create recovery codes: within 15 minutes of
 * signing in, so that a stolen session cannot become permanent access. A person who never had
 * either may always add one, to be able to sign in again.
 */
export function mayChangeCredentials(
  registry: RegistryState,
  actor: Actor,
  person: Person,
  nowMs: number,
): boolean {
  if (!person.hadCredentials && !hasSignInMethod(person)) return true;
  const session = registry.sessions.find(({ id }) => actor.kind === "session" && id === actor.id);
  return session !== undefined && nowMs - session.createdMs < RECENT_SIGN_IN_MS;
}

/** The public id of a session, which lists show and forms send to end it. */
export function toPublicSessionId(id: string): string {
  return id.slice(0, PUBLIC_SESSION_ID_CHARS);
}

function listProjects({ memberships }: RegistryState, { id }: Person): readonly string[] {
  return memberships.filter(({ person }) => person === id).map(({ project }) => project);
}

interface NewPasskey extends ConsumedChallenge {
  readonly passkey: Omit<Passkey, "createdMs">;
}

function addPasskey(
  { registry, person, nowMs }: ChangeScope<"person">,
  { passkey, challenge, expiresMs }: NewPasskey,
): ChangeResult {
  const isUsed = registry.usedCodes.some(({ hash }) => hash === challenge);
  const isRegistered = registry.people.some(({ passkeys }) =>
    passkeys.some(({ id }) => id === passkey.id),
  );
  if (isUsed || isRegistered) return fail({ reason: "bad-passkey" });
  const max = limits.maxPasskeysPerPerson;
  if (person.passkeys.length >= max)
    return fail({ reason: "too-many", limit: "maxPasskeysPerPerson", max });
  const passkeys = [...person.passkeys, { ...passkey, createdMs: nowMs }];
  const changed = { ...person, passkeys, hadCredentials: true } as const;
  const after = toPersonResult(registry, changed, passkey.name);
  const usedCodes = [...registry.usedCodes, { hash: challenge, expiresMs }];
  return ok({ ...after, registry: { ...after.registry, usedCodes } });
}

function toPersonResult(
  registry: RegistryState,
  person: Person,
  subject?: string,
): RegistryChangeResult {
  const people = registry.people.map((one) => (one.id === person.id ? person : one));
  return { registry: { ...registry, people }, personId: person.id, subject };
}
