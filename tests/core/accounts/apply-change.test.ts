import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Actor,
  findTokenProject,
  getLowestTrust,
  getRoleInProject,
  isAuthenticated,
  listAccessibleProjects,
} from "#src/core/accounts/actors.ts";
import {
  admitByConfig,
  admitByRegistry,
  admitWithoutKey,
  CONFIGURED_KEY_ID,
  isKeyPaused,
  KEYLESS_ID,
  parseOrigin,
} from "#src/core/accounts/ingest-keys.ts";
import { normalizeCode } from "#src/core/accounts/recovery-code.ts";
import { findProject, REGISTRY, type RegistryState } from "#src/core/accounts/registry.ts";
import {
  getRegistryChange,
  REGISTRY_CHANGES,
  type RegistryChange,
} from "#src/core/accounts/registry-changes.ts";
import { SESSION_MS } from "#src/core/accounts/sign-in-changes.ts";
import { limits } from "#src/core/limits.ts";
import type { SwitchableNoiseRule } from "#src/core/noise/noise-rules.ts";
import {
  HOUR_MS,
  LOCAL,
  NOW_MS,
  SETUP,
  setUp,
  TestRegistry,
  toSha256,
} from "#support/accounts/memory-registry.ts";

describe("a setup link", () => {
  it("signs in an owner, once", () => {
    const { registry, deployer } = setUp();
    expect(getRoleInProject(registry.state, deployer, "1", NOW_MS)).toBe("owner");
    const again = {
      do: "sign-in-with-code",
      hash: SETUP.hash,
      setup: SETUP,
      userAgent: "",
    } as const;
    expect(registry.tryChange(null, again)).toEqual({ ok: false, reason: "bad-code" });
  });

  it("expires, and does not work unless configured", () => {
    const registry = new TestRegistry();
    const enter = { do: "sign-in-with-code", hash: SETUP.hash, userAgent: "" } as const;
    expect(registry.tryChange(null, enter).ok).toBe(false);
    registry.atMs = SETUP.expiresMs;
    expect(registry.tryChange(null, { ...enter, setup: SETUP }).ok).toBe(false);
  });

  it("of another deployment signs in the same person, who then owns all projects", () => {
    const { registry, deployer } = setUp();
    const other = registry.invite(deployer, "owner");
    registry.change(other, { do: "create-project", name: "Other" });
    expect(getRoleInProject(registry.state, deployer, "2", NOW_MS)).toBeNull();
    registry.signIn("next", { setup: { hash: toSha256("next"), expiresMs: NOW_MS + 1 } });
    expect(registry.state.people).toHaveLength(2);
    expect(getRoleInProject(registry.state, deployer, "2", NOW_MS)).toBe("owner");
  });
});

describe("an invitation", () => {
  it("makes one person a member, once, within a week", () => {
    const { registry, deployer } = setUp();
    const { secrets: [code = ""] = [] } = registry.change(deployer, {
      do: "invite",
      project: "1",
      role: "viewer",
    });
    expect(JSON.stringify(registry.state)).not.toContain(code);
    const viewer = registry.signIn(code, { name: "Ada" });
    expect(getRoleInProject(registry.state, viewer, "1", NOW_MS)).toBe("viewer");
    const again = { do: "sign-in-with-code", hash: toSha256(code), userAgent: "" } as const;
    expect(registry.tryChange(null, again).ok).toBe(false);

    const late =
      registry.change(deployer, { do: "invite", project: "1", role: "viewer" }).secrets ?? [];
    registry.atMs = NOW_MS + 7 * 24 * HOUR_MS;
    expect(registry.tryChange(null, { ...again, hash: toSha256(late[0] ?? "") }).ok).toBe(false);
  });

  it("adds a project to a signed-in person without lowering an existing role", () => {
    const { registry, deployer } = setUp();
    const viewer = registry.invite(deployer, "viewer");
    registry.change(deployer, { do: "create-project", name: "Second" });
    const invite = (project: string) =>
      registry.change(deployer, { do: "invite", project, role: "member" }).secrets?.[0] ?? "";
    const take = (actor: Actor, code: string) =>
      registry.change(actor, { do: "sign-in-with-code", hash: toSha256(code), userAgent: "" });
    take(viewer, invite("2"));
    take(deployer, invite("1"));
    expect(getRoleInProject(registry.state, viewer, "2", NOW_MS)).toBe("member");
    expect(getRoleInProject(registry.state, deployer, "1", NOW_MS)).toBe("owner");
    expect(registry.state.people).toHaveLength(2);
  });
});

