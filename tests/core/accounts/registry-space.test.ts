/** The registry has a maximum size. One owner cannot use the shares of the others. */
import { describe, expect, it } from "vitest";
import type { Actor } from "#src/core/accounts/actors.ts";
import type { RegistryChange } from "#src/core/accounts/registry-changes.ts";
import { limits } from "#src/core/limits.ts";
import {
  HOUR_MS,
  NOW_MS,
  setUp,
  type TestRegistry,
  toSha256,
} from "#support/accounts/memory-registry.ts";

/** The most and the longest origins that a key may have. */
const LONG_ORIGINS = Array.from(
  { length: limits.maxOriginsPerKey },
  (_, n) => `https://${n}.${"a".repeat(limits.maxOriginChars - 20)}.example`,
);
const PASSKEY = {
  publicKey: "p".repeat(limits.maxPasskeyKeyChars),
  counter: 0,
  transports: [],
  name: "Laptop",
};

let challenges = 0;
const addPasskey = (id: string): RegistryChange => ({
  do: "add-passkey",
  passkey: { ...PASSKEY, id: id.padEnd(limits.maxPasskeyIdChars, "i") },
  challenge: toSha256(`challenge ${challenges++}`),
  expiresMs: NOW_MS + HOUR_MS,
});

/** Makes a change until it is refused. */
function repeat(registry: TestRegistry, actor: Actor, create: (n: number) => RegistryChange) {
  for (let n = 0; ; n++) {
    const result = registry.tryChange(actor, create(n));
    if (!result.ok) return result;
  }
}

/** Stores as much as an owner can: in projects, keys, tokens and passkeys. */
function fillAsOwner(registry: TestRegistry, actor: Actor, name: string): void {
  repeat(registry, actor, (n) => ({ do: "create-project", name: `${name} ${n}` }));
  for (const { id: project } of registry.state.projects) {
    const fills: readonly ((n: number) => RegistryChange)[] = [
      () => ({ do: "add-key", kind: "public", project, name: "web", origins: LONG_ORIGINS }),
      (n) => ({ do: "add-token", project, name: `${n}`.padStart(60, "t"), role: "viewer" }),
      () => ({ do: "invite", project, role: "viewer" }),
      () => ({
        do: "rotate-key",
        project,
        key: registry.state.keys.find((key) => key.project === project)?.id ?? "",
        overlapMs: HOUR_MS,
      }),
    ];
    for (const fill of fills) repeat(registry, actor, fill);
  }
  repeat(registry, actor, (n) => addPasskey(`${name} ${n}`));
}

const trySignIn = (registry: TestRegistry, code: string, name: string) =>
  registry.tryChange(null, { do: "sign-in-with-code", hash: toSha256(code), name, userAgent: "x" });

/** Invites people to a project until no more can join. */
function fillSeats(registry: TestRegistry, owner: Actor, project: string): void {
  for (let n = 0; ; n++) {
    const invited = registry.tryChange(owner, { do: "invite", project, role: "viewer" });
    if (!invited.ok) return;
    const [code = ""] = invited.value.secrets ?? [];
    if (!trySignIn(registry, code, `Seat ${project} ${n}`).ok) return;
  }
}

/** An owner of project 1 alone, and another of project 2 alone. */
function withTwoOwners() {
  const { registry, deployer } = setUp();
  registry.change(deployer, {
    do: "add-key",
    kind: "public",
    project: "1",
    name: "web",
    origins: [],
  });
  const victim = registry.invite(deployer, "owner");
  registry.change(deployer, { do: "create-project", name: "Second" });
  const filler = registry.invite(deployer, "owner", "2");
  return { registry, deployer, victim, filler };
}

/** Everything that the owner of a project needs to do. */
function expectNormalWork(registry: TestRegistry, owner: Actor): void {
  const key = registry.state.keys.find(({ project }) => project === "1")?.id ?? "";
  const codes = registry.change(owner, { do: "new-recovery-codes" }).secrets ?? [];
  expect(codes).toHaveLength(8);
  const changes: readonly RegistryChange[] = [
    { do: "rotate-key", project: "1", key, overlapMs: HOUR_MS },
    {
      do: "add-key",
      kind: "public",
      project: "1",
      name: "phone",
      origins: ["https://shop.example"],
    },
    { do: "invite", project: "1", role: "member" },
    { do: "add-token", project: "1", name: "ci", role: "viewer" },
    {
      ...addPasskey("mine"),
      passkey: { ...PASSKEY, id: "mine", publicKey: "p".repeat(103) },
    } as RegistryChange,
  ];
  for (const change of changes) {
    expect({ do: change.do, ok: registry.tryChange(owner, change).ok }).toEqual({
      do: change.do,
      ok: true,
    });
  }
}

