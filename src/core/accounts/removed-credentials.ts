/**
 * Tokens, keys and invitations that an owner has removed, for as long as that can be undone. They
 * do not work meanwhile. The registry has only their hashes, as before.
 */
import * as v from "valibot";
import { limits } from "../limits.ts";
import { fail, ok } from "../result.ts";
import { formObject } from "../schema/form.ts";
import { defineChange, idField } from "./define-change.ts";
import type { Credential, RegistryState, RemovedCredential } from "./registry.ts";

/** Restores what an owner removed. */
export const RESTORE_CHANGES = [
  /**
   * Fails with `not-found` for an unknown id and after `limits.undoRemovalMs`, with `too-many` if
   * others have taken its place.
   */
  defineChange({
    name: "restore",
    role: "owner",
    input: v.pipe(
      formObject({ undo: idField("undo", "the id of a removal") }),
      v.transform(({ undo }) => ({ undoId: undo })),
    ),
    audit: {
      "restore-token": "undid the revocation of the token {subject}",
      "restore-key": "undid the revocation of the key {subject}",
      "restore-invitation": "undid the withdrawal of an invitation for the role {subject}",
    },
    isUrgent: true,
    apply({ registry, project, nowMs }, { undoId }) {
      const found = listRestorable(registry, nowMs).find(
        (one) => one.undoId === undoId && one.entry.project === project.id,
      );
      if (found === undefined) return fail({ reason: "not-found", what: "removal" });
      const removed = registry.removed?.filter((one) => one !== found) ?? [];
      const { limit, next, list, subject } = putBack({ ...registry, removed }, found);
      const count = list.filter((one) => one.project === project.id).length;
      return count > limits[limit]
        ? fail({ reason: "too-many", limit, max: limits[limit] })
        : ok({ registry: next, action: `restore-${found.kind}`, subject });
    },
  }),
] as const;

/** The registry that remembers a removed credential; without `undoId`, as it was. */
export function rememberRemoved(
  registry: RegistryState,
  credential: Credential,
  undoId: string | undefined,
  nowMs: number,
): RegistryState {
  if (undoId === undefined) return registry;
  const removed = [...(registry.removed ?? []), { ...credential, undoId, removedMs: nowMs }];
  return { ...registry, removed: removed.slice(-limits.maxRemovedCredentials) };
}

/** The credentials that can still be restored. */
function listRestorable(
  { removed = [] }: RegistryState,
  nowMs: number,
): readonly RemovedCredential[] {
  return removed.filter(({ removedMs }) => removedMs > nowMs - limits.undoRemovalMs);
}

/** The registry without what can no longer be restored. */
export function forgetRemoved(registry: RegistryState, nowMs: number): RegistryState {
  const { removed: before, ...others } = registry;
  if (before === undefined) return registry;
  const removed = listRestorable(registry, nowMs);
  return removed.length === 0 ? others : { ...others, removed };
}

function putBack(registry: RegistryState, { kind, entry }: Credential) {
  switch (kind) {
    case "token": {
      const tokens = [...registry.tokens, entry];
      const next = { ...registry, tokens };
      return { limit: "maxTokensPerProject", next, list: tokens, subject: entry.name } as const;
    }
    case "key": {
      const keys = [...registry.keys, entry];
      const next = { ...registry, keys };
      return { limit: "maxKeysPerProject", next, list: keys, subject: entry.name } as const;
    }
    case "invitation": {
      const invitations = [...registry.invitations, entry];
      const next = { ...registry, invitations };
      return { limit: "maxInvitations", next, list: invitations, subject: entry.role } as const;
    }
  }
}
