import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  applyRegistryChange,
  type RegistryChange,
} from "../../../src/core/accounts/apply-change.ts";
import { SESSION_MS } from "../../../src/core/accounts/apply-sign-in.ts";
import type { RegistryChangeDeps } from "../../../src/core/accounts/change-types.ts";
import {
  admitByConfig,
  admitByRegistry,
  parseOrigin,
} from "../../../src/core/accounts/ingest-keys.ts";
import {
  type Actor,
  getRoleInProject,
  isAuthenticated,
  listAccessibleProjects,
} from "../../../src/core/accounts/permissions.ts";
import { normalizeCode } from "../../../src/core/accounts/recovery-code.ts";
import {
  createRegistryState,
  parseRegistryState,
  type RegistryState,
} from "../../../src/core/accounts/registry.ts";
import { limits } from "../../../src/core/limits.ts";

const NOW_MS = Date.UTC(2026, 10, 22, 9);
const HOUR_MS = 3_600_000;
const LOCAL: Actor = { kind: "local" };
const SETUP = { hash: hash("setup"), expiresMs: NOW_MS + HOUR_MS };

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

let minted = 0;
const facts = (nowMs = NOW_MS): RegistryChangeDeps => ({
  nowMs,
  newSecret: () => createHash("sha256").update(`minted ${minted++}`).digest("base64url"),
  hash,
});

/** A registry that is changed step by step, as the object does it. */
class Story {
  now: RegistryState = createRegistryState("secret", NOW_MS);
  atMs = NOW_MS;

  tries(actor: Actor | null, change: RegistryChange) {
    const made = applyRegistryChange(this.now, actor, change, facts(this.atMs));
    if (made.ok) this.now = made.value.registry;
    return made;
  }

  does(actor: Actor | null, change: RegistryChange) {
    const made = this.tries(actor, change);
    if (!made.ok) throw new Error(`${change.do}: ${made.reason}`);
    return made.value;
  }

  enters(code: string, more: object = {}): Actor {
    const change = {
      do: "sign-in-with-code",
      hash: hash(code),
      userAgent: "Firefox",
      ...more,
    } as const;
    const { sessionId = "" } = this.does(null, change);
    return { kind: "session", id: sessionId };
  }

  invites(by: Actor, role: "viewer" | "member" | "owner", project = "1"): Actor {
    const { secrets: [code = ""] = [] } = this.does(by, { do: "invite", project, role });
    return this.enters(code, { name: role });
  }
}

const begun = () => {
  const story = new Story();
  return { story, deployer: story.enters("setup", { setup: SETUP }) };
};

describe("the link of a deployment", () => {
  it("lets in an owner, once", () => {
    const { story, deployer } = begun();
    expect(getRoleInProject(story.now, deployer, "1", NOW_MS)).toBe("owner");
    const again = {
      do: "sign-in-with-code",
      hash: SETUP.hash,
      setup: SETUP,
      userAgent: "",
    } as const;
    expect(story.tries(null, again)).toEqual({ ok: false, reason: "bad-code" });
  });

  it("is good until its time, and never without being configured", () => {
    const story = new Story();
    const enter = { do: "sign-in-with-code", hash: SETUP.hash, userAgent: "" } as const;
    expect(story.tries(null, enter).ok).toBe(false);
    story.atMs = SETUP.expiresMs;
    expect(story.tries(null, { ...enter, setup: SETUP }).ok).toBe(false);
  });

  it("of another deployment lets in the same person, who owns what was made meanwhile", () => {
    const { story, deployer } = begun();
    const other = story.invites(deployer, "owner");
    story.does(other, { do: "create-project", name: "Other" });
    expect(getRoleInProject(story.now, deployer, "2", NOW_MS)).toBeNull();
    story.enters("next", { setup: { hash: hash("next"), expiresMs: NOW_MS + 1 } });
    expect(story.now.people).toHaveLength(2);
    expect(getRoleInProject(story.now, deployer, "2", NOW_MS)).toBe("owner");
  });
});