describe("an owner who fills the registry", () => {
  it("creates at most ten projects", () => {
    const { registry, filler } = withTwoOwners();
    const create = (n: number) => ({ do: "create-project", name: `P ${n}` }) as const;
    expect(repeat(registry, filler, create)).toMatchObject({
      reason: "too-many",
      limit: "maxProjectsPerPerson",
    });
    expect(registry.state.projects).toHaveLength(2 + limits.maxProjectsPerPerson);
  });

  it("reaches the maximum of a project", () => {
    const { registry, filler } = withTwoOwners();
    const add = () =>
      ({
        do: "add-key",
        kind: "public",
        project: "2",
        name: "web",
        origins: LONG_ORIGINS,
      }) as const;
    expect(repeat(registry, filler, add)).toMatchObject({
      reason: "too-many",
      limit: "maxProjectChars",
    });
    // A leaked key of a full project can still be rotated.
    const key = registry.state.keys.find(({ project }) => project === "2")?.id ?? "";
    registry.change(filler, { do: "rotate-key", project: "2", key, overlapMs: HOUR_MS });
  });

  it("leaves every other owner able to work", () => {
    const { registry, victim, filler } = withTwoOwners();
    fillAsOwner(registry, filler, "a");
    registry.change(victim, { do: "create-project", name: "Shop" });
    expectNormalWork(registry, victim);
  });

  it("leaves small projects their share, even with accomplices", () => {
    const { registry, deployer, victim, filler } = withTwoOwners();
    const accomplices = Array.from({ length: 9 }, () => registry.invite(deployer, "owner", "2"));
    for (const [n, actor] of [filler, ...accomplices].entries()) {
      fillAsOwner(registry, actor, `P ${n}`);
    }
    expectNormalWork(registry, victim);
    expect(JSON.stringify(registry.state).length).toBeLessThan(limits.maxRegistryChars);
  });

  it("leaves a seat for the people of every other project", () => {
    const { registry, deployer, victim, filler } = withTwoOwners();
    repeat(registry, filler, (n) => ({ do: "create-project", name: `P ${n}` }));
    const projects = registry.state.projects.filter(({ id }) => id !== "1");
    for (const { id } of projects) fillSeats(registry, filler, id);
    expect(registry.state.people.length).toBeGreaterThan(limits.maxPeople / 2);
    const [code = ""] = registry.change(victim, { do: "invite", project: "1", role: "member" })
      .secrets ?? [""];
    expect(trySignIn(registry, code, "A colleague").ok).toBe(true);
    // The deployer can still create a project.
    repeat(registry, deployer, (n) => ({ do: "create-project", name: `D ${n}` }));
    expect(registry.state.projects).toHaveLength(limits.maxProjects);
  });

  it("leaves projects to the deployer, even with accomplices", () => {
    const { registry, deployer } = withTwoOwners();
    const others = Array.from({ length: 12 }, () => registry.invite(deployer, "owner", "2"));
    for (const [at, other] of others.entries())
      repeat(registry, other, (n) => ({ do: "create-project", name: `P ${at} ${n}` }));
    expect(registry.state.projects).toHaveLength(limits.maxProjects - limits.reservedProjects);
    expect(registry.tryChange(deployer, { do: "create-project", name: "Mine" }).ok).toBe(true);
  });

  it("can always make a project smaller", () => {
    const { registry, filler } = withTwoOwners();
    fillAsOwner(registry, filler, "a");
    const { id: key = "" } = registry.state.keys.find(({ project }) => project === "2") ?? {};
    registry.change(filler, { do: "change-key", project: "2", key, name: "w", origins: [] });
    registry.change(filler, { do: "revoke-key", project: "2", key });
  });
});

it("the shares, the pool and the sessions fit into the registry", () => {
  const sessionChars = 2 * limits.maxAgentChars + 150;
  const sum =
    limits.maxProjects * limits.guaranteedProjectChars +
    limits.maxPeople * limits.guaranteedPersonChars +
    limits.maxSharedChars +
    limits.reservedSharedChars +
    (limits.maxSessions * sessionChars) / 2;
  expect(sum).toBeLessThanOrEqual(limits.maxRegistryChars);
});

it("sessions of many people do not end the only session of another", () => {
  const { registry, deployer } = setUp();
  const people = Array.from({ length: 300 }, () => registry.invite(deployer, "viewer"));
  const codes = people.flatMap(
    (one) => registry.change(one, { do: "new-recovery-codes" }).secrets ?? [],
  );
  for (const code of codes) registry.signIn(code.replaceAll("-", ""));
  expect(registry.state.sessions).toHaveLength(limits.maxSessions);
  expect(registry.tryChange(deployer, { do: "new-recovery-codes" }).ok).toBe(true);
});
