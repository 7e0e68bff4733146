/**
 * A change of the registry is one declaration: who may make it, the fields of its form, what the
 * audit log says, and the pure function that makes it. `registry-changes.ts` lists all of them.
 */
import * as v from "valibot";
import { limits } from "../limits.ts";
import { parseName } from "../plain-text.ts";
import type { Result } from "../result.ts";
import type { FormSchema } from "../schema/form.ts";
import type { Actor } from "./actors.ts";
import type { Person, Project, RegistryState } from "./registry.ts";

/** Why a change was not made. */
export type RegistryFailure =
  | { readonly reason: "forbidden" }
  | {
      readonly reason: "not-found";
      readonly what:
        | "project"
        | "key"
        | "person"
        | "token"
        | "invitation"
        | "passkey"
        | "session"
        | "grant"
        | "removal";
    }
  | { readonly reason: "bad-code" }
  | { readonly reason: "bad-passkey" }
  | { readonly reason: "last-owner" }
  | { readonly reason: "name-missing" }
  | { readonly reason: "name-taken" }
  | { readonly reason: "sign-in-again" }
  | { readonly reason: "first-project" }
  | { readonly reason: "one-project-only" }
  | { readonly reason: "not-confirmed"; readonly expected: string }
  | { readonly reason: "too-many"; readonly limit: string; readonly max: number };

/** Time, randomness and hashing, so that the changes stay pure. */
export interface RegistryChangeDeps {
  readonly nowMs: number;
  /** A new secret: 256 random bits in base64url, 43 characters. */
  readonly newSecret: () => string;
  /** SHA-256 in lower-case hex. */
  readonly hash: (text: string) => string;
}

/**
 * The registry after a change, and the data that the caller needs for the response and the audit
 * log.
 */
export interface RegistryChangeResult {
  readonly registry: RegistryState;
  /** The name or id that the audit log shows. */
  readonly subject?: string;
  /** Codes or tokens that are shown once and stored only as hashes. */
  readonly secrets?: readonly string[];
  /** The audit action, if one kind of change can be several actions. */
  readonly action?: string | undefined;
  /** The changed person, if the change belongs to no project. */
  readonly personId?: string;
  /** The projects whose audit logs have the change, if not all of the person. */
  readonly auditProjects?: readonly string[] | undefined;
  /** The session that began. */
  readonly sessionId?: string;
  /** The id of the new project, key or token. */
  readonly createdId?: string;
}

/** The result of a change: the changed registry, or the reason why nothing changed. */
export type ChangeResult = Result<RegistryChangeResult, RegistryFailure>;

/** What the request of a form adds to its fields. Nobody can send it. */
export interface RequestFacts {
  /** The id by which a person can undo a removal. */
  readonly undoId?: string | undefined;
  /** The origin of the deployment, which an upload token names. */
  readonly origin?: string | undefined;
  /** The session that `end-sessions` keeps. */
  readonly except?: string | undefined;
  /**
   * The id of a request that a program may send again: 32 hex characters. What it creates has an id
   * that derives from it, and is created once.
   */
  readonly requestId?: string | undefined;
}

/** What a change gets by its role. */
interface Scopes {
  /** Also without sign-in. */
  readonly anyone: { readonly actor: Actor | null };
  /** Every signed-in person, for their own account. */
  readonly person: { readonly actor: Actor; readonly person: Person };
  /** An owner of any project. */
  readonly "any-owner": { readonly actor: Actor };
  /** A member of the project of the change. */
  readonly member: { readonly actor: Actor; readonly project: Project };
  /** An owner of the project of the change, and no token. */
  readonly owner: { readonly actor: Actor; readonly project: Project };
}

/** Who may make a change. */
export type ChangeRole = keyof Scopes;

/** The registry that is changed, for whom, and for which request. */
export type ChangeScope<Role extends ChangeRole> = Scopes[Role] &
  RegistryChangeDeps &
  RequestFacts & { readonly registry: RegistryState };

/** The declaration of a change. */
export interface ChangeDefinition<
  Name extends string = string,
  Role extends ChangeRole = ChangeRole,
  Input = unknown,
> {
  /** A verb and a noun. Stored in the audit log, so it never changes. */
  readonly name: Name;
  /** Who may make it. Checked against the registry that is changed. */
  readonly role: Role;
  /** The fields of its form. Without it, only Errata's own code makes the change. */
  readonly input?: FormSchema<Input>;
  /**
   * The text of the audit log, after the name of the author; `{subject}` is `subject` of the result.
   * By `action` of the result, if the change can be several actions.
   */
  readonly audit: string | Readonly<Record<string, string>>;
  /** It must work while others use up the pool of the registry. */
  readonly isUrgent?: true;
  /**
   * An owner's token may make it too. Without this, it decides who has access, or destroys data:
   * only people make it.
   */
  readonly isForTokens?: true;
  /** It removes rights: live sockets are closed, and authorized again. */
  readonly revokes?: true;
  /** The message after a removal that can be undone. */
  readonly removalMessage?: "token-revoked" | "key-revoked" | "invitation-withdrawn";
  /** Makes the change. Its role has been checked. */
  apply(scope: ChangeScope<Role>, input: Input): ChangeResult;
}

/** Declares a change. Without `input`, the parameter of `apply` states its members. */
export function defineChange<
  const Name extends string,
  const Role extends ChangeRole,
  Input extends object = object,
>(definition: ChangeDefinition<Name, Role, Input>): ChangeDefinition<Name, Role, Input> {
  return definition;
}

/** Enough to be unique; ids are not secrets. */
const ID_CHARS = 12;

/** A new id of an entry in forms, of letters, digits, `-` and `_`; that of a repeated request. */
export function newEntityId({
  newSecret,
  requestId = newSecret(),
}: Pick<RegistryChangeDeps, "newSecret"> & Pick<RequestFacts, "requestId">): string {
  return requestId.slice(0, ID_CHARS);
}

/** The field with the name of a person or a thing. */
export function nameField(maxChars: number, expected: string) {
  return v.pipe(
    v.string(expected),
    v.trim(),
    v.maxLength(maxChars, expected),
    v.description(expected),
    v.check((name) => parseName(name, maxChars) === name, expected),
  );
}

/** The name of a project, a key or a token. */
export const thingName = nameField(
  limits.maxProjectNameChars,
  `a name of at most ${limits.maxProjectNameChars} characters, without control characters`,
);

/** A field with an id or a text to repeat; `about` says which. */
export function idField(name: string, about = `the id of a ${name}`) {
  const expected = `the field ${name}`;
  return v.pipe(
    v.string(expected),
    v.maxLength(limits.maxCredentialChars, expected),
    v.description(about),
  );
}

/** A field with one of these words. */
export function choiceField<const Words extends readonly string[]>(words: Words, expected: string) {
  return v.pipe(v.picklist(words, expected), v.description(expected));
}

/** A field with one of these roles. */
export function roleField<const Roles extends readonly string[]>(roles: Roles) {
  return choiceField(roles, `a role: ${roles.join(", ")}`);
}