describe("an invitation", () => {
  it("makes one person a member, once, for a week", () => {
    const { story, deployer } = begun();
    const { secrets: [code = ""] = [] } = story.does(deployer, {
      do: "invite",
      project: "1",
      role: "viewer",
    });
    expect(JSON.stringify(story.now)).not.toContain(code);
    const viewer = story.enters(code, { name: "Ada" });
    expect(getRoleInProject(story.now, viewer, "1", NOW_MS)).toBe("viewer");
    const again = { do: "sign-in-with-code", hash: hash(code), userAgent: "" } as const;
    expect(story.tries(null, again).ok).toBe(false);

    const late = story.does(deployer, { do: "invite", project: "1", role: "viewer" }).secrets ?? [];
    story.atMs = NOW_MS + 7 * 24 * HOUR_MS;
    expect(story.tries(null, { ...again, hash: hash(late[0] ?? "") }).ok).toBe(false);
  });

  it("makes whoever is in already a member of another project, never less than he is", () => {
    const { story, deployer } = begun();
    const viewer = story.invites(deployer, "viewer");
    story.does(deployer, { do: "create-project", name: "Second" });
    const invite = (project: string) =>
      story.does(deployer, { do: "invite", project, role: "member" }).secrets?.[0] ?? "";
    const take = (actor: Actor, code: string) =>
      story.does(actor, { do: "sign-in-with-code", hash: hash(code), userAgent: "" });
    take(viewer, invite("2"));
    take(deployer, invite("1"));
    expect(getRoleInProject(story.now, viewer, "2", NOW_MS)).toBe("member");
    expect(getRoleInProject(story.now, deployer, "1", NOW_MS)).toBe("owner");
    expect(story.now.people).toHaveLength(2);
  });
});

describe("sessions", () => {
  it("are new at every entry, end the one before, and end by themselves", () => {
    const { story, deployer } = begun();
    const codes = story.does(deployer, { do: "new-recovery-codes" }).secrets ?? [];
    expect(codes).toHaveLength(8);
    const previousSession = deployer.kind === "session" ? deployer.id : "";
    const after = story.enters(normalizeCode(` ${(codes[0] ?? "").toUpperCase()} `), {
      previousSession,
    });
    expect(isAuthenticated(story.now, deployer, NOW_MS)).toBe(false);
    expect(isAuthenticated(story.now, after, NOW_MS + SESSION_MS - 1)).toBe(true);
    expect(isAuthenticated(story.now, after, NOW_MS + SESSION_MS)).toBe(false);
  });

  it("a recovery code is good once, and new ones end the old", () => {
    const { story, deployer } = begun();
    const [first = "", second = ""] =
      story.does(deployer, { do: "new-recovery-codes" }).secrets ?? [];
    const enter = (code: string) =>
      story.tries(null, { do: "sign-in-with-code", hash: hash(normalizeCode(code)), userAgent: "" })
        .ok;
    expect([enter(first), enter(first)]).toEqual([true, false]);
    story.does(deployer, { do: "new-recovery-codes" });
    expect(enter(second)).toBe(false);
  });

  it.each([
    ["k3m9-q7tx-0b1c-d2ef", "k3m9q7tx0b1cd2ef"],
    ["K3M9 Q7TX OBIC D2EF", "k3m9q7tx0b1cd2ef"],
    ["k3m9q7txoblcd2ef", "k3m9q7tx0b1cd2ef"],
    ["  pasted_as-It_Is  ", "pasted_as-It_Is"],
  ])("a recovery code is read as it was confirmation: %s", (typed, plain) => {
    expect(normalizeCode(typed)).toBe(plain);
  });

  it("are so many for one person: the oldest makes room", () => {
    const { story, deployer } = begun();
    for (let n = 0; n < limits.maxSessionsPerPerson; n++) {
      story.enters(`again ${n}`, { setup: { hash: hash(`again ${n}`), expiresMs: NOW_MS + 1 } });
    }
    expect(story.now.sessions).toHaveLength(limits.maxSessionsPerPerson);
    expect(isAuthenticated(story.now, deployer, NOW_MS)).toBe(false);
  });

  it("of others cannot be ended", () => {
    const { story, deployer } = begun();
    const viewer = story.invites(deployer, "viewer");
    const session = deployer.kind === "session" ? deployer.id.slice(0, 12) : "";
    const ended = story.tries(viewer, { do: "end-session", session });
    expect(ended).toMatchObject({ ok: false, reason: "not-found" });
    story.does(viewer, { do: "end-sessions" });
    expect(isAuthenticated(story.now, deployer, NOW_MS)).toBe(true);
    expect(isAuthenticated(story.now, viewer, NOW_MS)).toBe(false);
  });

  it("a challenge that was answered is answered no second time", () => {
    const { story, deployer } = begun();
    const passkey = { id: "k", publicKey: "p", counter: 0, transports: [], name: "Laptop" };
    const answered = { challenge: hash("challenge"), expiresMs: NOW_MS + 1_000 };
    story.does(deployer, { do: "add-passkey", passkey, ...answered });
    const enter = { do: "sign-in-with-passkey", passkey: "k", counter: 1, userAgent: "" } as const;
    expect(story.tries(null, { ...enter, ...answered }).ok).toBe(false);
    const next = { challenge: hash("next"), expiresMs: NOW_MS + 1_000 };
    expect(story.tries(null, { ...enter, ...next }).ok).toBe(true);
    expect(story.tries(null, { ...enter, ...next }).ok).toBe(false);
  });
});