describe("sessions", () => {
  it("start at every sign-in, end the previous one, and expire", () => {
    const { registry, deployer } = setUp();
    const codes = registry.change(deployer, { do: "new-recovery-codes" }).secrets ?? [];
    expect(codes).toHaveLength(8);
    const previousSession = deployer.kind === "session" ? deployer.id : "";
    const after = registry.signIn(normalizeCode(` ${(codes[0] ?? "").toUpperCase()} `), {
      previousSession,
    });
    expect(isAuthenticated(registry.state, deployer, NOW_MS)).toBe(false);
    expect(isAuthenticated(registry.state, after, NOW_MS + SESSION_MS - 1)).toBe(true);
    expect(isAuthenticated(registry.state, after, NOW_MS + SESSION_MS)).toBe(false);
  });

  it("a recovery code works once, and new ones replace the old", () => {
    const { registry, deployer } = setUp();
    const [first = "", second = ""] =
      registry.change(deployer, { do: "new-recovery-codes" }).secrets ?? [];
    const enter = (code: string) =>
      registry.tryChange(null, {
        do: "sign-in-with-code",
        hash: toSha256(normalizeCode(code)),
        userAgent: "",
      }).ok;
    expect([enter(first), enter(first)]).toEqual([true, false]);
    registry.change(deployer, { do: "new-recovery-codes" });
    expect(enter(second)).toBe(false);
  });

  it.each([
    ["k3m9-q7tx-0b1c-d2ef", "k3m9q7tx0b1cd2ef"],
    ["K3M9 Q7TX OBIC D2EF", "k3m9q7tx0b1cd2ef"],
    ["k3m9q7txoblcd2ef", "k3m9q7tx0b1cd2ef"],
    ["  pasted_as-It_Is  ", "pasted_as-It_Is"],
  ])("a recovery code may be typed loosely: %s", (typed, plain) => {
    expect(normalizeCode(typed)).toBe(plain);
  });

  it("are limited per person: the oldest ends", () => {
    const { registry, deployer } = setUp();
    for (let n = 0; n < limits.maxSessionsPerPerson; n++) {
      registry.signIn(`again ${n}`, {
        setup: { hash: toSha256(`again ${n}`), expiresMs: NOW_MS + 1 },
      });
    }
    expect(registry.state.sessions).toHaveLength(limits.maxSessionsPerPerson);
    expect(isAuthenticated(registry.state, deployer, NOW_MS)).toBe(false);
  });

  it("of other people cannot be ended", () => {
    const { registry, deployer } = setUp();
    const viewer = registry.invite(deployer, "viewer");
    const session = deployer.kind === "session" ? deployer.id.slice(0, 12) : "";
    const ended = registry.tryChange(viewer, { do: "end-session", session });
    expect(ended).toMatchObject({ ok: false, reason: "not-found" });
    registry.change(viewer, { do: "end-sessions" });
    expect(isAuthenticated(registry.state, deployer, NOW_MS)).toBe(true);
    expect(isAuthenticated(registry.state, viewer, NOW_MS)).toBe(false);
  });

  it("a challenge can be answered once", () => {
    const { registry, deployer } = setUp();
    const passkey = { id: "k", publicKey: "p", counter: 0, transports: [], name: "Laptop" };
    const answered = { challenge: toSha256("challenge"), expiresMs: NOW_MS + 1_000 };
    registry.change(deployer, { do: "add-passkey", passkey, ...answered });
    const enter = { do: "sign-in-with-passkey", passkey: "k", counter: 1, userAgent: "" } as const;
    expect(registry.tryChange(null, { ...enter, ...answered }).ok).toBe(false);
    const next = { challenge: toSha256("next"), expiresMs: NOW_MS + 1_000 };
    expect(registry.tryChange(null, { ...enter, ...next }).ok).toBe(true);
    expect(registry.tryChange(null, { ...enter, ...next, counter: 2 }).ok).toBe(false);
  });

  it("a counter of a passkey never goes back, also between two sign-ins at once", () => {
    const { registry, deployer } = setUp();
    const signIn = (n: number, counter: number) => {
      const change = { do: "sign-in-with-passkey", passkey: "k", counter, userAgent: "" } as const;
      const answered = { challenge: toSha256(`challenge ${n}`), expiresMs: NOW_MS + 1_000 };
      return registry.tryChange(null, { ...change, ...answered }).ok;
    };
    const passkey = { id: "k", publicKey: "p", counter: 0, transports: [], name: "Laptop" };
    const added = { challenge: toSha256("added"), expiresMs: NOW_MS + 1_000 };
    registry.change(deployer, { do: "add-passkey", passkey, ...added });
    const counters = [0, 0, 9, 8, 9, 0, 10];
    expect(counters.map((counter, n) => signIn(n, counter))).toEqual([
      ...[true, true, true, false, false, false, true],
    ]);
  });
});

