import { describe, expect, it } from "vitest";
import { type Actor, getRoleInProject, isAuthenticated } from "#src/core/accounts/actors.ts";
import type { RegistryChange } from "#src/core/accounts/registry-changes.ts";
import { limits } from "#src/core/limits.ts";
import { NOW_MS, setUp, toSha256 } from "#support/accounts/memory-registry.ts";

const UNDO_ID = "a".repeat(32);
const restore = { do: "restore", project: "1", undoId: UNDO_ID } as const;
const LATER_MS = limits.undoRemovalMs - 1;

/** A registry with a member, and one credential of each kind that its owner can remove. */
function setUpCredentials() {
  const { registry, deployer } = setUp();
  const add = { project: "1", name: "ci" } as const;
  const token = registry.change(deployer, { do: "add-token", ...add, role: "member" });
  const upload = registry.change(deployer, {
    ...{ do: "add-token", ...add, role: "uploader" },
    origin: "https://errata.example",
  });
  const origins: readonly string[] = [];
  const key = registry.change(deployer, { do: "add-key", ...add, kind: "server", origins });
  const dsn = registry.change(deployer, { do: "add-key", ...add, kind: "public", origins });
  const invitation = registry.change(deployer, { do: "invite", project: "1", role: "viewer" });
  const undoId = UNDO_ID;
  const removals: Readonly<Record<string, RegistryChange>> = {
    "an API token": { do: "revoke-token", project: "1", token: token.createdId ?? "", undoId },
    "an upload token": { do: "revoke-token", project: "1", token: upload.createdId ?? "", undoId },
    "a server key": { do: "revoke-key", project: "1", key: key.createdId ?? "", undoId },
    "a public key": { do: "revoke-key", project: "1", key: dsn.createdId ?? "", undoId },
    "an invitation": {
      ...{ do: "withdraw-invitation", project: "1", undoId },
      invitation: invitation.createdId ?? "",
    },
  };
  const actor: Actor = { kind: "token", hash: toSha256(token.secrets?.[0] ?? "") };
  const lists = () => {
    const { tokens, keys, invitations } = registry.state;
    const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);
    return [tokens.toSorted(byId), keys.toSorted(byId), invitations.toSorted(byId)];
  };
  return { registry, deployer, removals, actor, lists };
}

describe("what an owner removed", () => {
  it.each(Object.keys(setUpCredentials().removals))("can be restored as it was: %s", (name) => {
    const { registry, deployer, removals, lists } = setUpCredentials();
    const before = lists();
    registry.change(deployer, removals[name] as RegistryChange);
    expect(lists()).not.toEqual(before);
    registry.atMs += LATER_MS;
    expect(registry.change(deployer, restore).action).toMatch(/^restore-/);
    expect(lists()).toEqual(before);
    expect(registry.state).not.toHaveProperty("removed");
    expect(registry.tryChange(deployer, restore)).toMatchObject({ reason: "not-found" });
  });

  it("does not work meanwhile", () => {
    const { registry, deployer, removals, actor } = setUpCredentials();
    registry.change(deployer, removals["an API token"] as RegistryChange);
    expect(isAuthenticated(registry.state, actor, NOW_MS)).toBe(false);
    expect(getRoleInProject(registry.state, actor, "1", NOW_MS)).toBeNull();
    registry.change(deployer, restore);
    expect(getRoleInProject(registry.state, actor, "1", NOW_MS)).toBe("member");
  });

  it("cannot be restored after 30 seconds, and is forgotten with the next change", () => {
    const { registry, deployer, removals } = setUpCredentials();
    registry.change(deployer, removals["an API token"] as RegistryChange);
    registry.atMs += limits.undoRemovalMs;
    expect(registry.tryChange(deployer, restore)).toMatchObject({ reason: "not-found" });
    registry.change(deployer, { do: "rename-project", project: "1", name: "Shop" });
    expect(registry.state).not.toHaveProperty("removed");
  });

  it("can only be restored by an owner of its project", () => {
    const { registry, deployer, removals } = setUpCredentials();
    const member = registry.invite(deployer, "member");
    registry.change(deployer, { do: "create-project", name: "Till" });
    registry.change(deployer, removals["a server key"] as RegistryChange);
    expect(registry.tryChange(member, restore)).toMatchObject({ reason: "forbidden" });
    const elsewhere = { ...restore, project: "2" };
    expect(registry.tryChange(deployer, elsewhere)).toMatchObject({ reason: "not-found" });
    expect(registry.tryChange(deployer, restore).ok).toBe(true);
  });

  it("is revoked for good with the rights of the owner who issued it", () => {
    const { registry, deployer } = setUp();
    const owner = registry.invite(deployer, "owner");
    const person = registry.state.people.at(-1)?.id ?? "";
    const add = { do: "add-token", project: "1", name: "ci", role: "owner" } as const;
    const token = registry.change(owner, add).createdId ?? "";
    registry.change(owner, { do: "revoke-token", project: "1", token, undoId: UNDO_ID });
    registry.change(deployer, { do: "set-role", project: "1", person, role: "member" });
    expect(registry.tryChange(deployer, restore)).toMatchObject({ reason: "not-found" });
  });

  it("stays removed if others have taken its place", () => {
    const { registry, deployer, removals } = setUpCredentials();
    registry.change(deployer, removals["an API token"] as RegistryChange);
    const add = { do: "add-token", project: "1", name: "other", role: "viewer" } as const;
    while (registry.state.tokens.length < limits.maxTokensPerProject)
      registry.change(deployer, add);
    expect(registry.tryChange(deployer, restore)).toMatchObject({
      reason: "too-many",
      limit: "maxTokensPerProject",
    });
  });

  it("is only remembered with an id, and a limited number of times", () => {
    const { registry, deployer, removals } = setUpCredentials();
    const { undoId: _, ...forGood } = removals["a public key"] as { undoId: string };
    registry.change(deployer, forGood as unknown as RegistryChange);
    expect(registry.state).not.toHaveProperty("removed");
    for (let n = 0; n < limits.maxRemovedCredentials + 5; n++) {
      const add = { do: "add-token", project: "1", name: "t", role: "viewer" } as const;
      const token = registry.change(deployer, add).createdId ?? "";
      registry.change(deployer, { do: "revoke-token", project: "1", token, undoId: `${n}` });
    }
    expect(registry.state.removed).toHaveLength(limits.maxRemovedCredentials);
  });
});