describe("whoever Access lets through", () => {
  it("owns the first project when he is the first, is a member after that, and comes once", () => {
    const story = new Story();
    for (const name of ["ada@example.com", "bob@example.com", "ada@example.com"]) {
      story.does(null, { do: "access-sign-in", name });
    }
    const role = (name: string) =>
      getRoleInProject(story.now, { kind: "access", name }, "1", NOW_MS);
    expect([role("ada@example.com"), role("bob@example.com")]).toEqual(["owner", "member"]);
    expect(story.now.people).toHaveLength(2);
  });

  it("is no member again once he was removed", () => {
    const story = new Story();
    story.does(null, { do: "access-sign-in", name: "ada@example.com" });
    story.does(null, { do: "access-sign-in", name: "bob@example.com" });
    const bob = story.now.people[1]?.id ?? "";
    const ada: Actor = { kind: "access", name: "ada@example.com" };
    story.does(ada, { do: "remove-member", project: "1", person: bob });
    const again = story.tries(null, { do: "access-sign-in", name: "bob@example.com" });
    expect(again).toEqual({ ok: false, reason: "forbidden" });
    expect(isAuthenticated(story.now, { kind: "access", name: "bob@example.com" }, NOW_MS)).toBe(
      false,
    );
  });
});

describe("rights", () => {
  const settings: readonly RegistryChange[] = [
    { do: "rename-project", project: "1", name: "X" },
    { do: "add-key", project: "1", name: "X", origins: [] },
    { do: "invite", project: "1", role: "owner" },
    { do: "add-token", project: "1", name: "X", role: "owner" },
    { do: "set-role", project: "1", person: "x", role: "owner" },
  ];

  it.each(settings)("$do is an owner's of that project alone", (change) => {
    const { story, deployer } = begun();
    const viewer = story.invites(deployer, "viewer");
    const member = story.invites(deployer, "member");
    story.does(deployer, { do: "create-project", name: "Second" });
    const other = story.invites(deployer, "owner", "2");
    const text = story.does(deployer, { do: "add-token", project: "1", name: "t", role: "owner" })
      .secrets?.[0];
    const token: Actor = { kind: "token", hash: hash(text ?? "") };
    for (const actor of [null, viewer, member, other, token]) {
      expect(story.tries(actor, change)).toEqual({ ok: false, reason: "forbidden" });
    }
  });

  it("a token reaches as far as it was given, in its project, until it is revoked or has ended", () => {
    const { story, deployer } = begun();
    const { secrets: [text = ""] = [], createdId = "" } = story.does(deployer, {
      do: "add-token",
      project: "1",
      name: "ci",
      role: "viewer",
      lifetimeMs: HOUR_MS,
    });
    expect(JSON.stringify(story.now)).not.toContain(text);
    const token: Actor = { kind: "token", hash: hash(text) };
    expect(listAccessibleProjects(story.now, token, NOW_MS).map(({ role }) => role)).toEqual([
      "viewer",
    ]);
    expect(getRoleInProject(story.now, token, "1", NOW_MS + HOUR_MS)).toBeNull();
    story.does(deployer, { do: "revoke-token", project: "1", token: createdId });
    expect(isAuthenticated(story.now, token, NOW_MS)).toBe(false);
  });

  it("a project keeps an owner", () => {
    const { story, deployer } = begun();
    const person = story.now.people[0]?.id ?? "";
    const demote = { do: "set-role", project: "1", person, role: "member" } as const;
    const remove = { do: "remove-member", project: "1", person } as const;
    expect(story.tries(deployer, demote)).toEqual({ ok: false, reason: "last-owner" });
    expect(story.tries(deployer, remove)).toEqual({ ok: false, reason: "last-owner" });
    story.invites(deployer, "owner");
    expect(story.tries(deployer, demote).ok).toBe(true);
  });

  it("who made a project owns it; the first one stays", () => {
    const { story, deployer } = begun();
    expect(story.does(deployer, { do: "create-project", name: "Second" }).createdId).toBe("2");
    const deletion = { do: "delete-project", project: "2", confirmation: "second" } as const;
    expect(story.tries(deployer, deletion)).toMatchObject({ reason: "not-confirmed" });
    story.does(deployer, { ...deletion, confirmation: "Second" });
    expect(getRoleInProject(story.now, LOCAL, "2", NOW_MS)).toBeNull();
    expect(story.does(deployer, { do: "create-project", name: "Third" }).createdId).toBe("3");
    for (const deed of ["archive-project", "delete-project"] as const) {
      const change = { do: deed, project: "1", confirmation: "First project" };
      expect(story.tries(deployer, change)).toMatchObject({ reason: "first-project" });
    }
  });
});