describe("a person admitted by Access", () => {
  it("becomes the owner of a first project without one, otherwise a member, and is added once", () => {
    const registry = new TestRegistry();
    for (const name of ["ada@example.com", "bob@example.com", "ada@example.com"]) {
      registry.change(null, { do: "access-sign-in", name, ownership: "if-none" });
    }
    const role = (name: string) =>
      getRoleInProject(registry.state, { kind: "access", name }, "1", NOW_MS);
    expect([role("ada@example.com"), role("bob@example.com")]).toEqual(["owner", "member"]);
    expect(registry.state.people).toHaveLength(2);
  });

  it("is not added again after being removed", () => {
    const registry = new TestRegistry();
    registry.change(null, { do: "access-sign-in", name: "ada@example.com", ownership: "if-none" });
    registry.change(null, { do: "access-sign-in", name: "bob@example.com", ownership: "if-none" });
    const bob = registry.state.people[1]?.id ?? "";
    const ada: Actor = { kind: "access", name: "ada@example.com" };
    registry.change(ada, { do: "remove-member", project: "1", person: bob });
    const again = registry.tryChange(null, {
      do: "access-sign-in",
      name: "bob@example.com",
      ownership: "if-none",
    });
    expect(again).toEqual({ ok: false, reason: "forbidden" });
    expect(
      isAuthenticated(registry.state, { kind: "access", name: "bob@example.com" }, NOW_MS),
    ).toBe(false);
  });
});

