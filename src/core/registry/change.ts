/**
 * Every change of the registry: who may make it, what becomes of it. Pure: the registry before, what is asked for and by whom go in,
 * the registry after comes out, or why not. Rights are looked up in the very registry that is changed.
 */
import { fail, ok, type Result } from "../result.ts";
import { type EnterChange, enter } from "./entering.ts";
import { addKey, changeKey, type KeyAddition, type KeyChange } from "./key-changes.ts";
import { changeMembers, type MemberChange } from "./member-changes.ts";
import { changeOwn, type OwnChange } from "./own-changes.ts";
import {
  changeProject,
  createProject,
  type ProjectChange,
  type ProjectCreation,
} from "./project-changes.ts";
import type { Registry } from "./registry.ts";
import { type Actor, isGood, personOf, reaches, roleIn } from "./rights.ts";
import { changeTokens, type TokenChange } from "./token-changes.ts";

/** Everything that can be asked for. */
export type RegistryChange = SettingsChange | ProjectCreation | OwnChange | EnterChange;

/** What the owners of a project ask for. */
export type SettingsChange = ProjectChange | KeyAddition | KeyChange | MemberChange | TokenChange;

/** Why a change was not made. */
export type RegistryFailure =
  | { readonly reason: "not-allowed" }
  | {
      readonly reason: "not-known";
      readonly what: "project" | "key" | "person" | "token" | "invitation" | "passkey" | "session";
    }
  | { readonly reason: "bad-code" }
  | { readonly reason: "bad-passkey" }
  | { readonly reason: "last-owner" }
  | { readonly reason: "first-project" }
  | { readonly reason: "not-typed"; readonly expected: string }
  | { readonly reason: "too-many"; readonly limit: string; readonly max: number };

/** What a change is made with. */
export interface ChangeFacts {
  readonly nowMs: number;
  /** A new secret: 256 random bits in base64url, 43 characters. */
  readonly mintSecret: () => string;
  /** SHA-256 in lower-case hex. */
  readonly hash: (text: string) => string;
}

/** What a change came to. */
export interface Made {
  readonly registry: Registry;
  /** What it was about, for whoever reads the audit log: a name, an id. */
  readonly subject?: string;
  /** What is shown once to who made it, and kept nowhere: a code, a token. */
  readonly shown?: readonly string[];
  /** What it was in particular, where one change may be several. */
  readonly deed?: string;
  /** The person whom it is about, where it is about no project. */
  readonly person?: string;
  /** The session that began. */
  readonly session?: string;
  /** What came into being: the id of a project, of a key. */
  readonly made?: string;
}

/** A change by somebody; `null` is a stranger, who can do nothing but enter. */
export function changed(
  registry: Registry,
  actor: Actor | null,
  change: RegistryChange,
  facts: ChangeFacts,
): Result<Made, RegistryFailure> {
  const made = decided(registry, actor, change, facts);
  if (!made.ok || made.value.registry === registry) return made;
  const spent = made.value.registry.spent.filter(({ untilMs }) => untilMs > facts.nowMs);
  const sessions = made.value.registry.sessions.filter(({ endsMs }) => endsMs > facts.nowMs);
  const isStillGood = ({ endsMs }: { readonly endsMs?: number }) => isGood(endsMs, facts.nowMs);
  const keys = made.value.registry.keys.filter(isStillGood);
  const tokens = made.value.registry.tokens.filter(isStillGood);
  const after = {
    ...made.value.registry,
    spent,
    sessions,
    keys,
    tokens,
    version: registry.version + 1,
  };
  return ok({ ...made.value, registry: after });
}

function decided(
  registry: Registry,
  actor: Actor | null,
  change: RegistryChange,
  facts: ChangeFacts,
): Result<Made, RegistryFailure> {
  switch (change.do) {
    case "enter-by-code":
    case "enter-by-passkey":
    case "arrive":
      return enter(registry, actor, change, facts);
    case "rename-me":
    case "add-passkey":
    case "remove-passkey":
    case "new-recovery-codes":
    case "end-session":
    case "end-sessions": {
      const person = actor === null ? undefined : personOf(registry, actor, facts.nowMs);
      return person ? changeOwn(registry, person, change, facts) : fail({ reason: "not-allowed" });
    }
    case "create-project":
      return actor !== null && ownsAny(registry, actor, facts.nowMs)
        ? createProject(registry, actor, change, facts)
        : fail({ reason: "not-allowed" });
    default: {
      // What a token may do ends where it could make another one, or outlive whoever gave it away.
      if (actor === null || actor.is === "token") return fail({ reason: "not-allowed" });
      if (!reaches(roleIn(registry, actor, change.project, facts.nowMs), "owner"))
        return fail({ reason: "not-allowed" });
      return changeSettings(registry, actor, change, facts);
    }
  }
}

function changeSettings(
  registry: Registry,
  actor: Actor,
  change: SettingsChange,
  facts: ChangeFacts,
): Result<Made, RegistryFailure> {
  switch (change.do) {
    case "rename-project":
    case "archive-project":
    case "reopen-project":
    case "delete-project":
      return changeProject(registry, change, facts);
    case "add-key":
      return addKey(registry, change, facts);
    case "change-key":
    case "rotate-key":
    case "revoke-key":
      return changeKey(registry, change, facts);
    case "invite":
    case "withdraw-invitation":
    case "set-role":
    case "remove-member":
      return changeMembers(registry, actor, change, facts);
    case "add-token":
    case "revoke-token":
      return changeTokens(registry, actor, change, facts);
  }
}

function ownsAny(registry: Registry, actor: Actor, nowMs: number): boolean {
  if (actor.is === "token") return false;
  return registry.projects.some(({ id }) => roleIn(registry, actor, id, nowMs) === "owner");
}