describe("the end of a membership", () => {
  const idOf = (story: Story, actor: Actor) =>
    story.now.sessions.find(({ id }) => actor.kind === "session" && id === actor.id)?.person ?? "";

  it.each(["removed", "a viewer"])(
    "takes with it what an owner let others in by, who is %s now",
    (end) => {
      const { story, deployer } = begun();
      const owner = story.invites(deployer, "owner");
      const person = idOf(story, owner);
      const [code = ""] =
        story.does(owner, { do: "invite", project: "1", role: "owner" }).secrets ?? [];
      const add = { do: "add-token", project: "1", name: "ci", role: "owner" } as const;
      const [text = ""] = story.does(owner, add).secrets ?? [];
      story.does(deployer, { ...add, name: "another's" });
      story.does(
        deployer,
        end === "removed"
          ? { do: "remove-member", project: "1", person }
          : { do: "set-role", project: "1", person, role: "viewer" },
      );
      const back = { do: "sign-in-with-code", hash: hash(code), userAgent: "" } as const;
      expect(story.tries(null, back)).toEqual({ ok: false, reason: "bad-code" });
      expect(isAuthenticated(story.now, { kind: "token", hash: hash(text) }, NOW_MS)).toBe(false);
      expect(story.now.tokens.map(({ name }) => name)).toEqual(["another's"]);
    },
  );

  it("in the last project ends the person: nobody fills the desk with people who are gone", () => {
    const { story, deployer } = begun();
    for (let n = 0; n < limits.maxPeople + 5; n++) {
      const member = story.invites(deployer, "member");
      story.does(deployer, { do: "remove-member", project: "1", person: idOf(story, member) });
      expect(isAuthenticated(story.now, member, NOW_MS)).toBe(false);
    }
    expect(story.now.people.map(({ name }) => name)).toEqual(["Deployer"]);
    expect(story.now.sessions).toHaveLength(1);
  });

  it("by the end of the project is one too; what the project had is remembered until it is erased", () => {
    const { story, deployer } = begun();
    story.does(deployer, { do: "create-project", name: "Second" });
    const member = story.invites(deployer, "member", "2");
    story.does(deployer, { do: "delete-project", project: "2", confirmation: "Second" });
    expect(isAuthenticated(story.now, member, NOW_MS)).toBe(false);
    expect(isAuthenticated(story.now, deployer, NOW_MS)).toBe(true);
    expect(story.now.deletedProjects).toEqual([{ id: "2", deletedMs: NOW_MS }]);
  });
});

it("a name that is the same changes nothing, and is noted nowhere", () => {
  const { story, deployer } = begun();
  const { version } = story.now;
  story.does(deployer, { do: "rename-person", name: "Deployer" });
  story.does(deployer, { do: "rename-project", project: "1", name: "First project" });
  expect(story.now.version).toBe(version);
});