describe("permissions", () => {
  const settings: readonly RegistryChange[] = [
    { do: "rename-project", project: "1", name: "X" },
    { do: "add-key", kind: "public", project: "1", name: "X", origins: [] },
    { do: "invite", project: "1", role: "owner" },
    { do: "add-token", project: "1", name: "X", role: "owner" },
    { do: "set-role", project: "1", person: "x", role: "owner" },
  ];

  it.each(settings)("$do requires an owner of that project", (change) => {
    const { registry, deployer } = setUp();
    const viewer = registry.invite(deployer, "viewer");
    const member = registry.invite(deployer, "member");
    registry.change(deployer, { do: "create-project", name: "Second" });
    const other = registry.invite(deployer, "owner", "2");
    const text = registry.change(deployer, {
      do: "add-token",
      project: "1",
      name: "t",
      role: "owner",
    }).secrets?.[0];
    const token: Actor = { kind: "token", hash: toSha256(text ?? "") };
    const { isForTokens = false } = getRegistryChange(change.do);
    for (const actor of [null, viewer, member, other, ...(isForTokens ? [] : [token])]) {
      expect(registry.tryChange(actor, change)).toEqual({ ok: false, reason: "forbidden" });
    }
    if (isForTokens) expect(registry.tryChange(token, change).ok).toBe(true);
  });

  it("a token makes no change of who has access, except to take it from programs", () => {
    const ofTokens = Object.values(REGISTRY_CHANGES).filter((one) => "isForTokens" in one);
    expect(ofTokens.map(({ name }) => name).sort()).toEqual([
      "add-key",
      "archive-project",
      "change-key",
      "pause-key",
      "rename-project",
      "reopen-project",
      "resume-key",
      "revoke-key",
      "revoke-token",
      "rotate-key",
      "set-keyless",
      "set-noise-rules",
      "withdraw-invitation",
    ]);
  });

  it.each([
    { do: "add-key", kind: "server", project: "1", name: "X", origins: [] },
    { do: "invite", project: "1", role: "viewer" },
    { do: "add-token", project: "1", name: "X", role: "viewer" },
  ] as const)("$do is made once for one request, and its secret is shown once", (change) => {
    const { registry, deployer } = setUp();
    const request = { ...change, requestId: "a1".repeat(16) };
    const first = registry.change(deployer, request);
    expect(first.secrets).toHaveLength(1);
    const { version } = registry.state;
    const again = registry.change(deployer, request);
    expect([again.createdId, again.secrets]).toEqual([first.createdId, undefined]);
    expect(registry.state.version).toBe(version);
    expect(registry.change(deployer, change).createdId).not.toBe(first.createdId);
  });

  it("every change requires an owner of its project, except those that say so here", () => {
    const others = Object.values(REGISTRY_CHANGES).filter(({ role }) => role !== "owner");
    expect(others.map(({ name, role }) => `${name}: ${role}`)).toEqual([
      "create-project: any-owner",
      "split-by-stack: member",
      "group-together: member",
      "rename-person: person",
      "remove-passkey: person",
      "new-recovery-codes: person",
      "end-session: person",
      "end-sessions: person",
      "add-passkey: person",
      "connect-program: person",
      "disconnect-program: person",
      "sign-in-with-code: anyone",
      "sign-in-with-passkey: anyone",
      "access-sign-in: anyone",
    ]);
  });

  it("changes that remove rights close live sockets; some work in a registry without room", () => {
    const listNames = (flag: "revokes" | "isUrgent") =>
      Object.values(REGISTRY_CHANGES).flatMap(({ name, [flag]: isSet }) => (isSet ? [name] : []));
    expect(listNames("revokes").sort()).toEqual([
      "delete-project",
      "disconnect-program",
      "end-session",
      "end-sessions",
      "remove-member",
      "revoke-token",
      "set-role",
    ]);
    expect(listNames("isUrgent").sort()).toEqual([
      "access-sign-in",
      "add-passkey",
      "new-recovery-codes",
      "pause-key",
      "restore",
      "rotate-key",
      "sign-in-with-code",
      "sign-in-with-passkey",
    ]);
  });

  it("a token has its own role in its own project until it is revoked or expires", () => {
    const { registry, deployer } = setUp();
    const { secrets: [text = ""] = [], createdId = "" } = registry.change(deployer, {
      do: "add-token",
      project: "1",
      name: "ci",
      role: "viewer",
      lifetimeMs: HOUR_MS,
    });
    expect(JSON.stringify(registry.state)).not.toContain(text);
    const token: Actor = { kind: "token", hash: toSha256(text) };
    expect(listAccessibleProjects(registry.state, token, NOW_MS).map(({ role }) => role)).toEqual([
      "viewer",
    ]);
    expect(getRoleInProject(registry.state, token, "1", NOW_MS + HOUR_MS)).toBeNull();
    registry.change(deployer, { do: "revoke-token", project: "1", token: createdId });
    expect(isAuthenticated(registry.state, token, NOW_MS)).toBe(false);
  });

  it("a token for all projects has at most the role of its person in each", () => {
    const { registry, deployer } = setUp();
    const add = { do: "create-project", name: "Second" } as const;
    const { createdId: second = "" } = registry.change(deployer, add);
    const { createdId: third = "" } = registry.change(deployer, { ...add, name: "Third" });
    const owner = registry.invite(deployer, "owner");
    const person = registry.state.people.at(-1)?.id ?? "";
    const { secrets: [code = ""] = [] } = registry.change(deployer, {
      ...{ do: "invite", project: second, role: "viewer" },
    });
    registry.change(owner, { do: "sign-in-with-code", hash: toSha256(code), userAgent: "" });
    const { secrets: [text = ""] = [] } = registry.change(owner, {
      ...{ do: "add-token", project: "1", name: "agent", role: "member" },
      ...{ isForAllProjects: true, lowestTrust: "server" },
    });
    const token: Actor = { kind: "token", hash: toSha256(text) };
    const getRole = (project: string) => getRoleInProject(registry.state, token, project, NOW_MS);
    expect(["1", second, third].map(getRole)).toEqual(["member", "viewer", null]);
    expect(getLowestTrust(registry.state, token)).toBe("server");
    registry.change(deployer, { do: "remove-member", project: second, person });
    expect(["1", second].map(getRole)).toEqual(["member", null]);
    registry.change(deployer, { do: "set-role", project: "1", person, role: "member" });
    expect(getRole("1")).toBeNull();
  });

  it.each([
    ["local access, which is no person", { kind: "local" } as const, "viewer"],
    ["an upload token", undefined, "uploader"],
  ] as const)("is refused for all projects: a token of %s", (_, actor, role) => {
    const { registry, deployer } = setUp();
    const change = {
      do: "add-token",
      project: "1",
      name: "ci",
      role,
      isForAllProjects: true,
    } as const;
    expect(registry.tryChange(actor ?? deployer, change)).toEqual({
      ok: false,
      reason: "one-project-only",
    });
  });

  it("a token that was created without a lowest trust reads all text", () => {
    const { registry, deployer } = setUp();
    const add = { do: "add-token", project: "1", name: "ci", role: "viewer" } as const;
    const [text = ""] = registry.change(deployer, add).secrets ?? [];
    const token: Actor = { kind: "token", hash: toSha256(text) };
    expect(getLowestTrust(registry.state, token)).toBe("public");
    expect(getLowestTrust(registry.state, deployer)).toBeUndefined();
    expect(registry.state.tokens[0]).not.toHaveProperty("lowestTrust", expect.any(String));
  });

  it("an upload token names the address, and has no role in any project", () => {
    const { registry, deployer } = setUp();
    const origin = "https://errata.example";
    const change = { do: "add-token", project: "1", name: "ci", role: "uploader", origin } as const;
    const [text = ""] = registry.change(deployer, change).secrets ?? [];
    const [, facts = "", secret] = /^sntrys_([^_]+)_([^_]+)$/.exec(text) ?? [];
    expect(JSON.parse(atob(facts))).toEqual({
      iat: NOW_MS / 1000,
      url: origin,
      region_url: origin,
      org: "errata-example",
    });
    expect(atob(`${secret}=`)).toHaveLength(32);
    expect(JSON.stringify(registry.state)).not.toContain(secret);
    const token: Actor = { kind: "token", hash: toSha256(text) };
    expect(listAccessibleProjects(registry.state, token, NOW_MS)).toEqual([]);
    expect(isAuthenticated(registry.state, token, NOW_MS)).toBe(false);
    expect(findTokenProject(registry.state, token.hash, NOW_MS)).toMatchObject({
      project: { id: "1" },
      token: { role: "uploader" },
    });
  });

  it("a project keeps an owner", () => {
    const { registry, deployer } = setUp();
    const person = registry.state.people[0]?.id ?? "";
    const demote = { do: "set-role", project: "1", person, role: "member" } as const;
    const remove = { do: "remove-member", project: "1", person } as const;
    expect(registry.tryChange(deployer, demote)).toEqual({ ok: false, reason: "last-owner" });
    expect(registry.tryChange(deployer, remove)).toEqual({ ok: false, reason: "last-owner" });
    registry.invite(deployer, "owner");
    expect(registry.tryChange(deployer, demote).ok).toBe(true);
  });

  it("the creator of a project owns it; the first project cannot be archived or deleted", () => {
    const { registry, deployer } = setUp();
    expect(registry.change(deployer, { do: "create-project", name: "Second" }).createdId).toBe("2");
    const deletion = { do: "delete-project", project: "2", confirmation: "second" } as const;
    expect(registry.tryChange(deployer, deletion)).toMatchObject({ reason: "not-confirmed" });
    registry.change(deployer, { ...deletion, confirmation: "Second" });
    expect(getRoleInProject(registry.state, LOCAL, "2", NOW_MS)).toBeNull();
    expect(registry.change(deployer, { do: "create-project", name: "Third" }).createdId).toBe("3");
    for (const action of ["archive-project", "delete-project"] as const) {
      const change = { do: action, project: "1", confirmation: "First project" };
      expect(registry.tryChange(deployer, change)).toMatchObject({ reason: "first-project" });
    }
  });
});

