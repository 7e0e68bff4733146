/** Changes of credentials need a recent sign-in, so that a stolen session stays temporary. */
import { describe, expect, it } from "vitest";
import type { Actor } from "#src/core/accounts/actors.ts";
import type { RegistryChange } from "#src/core/accounts/registry-changes.ts";
import { HOUR_MS, NOW_MS, setUp, toSha256 } from "#support/accounts/memory-registry.ts";

const MINUTE_MS = 60_000;

let challenges = 0;
const addPasskey = (): RegistryChange => ({
  do: "add-passkey",
  passkey: { id: `k${++challenges}`, publicKey: "p", counter: 0, transports: [], name: "Laptop" },
  challenge: toSha256(`challenge ${challenges}`),
  expiresMs: NOW_MS + 24 * HOUR_MS,
});
const newCodes: RegistryChange = { do: "new-recovery-codes" };

describe.each([
  ["a passkey", addPasskey],
  ["recovery codes", () => newCodes],
])("%s", (_, create) => {
  /** A person with a recovery code, who signed in at NOW_MS. */
  const withCodes = () => {
    const { registry, deployer } = setUp();
    const [code = ""] = registry.change(deployer, newCodes).secrets ?? [];
    return { registry, deployer, code: code.replaceAll("-", "") };
  };

  it("can be added until 15 minutes after the sign-in", () => {
    const { registry, deployer } = withCodes();
    registry.atMs = NOW_MS + 15 * MINUTE_MS - 1;
    expect(registry.tryChange(deployer, create()).ok).toBe(true);
    registry.atMs = NOW_MS + 15 * MINUTE_MS;
    expect(registry.tryChange(deployer, create())).toEqual({ ok: false, reason: "sign-in-again" });
  });

  it("can be added again after another sign-in", () => {
    const { registry, deployer, code } = withCodes();
    registry.atMs = NOW_MS + HOUR_MS;
    expect(registry.tryChange(deployer, create()).ok).toBe(false);
    const again = registry.signIn(code);
    expect(registry.tryChange(again, create()).ok).toBe(true);
    expect(registry.tryChange(deployer, create()).ok).toBe(false);
  });

  it("can be added at any time by a person without another way to sign in", () => {
    const { registry, deployer } = setUp();
    registry.atMs = NOW_MS + HOUR_MS;
    expect(registry.tryChange(deployer, create()).ok).toBe(true);
    expect(registry.tryChange(deployer, create())).toEqual({ ok: false, reason: "sign-in-again" });
  });

  it("cannot be added through Access, which does not state when the person signed in", () => {
    const { registry } = setUp();
    const name = "ada@example.com";
    registry.change(null, { do: "access-sign-in", name, ownership: "never" });
    const ada: Actor = { kind: "access", name };
    registry.change(ada, newCodes);
    expect(registry.tryChange(ada, create())).toEqual({ ok: false, reason: "sign-in-again" });
  });
});

describe("removing passkeys", () => {
  /** A person whose only credential is a passkey, an hour after the sign-in. */
  const withOldSession = () => {
    const { registry, deployer } = setUp();
    const add = addPasskey();
    registry.change(deployer, add);
    registry.atMs = NOW_MS + HOUR_MS;
    const remove: RegistryChange = { do: "remove-passkey", passkey: `k${challenges}` };
    return { registry, deployer, remove };
  };

  it("needs a recent sign-in", () => {
    const { registry, deployer, remove } = withOldSession();
    expect(registry.tryChange(deployer, remove)).toEqual({ ok: false, reason: "sign-in-again" });
    registry.atMs = NOW_MS + MINUTE_MS;
    expect(registry.tryChange(deployer, remove).ok).toBe(true);
  });

  it("does not lift the rule for adding others", () => {
    const { registry, deployer, remove } = withOldSession();
    registry.atMs = NOW_MS + MINUTE_MS;
    registry.change(deployer, remove);
    registry.atMs = NOW_MS + HOUR_MS;
    for (const change of [addPasskey(), newCodes])
      expect(registry.tryChange(deployer, change)).toEqual({ ok: false, reason: "sign-in-again" });
  });
});

it("recovery codes that are used up do not lift the rule for an older session", () => {
  const { registry, deployer } = setUp();
  const codes = registry.change(deployer, newCodes).secrets ?? [];
  registry.state = {
    ...registry.state,
    // As stored before the registry recorded that a person had credentials.
    people: registry.state.people.map(({ hadCredentials: _, ...person }) => person),
  };
  registry.atMs = NOW_MS + HOUR_MS;
  for (const code of codes) registry.signIn(code.replaceAll("-", ""));
  expect(registry.state.people[0]?.recoveryCodeHashes).toEqual([]);
  expect(registry.tryChange(deployer, addPasskey()).ok).toBe(false);
});

it("other changes of the profile need no recent sign-in", () => {
  const { registry, deployer } = setUp();
  registry.change(deployer, newCodes);
  registry.atMs = NOW_MS + HOUR_MS;
  registry.change(deployer, { do: "rename-person", name: "Ada" });
  registry.change(deployer, { do: "end-sessions" });
});
