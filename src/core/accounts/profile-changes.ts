/** Changes people make to their own account: name, passkeys, recovery codes, sessions. */
import { limits } from "../limits.ts";
import { fail, ok, type Result } from "../result.ts";
import type { Actor } from "./actors.ts";
import type { RegistryChangeDeps, RegistryChangeResult, RegistryFailure } from "./change-types.ts";
import { isMemberName } from "./names.ts";
import { createRecoveryCodes, normalizeCode } from "./recovery-code.ts";
import type { Passkey, Person, RegistryState } from "./registry.ts";

/** Changes that every signed-in person can make. */
export type ProfileChange =
  | { readonly do: "rename-person"; readonly name: string }
  /** `challenge` is the hash of the answered challenge, which expires at `expiresMs`. */
  | ({
      readonly do: "add-passkey";
      readonly passkey: Omit<Passkey, "createdMs">;
    } & ConsumedChallenge)
  | { readonly do: "remove-passkey"; readonly passkey: string }
  | { readonly do: "new-recovery-codes" }
  /**
   * `session` is the public id, a prefix of the session's id. The full id is secret, because the
   * cookie contains it.
   */
  | { readonly do: "end-session"; readonly session: string }
  /** Ends all sessions except `except`. */
  | { readonly do: "end-sessions"; readonly except?: string | undefined };

const PUBLIC_SESSION_ID_CHARS = 12;
/** How long a sign-in counts as recent. */
const RECENT_SIGN_IN_MS = 15 * 60_000;

/** Changes that need a recent sign-in. */
const CREDENTIAL_CHANGES: ReadonlySet<ProfileChange["do"]> = new Set([
  "add-passkey",
  "remove-passkey",
  "new-recovery-codes",
]);

/**
 * True if the actor may add or remove a passkey or create recovery codes: within 15 minutes of
 * signing in, so that a stolen session cannot become permanent access. A person who never had
 * either may always add one, to be able to sign in again.
 */
export function mayChangeCredentials(
  registry: RegistryState,
  actor: Actor,
  { passkeys, recoveryCodeHashes, hadCredentials }: Person,
  nowMs: number,
): boolean {
  if (!hadCredentials && passkeys.length === 0 && recoveryCodeHashes.length === 0) return true;
  const session = registry.sessions.find(({ id }) => actor.kind === "session" && id === actor.id);
  return session !== undefined && nowMs - session.createdMs < RECENT_SIGN_IN_MS;
}

/** The public id of a session, which lists show and forms send to end it. */
export function toPublicSessionId(id: string): string {
  return id.slice(0, PUBLIC_SESSION_ID_CHARS);
}

/** A challenge can be answered once. */
export interface ConsumedChallenge {
  readonly challenge: string;
  readonly expiresMs: number;
}

/**
 * Changes the account of `person`, who made the request as `actor`. Fails with `sign-in-again`,
 * `name-taken`, `bad-passkey`, `not-found` or `too-many`.
 */
export function applyProfileChange(
  registry: RegistryState,
  { actor, person }: { readonly actor: Actor; readonly person: Person },
  change: ProfileChange,
  deps: RegistryChangeDeps,
): Result<RegistryChangeResult, RegistryFailure> {
  const isCredentialChange = CREDENTIAL_CHANGES.has(change.do);
  if (isCredentialChange && !mayChangeCredentials(registry, actor, person, deps.nowMs))
    return fail({ reason: "sign-in-again" });
  switch (change.do) {
    case "rename-person":
      if (change.name === person.name) return ok({ registry });
      if (
        isMemberName(registry, change.name, {
          projects: listProjects(registry, person),
          except: person.id,
        })
      )
        return fail({ reason: "name-taken" });
      return ok(toPersonResult(registry, { ...person, name: change.name }, change.name));
    case "add-passkey":
      return addPasskey(registry, person, change, deps);
    case "remove-passkey": {
      const passkey = person.passkeys.find(({ id }) => id === change.passkey);
      if (passkey === undefined) return fail({ reason: "not-found", what: "passkey" });
      const passkeys = person.passkeys.filter((one) => one !== passkey);
      const after = { ...person, passkeys, hadCredentials: true } as const;
      return ok(toPersonResult(registry, after, passkey.name));
    }
    case "new-recovery-codes": {
      const codes = createRecoveryCodes(deps);
      const recoveryCodeHashes = codes.map((code) => deps.hash(normalizeCode(code)));
      const after = { ...person, recoveryCodeHashes, hadCredentials: true } as const;
      return ok({ ...toPersonResult(registry, after), secrets: codes });
    }
    case "end-session": {
      const isSelected = ({ id, person: owner }: { id: string; person: string }) =>
        toPublicSessionId(id) === change.session && owner === person.id;
      const sessions = registry.sessions.filter((one) => !isSelected(one));
      return sessions.length === registry.sessions.length
        ? fail({ reason: "not-found", what: "session" })
        : ok({ registry: { ...registry, sessions }, personId: person.id });
    }
    case "end-sessions": {
      const sessions = registry.sessions.filter(
        (one) => one.person !== person.id || one.id === change.except,
      );
      return ok({ registry: { ...registry, sessions }, personId: person.id });
    }
  }
}

function listProjects({ memberships }: RegistryState, { id }: Person): readonly string[] {
  return memberships.filter(({ person }) => person === id).map(({ project }) => project);
}

function addPasskey(
  registry: RegistryState,
  person: Person,
  { passkey, challenge, expiresMs }: Extract<ProfileChange, { do: "add-passkey" }>,
  { nowMs }: RegistryChangeDeps,
): Result<RegistryChangeResult, RegistryFailure> {
  const isUsed = registry.usedCodes.some(({ hash }) => hash === challenge);
  const isRegistered = registry.people.some(({ passkeys }) =>
    passkeys.some(({ id }) => id === passkey.id),
  );
  if (isUsed || isRegistered) return fail({ reason: "bad-passkey" });
  if (person.passkeys.length >= limits.maxPasskeysPerPerson)
    return fail({
      reason: "too-many",
      limit: "maxPasskeysPerPerson",
      max: limits.maxPasskeysPerPerson,
    });
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
  return {
    registry: { ...registry, people },
    personId: person.id,
    ...(subject !== undefined && { subject }),
  };
}