describe("the end of a membership", () => {
  const getPersonId = (registry: TestRegistry, actor: Actor) =>
    registry.state.sessions.find(({ id }) => actor.kind === "session" && id === actor.id)?.person ??
    "";

  it.each(["removed", "a viewer"])(
    "revokes the invitations and tokens of an owner who is %s now",
    (end) => {
      const { registry, deployer } = setUp();
      const owner = registry.invite(deployer, "owner");
      const person = getPersonId(registry, owner);
      const [code = ""] =
        registry.change(owner, { do: "invite", project: "1", role: "owner" }).secrets ?? [];
      const add = { do: "add-token", project: "1", name: "ci", role: "owner" } as const;
      const [text = ""] = registry.change(owner, add).secrets ?? [];
      registry.change(deployer, { ...add, name: "another's" });
      registry.change(
        deployer,
        end === "removed"
          ? { do: "remove-member", project: "1", person }
          : { do: "set-role", project: "1", person, role: "viewer" },
      );
      const back = { do: "sign-in-with-code", hash: toSha256(code), userAgent: "" } as const;
      expect(registry.tryChange(null, back)).toEqual({ ok: false, reason: "bad-code" });
      expect(isAuthenticated(registry.state, { kind: "token", hash: toSha256(text) }, NOW_MS)).toBe(
        false,
      );
      expect(registry.state.tokens.map(({ name }) => name)).toEqual(["another's"]);
    },
  );

  it("removes the person with the last project, so that removed people do not fill the registry", () => {
    const { registry, deployer } = setUp();
    for (let n = 0; n < limits.maxPeople + 5; n++) {
      const member = registry.invite(deployer, "member");
      registry.change(deployer, {
        do: "remove-member",
        project: "1",
        person: getPersonId(registry, member),
      });
      expect(isAuthenticated(registry.state, member, NOW_MS)).toBe(false);
    }
    expect(registry.state.people.map(({ name }) => name)).toEqual(["Deployer"]);
    expect(registry.state.sessions).toHaveLength(1);
  });

  it("includes the deletion of the project, which is remembered until its data is erased", () => {
    const { registry, deployer } = setUp();
    registry.change(deployer, { do: "create-project", name: "Second" });
    const member = registry.invite(deployer, "member", "2");
    registry.change(deployer, { do: "delete-project", project: "2", confirmation: "Second" });
    expect(isAuthenticated(registry.state, member, NOW_MS)).toBe(false);
    expect(isAuthenticated(registry.state, deployer, NOW_MS)).toBe(true);
    expect(registry.state.deletedProjects).toEqual([{ id: "2", deletedMs: NOW_MS }]);
  });
});

