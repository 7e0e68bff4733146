import { afterEach, describe, expect, it } from "vitest";
import type { Actor } from "#src/core/accounts/actors.ts";
import type { RegistryChange } from "#src/core/accounts/registry-changes.ts";
import { limits } from "#src/core/limits.ts";
import { createMembers, type TestMembers } from "#support/accounts/members.ts";
import { setUp, toSha256 } from "#support/accounts/memory-registry.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings } from "#support/store/store.ts";

afterEach(() => emptyStore());

const HOUR_MS = 3_600_000;
const LONG_ORIGINS = Array.from(
  { length: limits.maxOriginsPerKey },
  (_, n) => `https://${n}.${"a".repeat(limits.maxOriginChars - 20)}.example`,
);

/** Makes changes until one is refused; why, and how many were made before. */
async function repeat(members: TestMembers, actor: Actor, create: (n: number) => RegistryChange) {
  for (let n = 0; ; n++) {
    const result = await members.registry.applyChange(actor, create(n));
    if (!result.ok) return { count: n, limit: "limit" in result && result.limit };
  }
}

const join = (members: TestMembers, code: string, name: string) =>
  members.registry.applyChange(null, {
    do: "sign-in-with-code",
    hash: toSha256(code),
    name,
    userAgent: "a test",
  });

/** Fills projects, keys and tokens as the owner of project 2. */
async function fill(members: TestMembers, filler: Actor): Promise<void> {
  const projects = await repeat(members, filler, (n) => ({ do: "create-project", name: `P ${n}` }));
  expect(projects).toEqual({ count: limits.maxProjectsPerPerson, limit: "maxProjectsPerPerson" });
  const origins = LONG_ORIGINS;
  for (const { id: project } of (await members.registry.readFresh("a test")).projects) {
    const key = { do: "add-key", kind: "public", project, name: "web", origins } as const;
    await repeat(members, filler, () => key);
    const token = { do: "add-token", project, role: "viewer" } as const;
    await repeat(members, filler, (n) => ({ ...token, name: `${n}`.padStart(60, "t") }));
  }
}

describe("one owner who fills the registry", () => {
  it("leaves the owner of another project able to rotate keys, invite and add credentials", async () => {
    const members = await createMembers();
    const add = { do: "add-key", kind: "server", project: "1", name: "api", origins: [] } as const;
    const { createdId: key = "" } = await members.change(members.deployer, add);
    const { actor: owner } = await members.invite("owner");
    await members.change(members.deployer, { do: "create-project", name: "Second" });
    const { actor: filler } = await members.invite("owner", "2");
    await fill(members, filler);
    const changes: readonly RegistryChange[] = [
      { do: "rotate-key", project: "1", key, overlapMs: HOUR_MS },
      { do: "add-token", project: "1", name: "ci", role: "viewer" },
      { do: "create-project", name: "Shop" },
      { do: "new-recovery-codes" },
    ];
    for (const change of changes)
      expect(await members.registry.applyChange(owner, change), change.do).toMatchObject({
        ok: true,
      });
    const { secrets: [code = ""] = [] } = await members.change(owner, {
      do: "invite",
      project: "1",
      role: "member",
    });
    expect(await join(members, code, "A colleague")).toMatchObject({ ok: true });
  });

  it("cannot take the seats of another project", async () => {
    // The object starts from the copy in KV, with the people of earlier years.
    const { registry, deployer } = setUp();
    registry.change(deployer, { do: "create-project", name: "Second" });
    while (registry.state.people.length < limits.maxPeople - 10)
      registry.invite(deployer, "viewer", "2");
    await bindings.KV.put("registry", JSON.stringify(registry.state));
    const members = await createMembers();
    const { actor: owner } = await members.invite("owner");
    const { actor: filler } = await members.invite("owner", "2");
    const invite = async (by: Actor, project: string) => {
      const change = { do: "invite", project, role: "viewer" } as const;
      const { secrets: [code = ""] = [] } = await members.change(by, change);
      return code;
    };
    let joined = 0;
    while ((await join(members, await invite(filler, "2"), `Seat ${joined}`)).ok) joined += 1;
    expect(joined).toBeLessThan(10);
    expect(await join(members, await invite(owner, "1"), "A colleague")).toMatchObject({
      ok: true,
    });
  });
});
