/** What people change of themselves: their name, their passkeys, their recovery codes, where they are signed in. */
import { limits } from "../limits.ts";
import { fail, ok, type Result } from "../result.ts";
import type { ChangeFacts, Made, RegistryFailure } from "./change.ts";
import { newRecoveryCodes, plainCode } from "./recovery-code.ts";
import type { Passkey, Person, Registry } from "./registry.ts";

/** What a person may ask for without anybody's leave. */
export type OwnChange =
  | { readonly do: "rename-me"; readonly name: string }
  /** `challenge` is the hash of the challenge that it answers, which is good until `untilMs`. */
  | ({
      readonly do: "add-passkey";
      readonly passkey: Omit<Passkey, "createdMs">;
    } & AnsweredChallenge)
  | { readonly do: "remove-passkey"; readonly passkey: string }
  | { readonly do: "new-recovery-codes" }
  /** A session is named by the first `SESSION_NAME_CHARS` of its id: the whole is half of what its cookie has. */
  | { readonly do: "end-session"; readonly session: string }
  /** All of them but `except`. */
  | { readonly do: "end-sessions"; readonly except?: string | undefined };

const SESSION_NAME_CHARS = 12;

/** By what a session is shown, and ended. */
export function sessionName(id: string): string {
  return id.slice(0, SESSION_NAME_CHARS);
}

/** A challenge is answered once. */
export interface AnsweredChallenge {
  readonly challenge: string;
  readonly untilMs: number;
}

/** By the person itself. */
export function changeOwn(
  registry: Registry,
  person: Person,
  change: OwnChange,
  facts: ChangeFacts,
): Result<Made, RegistryFailure> {
  switch (change.do) {
    case "rename-me":
      if (change.name === person.name) return ok({ registry });
      return ok(withPerson(registry, { ...person, name: change.name }, change.name));
    case "add-passkey":
      return withPasskey(registry, person, change, facts);
    case "remove-passkey": {
      const passkey = person.passkeys.find(({ id }) => id === change.passkey);
      if (passkey === undefined) return fail({ reason: "not-known", what: "passkey" });
      const passkeys = person.passkeys.filter((one) => one !== passkey);
      return ok(withPerson(registry, { ...person, passkeys }, passkey.name));
    }
    case "new-recovery-codes": {
      const shown = newRecoveryCodes(facts);
      const recoveryHashes = shown.map((code) => facts.hash(plainCode(code)));
      return ok({ ...withPerson(registry, { ...person, recoveryHashes }), shown });
    }
    case "end-session": {
      const isMeant = ({ id, person: whose }: { id: string; person: string }) =>
        sessionName(id) === change.session && whose === person.id;
      const sessions = registry.sessions.filter((one) => !isMeant(one));
      return sessions.length === registry.sessions.length
        ? fail({ reason: "not-known", what: "session" })
        : ok({ registry: { ...registry, sessions }, person: person.id });
    }
    case "end-sessions": {
      const sessions = registry.sessions.filter(
        (one) => one.person !== person.id || one.id === change.except,
      );
      return ok({ registry: { ...registry, sessions }, person: person.id });
    }
  }
}

function withPasskey(
  registry: Registry,
  person: Person,
  { passkey, challenge, untilMs }: Extract<OwnChange, { do: "add-passkey" }>,
  { nowMs }: ChangeFacts,
): Result<Made, RegistryFailure> {
  const isSpent = registry.spent.some(({ hash }) => hash === challenge);
  const isTaken = registry.people.some(({ passkeys }) =>
    passkeys.some(({ id }) => id === passkey.id),
  );
  if (isSpent || isTaken) return fail({ reason: "bad-passkey" });
  if (person.passkeys.length >= limits.maxPasskeysPerPerson)
    return fail({
      reason: "too-many",
      limit: "maxPasskeysPerPerson",
      max: limits.maxPasskeysPerPerson,
    });
  const passkeys = [...person.passkeys, { ...passkey, createdMs: nowMs }];
  const after = withPerson(registry, { ...person, passkeys }, passkey.name);
  const spent = [...registry.spent, { hash: challenge, untilMs }];
  return ok({ ...after, registry: { ...after.registry, spent } });
}

function withPerson(registry: Registry, person: Person, subject?: string): Made {
  const people = registry.people.map((one) => (one.id === person.id ? person : one));
  return {
    registry: { ...registry, people },
    person: person.id,
    ...(subject !== undefined && { subject }),
  };
}