it("an unchanged name changes nothing, not even the version", () => {
  const { registry, deployer } = setUp();
  const { version } = registry.state;
  registry.change(deployer, { do: "rename-person", name: "Deployer" });
  registry.change(deployer, { do: "rename-project", project: "1", name: "First project" });
  expect(registry.state.version).toBe(version);
});

function lastKey({ keys }: RegistryState): string {
  const last = keys.at(-1);
  return last?.kind === "public" ? last.key : "";
}

describe("an ingest key", () => {
  const withKey = (options: object = {}) => {
    const { registry, deployer } = setUp();
    registry.change(deployer, { do: "create-project", name: "Shop" });
    const key = {
      do: "add-key",
      kind: "public",
      project: "2",
      name: "web",
      origins: [],
      ...options,
    } as const;
    const { createdId = "" } = registry.change(deployer, key);
    return { registry, deployer, id: createdId, key: lastKey(registry.state) };
  };

  it("admits to its own project, whether the URL names it or not", () => {
    const { registry, id, key } = withKey({ perMinute: 600 });
    const admitted = { project: "2", trust: "public", perMinute: 600, keyId: id };
    expect(admitByRegistry(registry.state, { key }, NOW_MS)).toEqual(admitted);
    expect(admitByRegistry(registry.state, { key, project: "2" }, NOW_MS)).toEqual(admitted);
    expect(admitByRegistry(registry.state, { key, project: "1" }, NOW_MS)).toBe("unknown-key");
    expect(admitByRegistry(registry.state, { key: "x" }, NOW_MS)).toBe("unknown-key");
    expect(admitByRegistry(registry.state, {}, NOW_MS)).toBe("unknown-key");
  });

  it("stays valid for the given time after rotation, and the new one is valid at once", () => {
    const { registry, deployer, id, key } = withKey();
    registry.change(deployer, { do: "rotate-key", project: "2", key: id, overlapMs: HOUR_MS });
    const next = registry.state.keys.at(-1);
    const nextKey = lastKey(registry.state);
    expect(admitByRegistry(registry.state, { key }, NOW_MS + HOUR_MS - 1)).toMatchObject({
      project: "2",
    });
    expect(admitByRegistry(registry.state, { key }, NOW_MS + HOUR_MS)).toBe("unknown-key");
    expect(admitByRegistry(registry.state, { key: nextKey }, NOW_MS)).toMatchObject({
      project: "2",
    });
    registry.change(deployer, { do: "revoke-key", project: "2", key: next?.id ?? "" });
    expect(admitByRegistry(registry.state, { key: nextKey }, NOW_MS)).toBe("unknown-key");
  });

  it("of an archived project admits nothing until the project is reopened", () => {
    const { registry, deployer, key } = withKey();
    registry.change(deployer, { do: "archive-project", project: "2" });
    expect(admitByRegistry(registry.state, { key }, NOW_MS)).toBe("archived");
    registry.change(deployer, { do: "reopen-project", project: "2" });
    expect(admitByRegistry(registry.state, { key }, NOW_MS)).toMatchObject({ project: "2" });
  });

  it.each([
    ["https://shop.example", true],
    ["https://eu.shop.example", true],
    ["https://a.b.shop.example", true],
    [undefined, true],
    ["http://shop.example", false],
    ["https://shop.example:8443", false],
    ["https://evilshop.example", false],
    ["https://shop.example.evil", false],
    ["https://evil/.shop.example", false],
    ["https://.shop.example", false],
    ["null", false],
  ])("with two origins, for a page of %s: admits = %s", (origin, isTaken) => {
    const origins = ["https://shop.example", "https://*.shop.example"];
    const { registry, key } = withKey({ origins });
    const admission = admitByRegistry(registry.state, { key, origin }, NOW_MS);
    expect(admission !== "origin-not-allowed").toBe(isTaken);
  });

  it.each([
    ["https://Shop.example/", "https://shop.example"],
    ["http://localhost:3000", "http://localhost:3000"],
    ["https://*.shop.example", "https://*.shop.example"],
    ["https://shop.example:443", "https://shop.example"],
    ["shop.example", null],
    ["https://", null],
    ["https://shop.example/path", null],
    ["https://*", null],
    ["https://a*b.example", null],
    ["javascript://x", null],
    [`https://${"a".repeat(300)}.example`, null],
  ])("parseOrigin normalizes %s", (text, origin) => {
    expect(parseOrigin(text)).toBe(origin);
  });

  it("is paused by an owner until it is resumed", () => {
    const { registry, deployer, id } = withKey();
    const isPaused = () => isKeyPaused(registry.state, { project: "2", keyId: id });
    registry.change(deployer, { do: "pause-key", project: "2", key: id });
    expect(isPaused()).toBe(true);
    expect(isKeyPaused(registry.state, { project: "1", keyId: id })).toBe(false);
    registry.change(deployer, { do: "resume-key", project: "2", key: id });
    expect(isPaused()).toBe(false);
    expect(registry.state.projects.some(({ pausedKeys }) => pausedKeys !== undefined)).toBe(false);
    expect(() => registry.change(deployer, { do: "pause-key", project: "1", key: id })).toThrow();
  });

  it("of the configuration admits to the first project only", () => {
    const by = { key: "own" };
    const admitted = { project: "1", trust: "public", keyId: CONFIGURED_KEY_ID };
    expect(admitByConfig({ key: "own" }, by)).toEqual(admitted);
    expect(admitByConfig({ project: "2", key: "own" }, by)).toBeNull();
    expect(admitByConfig({ key: "other" }, by)).toBeNull();
    expect(admitByConfig({ key: undefined }, {})).toBeNull();
  });

  it("is not needed in the first project, unless its settings require one", () => {
    const { registry, deployer } = setUp();
    registry.change(deployer, { do: "create-project", name: "Shop" });
    const admit = (presented: object) =>
      admitWithoutKey(registry.state, presented, "https://errata.example");
    const set = (origins: readonly string[] | null) =>
      registry.change(deployer, { do: "set-keyless", project: "1", origins });
    const admitted = { project: "1", trust: "public", perMinute: 6_000, keyId: KEYLESS_ID };
    const [shop, other, own] = ["https://shop.example", "https://a.b", "https://errata.example"];
    expect(admit({})).toEqual(admitted);
    expect(admit({ project: "1" })).toEqual(admitted);
    expect(admit({ project: "2" })).toBe("unknown-key");
    set(["https://shop.example"]);
    expect(admit({ origin: shop })).toEqual(admitted);
    expect(admit({ origin: own })).toEqual(admitted);
    expect(admit({ origin: other })).toBe("origin-not-allowed");
    expect(admit({})).toBe("origin-not-allowed");
    set([]);
    for (const origin of [shop, other, own, undefined])
      expect(admit({ origin })).toBe("key-required");
    set(null);
    expect(admit({ origin: other })).toEqual(admitted);
    expect(registry.state.projects[0]).not.toHaveProperty("keylessOrigins");
  });
});

