/**
 * Applies changes to the registry: checks permissions and dispatches to the file of each change.
 * Pure: the registry, the change and the actor go in; the new registry or a failure comes out.
 * Permissions are checked against the registry that is changed.
 */
import { fail, ok, type Result } from "../result.ts";
import { type Actor, findPerson, getRoleInProject, hasRole, isActive } from "./actors.ts";
import { applySignIn, type SignInChange } from "./apply-sign-in.ts";
import type { RegistryChangeDeps, RegistryChangeResult, RegistryFailure } from "./change-types.ts";
import {
  addIngestKey,
  applyKeyChange,
  applyKeyPause,
  type KeyAddition,
  type KeyChange,
  type KeyPause,
} from "./key-changes.ts";
import { applyMemberChange, type MemberChange } from "./member-changes.ts";
import { applyProfileChange, type ProfileChange } from "./profile-changes.ts";
import {
  addProject,
  applyProjectChange,
  applySplitChange,
  type ProjectChange,
  type ProjectCreation,
  type SplitChange,
} from "./project-changes.ts";
import type { RegistryState } from "./registry.ts";
import { checkShares } from "./registry-space.ts";
import { forgetRemoved, type Restoration, restoreRemoved } from "./removed-credentials.ts";
import { applyTokenChange, type TokenChange } from "./token-changes.ts";

export type RegistryChange =
  | SettingsChange
  | SplitChange
  | ProjectCreation
  | ProfileChange
  | SignInChange;

/** Changes that require an owner of the project. */
export type SettingsChange =
  | (ProjectChange | MemberChange | TokenChange)
  | (KeyAddition | KeyChange | KeyPause | Restoration);

/**
 * Checks the permission for a change and applies it. `actor` is null without sign-in, which permits
 * only signing in. Returns the new registry without expired entries, or the same object if nothing
 * changed. Fails with `forbidden`, with `too-many` above a share of the registry, and with the
 * failures of the change.
 */
export function applyRegistryChange(
  registry: RegistryState,
  actor: Actor | null,
  change: RegistryChange,
  deps: RegistryChangeDeps,
): Result<RegistryChangeResult, RegistryFailure> {
  const result = dispatchChange(registry, actor, change, deps);
  if (!result.ok || result.value.registry === registry) return result;
  const usedCodes = result.value.registry.usedCodes.filter(
    ({ expiresMs }) => expiresMs > deps.nowMs,
  );
  const sessions = result.value.registry.sessions.filter(({ expiresMs }) => expiresMs > deps.nowMs);
  const isStillActive = ({ expiresMs }: { expiresMs?: number }) => isActive(expiresMs, deps.nowMs);
  const keys = result.value.registry.keys.filter(isStillActive);
  const tokens = result.value.registry.tokens.filter(isStillActive);
  const next = {
    ...forgetRemoved(result.value.registry, deps.nowMs),
    usedCodes,
    sessions,
    keys,
    tokens,
    version: registry.version + 1,
  };
  const room = checkShares(registry, next, URGENT_CHANGES.has(change.do));
  if (!room.ok) return room;
  return ok({ ...result.value, registry: next });
}

/** Changes that must work while others use up the pool of the registry. */
const URGENT_CHANGES: ReadonlySet<RegistryChange["do"]> = new Set([
  "sign-in-with-code",
  "sign-in-with-passkey",
  "access-sign-in",
  "rotate-key",
  "pause-key",
  "restore",
  "add-passkey",
  "new-recovery-codes",
]);

function dispatchChange(
  registry: RegistryState,
  actor: Actor | null,
  change: RegistryChange,
  deps: RegistryChangeDeps,
): Result<RegistryChangeResult, RegistryFailure> {
  switch (change.do) {
    case "sign-in-with-code":
    case "sign-in-with-passkey":
    case "access-sign-in":
      return applySignIn(registry, actor, change, deps);
    case "rename-person":
    case "add-passkey":
    case "remove-passkey":
    case "new-recovery-codes":
    case "end-session":
    case "end-sessions": {
      const person = actor === null ? undefined : findPerson(registry, actor, deps.nowMs);
      return actor && person
        ? applyProfileChange(registry, { actor, person }, change, deps)
        : fail({ reason: "forbidden" });
    }
    case "create-project":
      return actor !== null && ownsAnyProject(registry, actor, deps.nowMs)
        ? addProject(registry, actor, change, deps)
        : fail({ reason: "forbidden" });
    case "split-by-stack":
    case "group-together":
      return actor !== null &&
        hasRole(getRoleInProject(registry, actor, change.project, deps.nowMs), "member")
        ? applySplitChange(registry, change)
        : fail({ reason: "forbidden" });
    default: {
      // A token must not create tokens, or outlive the person who issued it.
      if (actor === null || actor.kind === "token") return fail({ reason: "forbidden" });
      if (!hasRole(getRoleInProject(registry, actor, change.project, deps.nowMs), "owner"))
        return fail({ reason: "forbidden" });
      return applySettingsChange(registry, actor, change, deps);
    }
  }
}

function applySettingsChange(
  registry: RegistryState,
  actor: Actor,
  change: SettingsChange,
  deps: RegistryChangeDeps,
): Result<RegistryChangeResult, RegistryFailure> {
  switch (change.do) {
    case "rename-project":
    case "archive-project":
    case "reopen-project":
    case "set-keyless":
    case "set-noise-rules":
    case "delete-project":
      return applyProjectChange(registry, actor, change, deps);
    case "add-key":
      return addIngestKey(registry, change, deps);
    case "change-key":
    case "rotate-key":
    case "revoke-key":
      return applyKeyChange(registry, change, deps);
    case "pause-key":
    case "resume-key":
      return applyKeyPause(registry, change);
    case "invite":
    case "withdraw-invitation":
    case "set-role":
    case "remove-member":
      return applyMemberChange(registry, actor, change, deps);
    case "add-token":
    case "revoke-token":
      return applyTokenChange(registry, actor, change, deps);
    case "restore":
      return restoreRemoved(registry, change, deps.nowMs);
  }
}

function ownsAnyProject(registry: RegistryState, actor: Actor, nowMs: number): boolean {
  if (actor.kind === "token") return false;
  return registry.projects.some(
    ({ id }) => getRoleInProject(registry, actor, id, nowMs) === "owner",
  );
}