describe("an ingest key", () => {
  const withKey = (terms: object = {}) => {
    const { story, deployer } = begun();
    story.does(deployer, { do: "create-project", name: "Shop" });
    const key = { do: "add-key", project: "2", name: "web", origins: [], ...terms } as const;
    const { createdId = "" } = story.does(deployer, key);
    return { story, deployer, id: createdId, key: story.now.keys.at(-1)?.key ?? "" };
  };

  it("opens its own project, whether the address names it or not", () => {
    const { story, key } = withKey({ perMinute: 600 });
    const admitted = { project: "2", hasKey: true, perMinute: 600 };
    expect(admitByRegistry(story.now, { key }, NOW_MS)).toEqual(admitted);
    expect(admitByRegistry(story.now, { key, project: "2" }, NOW_MS)).toEqual(admitted);
    expect(admitByRegistry(story.now, { key, project: "1" }, NOW_MS)).toBe("unknown-key");
    expect(admitByRegistry(story.now, { key: "x" }, NOW_MS)).toBe("unknown-key");
    expect(admitByRegistry(story.now, {}, NOW_MS)).toBe("unknown-key");
  });

  it("that is rotated stays good for the time that was given; the new one is good at once", () => {
    const { story, deployer, id, key } = withKey();
    story.does(deployer, { do: "rotate-key", project: "2", key: id, overlapMs: HOUR_MS });
    const next = story.now.keys.at(-1);
    expect(admitByRegistry(story.now, { key }, NOW_MS + HOUR_MS - 1)).toMatchObject({
      project: "2",
    });
    expect(admitByRegistry(story.now, { key }, NOW_MS + HOUR_MS)).toBe("unknown-key");
    expect(admitByRegistry(story.now, { key: next?.key }, NOW_MS)).toMatchObject({ project: "2" });
    story.does(deployer, { do: "revoke-key", project: "2", key: next?.id ?? "" });
    expect(admitByRegistry(story.now, { key: next?.key }, NOW_MS)).toBe("unknown-key");
  });

  it("of an archived project opens nothing until it is opened again", () => {
    const { story, deployer, key } = withKey();
    story.does(deployer, { do: "archive-project", project: "2" });
    expect(admitByRegistry(story.now, { key }, NOW_MS)).toBe("archived");
    story.does(deployer, { do: "reopen-project", project: "2" });
    expect(admitByRegistry(story.now, { key }, NOW_MS)).toMatchObject({ project: "2" });
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
  ])("for two origins takes reports of a page of %s: %s", (origin, isTaken) => {
    const origins = ["https://shop.example", "https://*.shop.example"];
    const { story, key } = withKey({ origins });
    const admission = admitByRegistry(story.now, { key, origin }, NOW_MS);
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
  ])("an allowed origin is read: %s", (text, origin) => {
    expect(parseOrigin(text)).toBe(origin);
  });

  it("of the configuration, or none where none is needed, opens the first project alone", () => {
    const by = { isOpen: true, configuredKey: "own" };
    expect(admitByConfig({}, by)).toEqual({ project: "1", hasKey: false });
    expect(admitByConfig({ key: "own" }, by)).toEqual({ project: "1", hasKey: true });
    expect(admitByConfig({ project: "2", key: "own" }, by)).toBeNull();
    expect(admitByConfig({ project: "2" }, by)).toBeNull();
    expect(admitByConfig({}, { ...by, isOpen: false })).toBeNull();
    expect(admitByConfig({ key: "other" }, by)).toBeNull();
    expect(admitByConfig({ key: undefined }, { isOpen: false })).toBeNull();
  });
});

it("whatever is asked by whomever: versions count, projects keep owners, nothing belongs to what is gone", () => {
  const names = fc.constantFrom("1", "2", "3");
  const roles = fc.constantFrom("viewer", "member", "owner");
  const nth = fc.nat(5);
  const asked = fc.oneof(
    fc.record({ do: fc.constant("create-project"), name: names }),
    fc.record({ do: fc.constant("delete-project"), project: names, confirmation: names }),
    fc.record({ do: fc.constant("invite"), project: names, role: roles }),
    fc.record({ do: fc.constant("set-role"), project: names, person: nth, role: roles }),
    fc.record({ do: fc.constant("remove-member"), project: names, person: nth }),
    fc.record({ do: fc.constant("add-token"), project: names, name: names, role: roles }),
    fc.record({
      do: fc.constant("add-key"),
      project: names,
      name: names,
      origins: fc.constant([]),
    }),
    fc.record({ do: fc.constant("end-sessions") }),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(nth, asked), { maxLength: 40 }), (steps) => {
      const { story, deployer } = begun();
      const actors: Actor[] = [deployer];
      for (const [who, step] of steps) {
        const person = "person" in step ? story.now.people[step.person]?.id : undefined;
        const before = story.now.version;
        const change = { ...step, ...("person" in step && { person: person ?? "nobody" }) };
        const made = story.tries(actors[who] ?? null, change as RegistryChange);
        expect(story.now.version - before).toBeLessThanOrEqual(1);
        const code = made.ok && step.do === "invite" ? made.value.secrets?.[0] : undefined;
        if (code !== undefined) actors.push(story.enters(code));
      }
      const { projects, memberships, keys, tokens, invitations } = story.now;
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
      expect(parseRegistryState(JSON.parse(JSON.stringify(story.now)))).toEqual(story.now);
    }),
    { numRuns: 60 },
  );
});