it("noise rules that are off are stored until all are on again", () => {
  const { registry, deployer } = setUp();
  const set = (disabledRules: readonly SwitchableNoiseRule[]) =>
    registry.change(deployer, { do: "set-noise-rules", project: "1", disabledRules });
  const listDisabled = () => findProject(registry.state, "1")?.disabledNoiseRules;
  expect(listDisabled()).toBeUndefined();
  expect(set(["extension", "translated"])).toMatchObject({
    subject: "all rules except extension, translated",
  });
  expect(listDisabled()).toEqual(["extension", "translated"]);
  expect(set([])).toMatchObject({ subject: "all rules" });
  expect(registry.state.projects[0]).not.toHaveProperty("disabledNoiseRules");
});

describe("the digests that a project splits by stack", () => {
  const toChange = (digest: string, isSplit = true): RegistryChange => ({
    do: isSplit ? "split-by-stack" : "group-together",
    project: "1",
    digest,
  });

  it("are stored once each until they count together again", () => {
    const { registry, deployer } = setUp();
    const member = registry.invite(deployer, "member");
    const list = () => findProject(registry.state, "1")?.splitDigests;
    expect(registry.change(member, toChange("0000-0000"))).toMatchObject({ subject: "0000-0000" });
    registry.change(deployer, toChange("7F3K-Q2M9"));
    const { version } = registry.state;
    registry.change(member, toChange("0000-0000"));
    expect(registry.state.version).toBe(version);
    expect(list()).toEqual(["0000-0000", "7F3K-Q2M9"]);
    registry.change(member, toChange("0000-0000", false));
    expect(list()).toEqual(["7F3K-Q2M9"]);
    registry.change(LOCAL, toChange("7F3K-Q2M9", false));
    expect(registry.state.projects[0]).not.toHaveProperty("splitDigests");
  });

  it("are limited in number", () => {
    const { registry, deployer } = setUp();
    const max = limits.maxSplitDigests;
    for (let n = 0; n < max; n++) registry.change(deployer, toChange(`0000-${1000 + n}`));
    const full = { ok: false, reason: "too-many", limit: "maxSplitDigests", max };
    expect(registry.tryChange(deployer, toChange("7F3K-Q2M9"))).toEqual(full);
    expect(registry.tryChange(deployer, toChange("0000-1000")).ok).toBe(true);
    registry.change(deployer, toChange("0000-1000", false));
    expect(registry.tryChange(deployer, toChange("7F3K-Q2M9")).ok).toBe(true);
  });

  it("are a member's to change, and those of an existing project", () => {
    const { registry, deployer } = setUp();
    const forbidden = { ok: false, reason: "forbidden" };
    const viewer = registry.invite(deployer, "viewer");
    for (const actor of [viewer, null])
      expect(registry.tryChange(actor, toChange("7F3K-Q2M9"))).toEqual(forbidden);
    const other: RegistryChange = { do: "split-by-stack", project: "2", digest: "7F3K-Q2M9" };
    expect(registry.tryChange(deployer, other)).toEqual(forbidden);
  });
});

it("any sequence of changes: versions increase, projects keep owners, nothing belongs to a deleted project", () => {
  const names = fc.constantFrom("1", "2", "3");
  const roles = fc.constantFrom("viewer", "member", "owner");
  const nth = fc.nat(5);
  const changes = fc.oneof(
    fc.record({ do: fc.constant("create-project"), name: names }),
    fc.record({ do: fc.constant("delete-project"), project: names, confirmation: names }),
    fc.record({ do: fc.constant("invite"), project: names, role: roles }),
    fc.record({ do: fc.constant("set-role"), project: names, person: nth, role: roles }),
    fc.record({ do: fc.constant("remove-member"), project: names, person: nth }),
    fc.record({ do: fc.constant("add-token"), project: names, name: names, role: roles }),
    fc.record({
      do: fc.constant("add-key"),
      kind: fc.constantFrom("public", "server"),
      project: names,
      name: names,
      origins: fc.constant([]),
    }),
    fc.record({ do: fc.constant("end-sessions") }),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(nth, changes), { maxLength: 40 }), (steps) => {
      const { registry, deployer } = setUp();
      const actors: Actor[] = [deployer];
      for (const [actorIndex, step] of steps) {
        const person = "person" in step ? registry.state.people[step.person]?.id : undefined;
        const before = registry.state.version;
        const change = { ...step, ...("person" in step && { person: person ?? "unknown" }) };
        const result = registry.tryChange(actors[actorIndex] ?? null, change as RegistryChange);
        expect(registry.state.version - before).toBeLessThanOrEqual(1);
        const code = result.ok && step.do === "invite" ? result.value.secrets?.[0] : undefined;
        if (code !== undefined) actors.push(registry.signIn(code));
      }
      const { projects, memberships, keys, tokens, invitations } = registry.state;
      const ids = projects.map(({ id }) => id);
      for (const { project } of [...memberships, ...keys, ...tokens, ...invitations]) {
        expect(ids).toContain(project);
      }
      for (const id of ids) {
        const owners = memberships.filter(
          ({ project, role }) => project === id && role === "owner",
        );
        expect(owners.length).toBeGreaterThan(0);
      }
      const stored = JSON.parse(JSON.stringify(registry.state));
      expect(REGISTRY.check(stored)).toEqual({ kind: "ok", value: registry.state });
    }),
    { numRuns: 60 },
  );
});
