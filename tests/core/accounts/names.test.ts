/** Names of people and projects that look the same count as the same name. */
import { describe, expect, it } from "vitest";
import type { Actor } from "#src/core/accounts/actors.ts";
import { toComparableName } from "#src/core/accounts/names.ts";
import { SETUP, setUp, TestRegistry, toSha256 } from "#support/accounts/memory-registry.ts";

const LOOKALIKES = [
  "Ada Lovelace",
  "ada  lovelace",
  "ADA LOVELACE",
  "Ａｄａ Lovelace",
  "Ada\u00a0Lovelace",
  "Ada Love\ufe0flace",
  "𝐀𝐝𝐚 Lovelace",
];
const TAKEN = { ok: false, reason: "name-taken" };

it.each(LOOKALIKES)("%j looks like Ada Lovelace", (name) => {
  expect(toComparableName(name)).toBe("ada lovelace");
});

it.each(["Ada Lovelace 2", "Ada", "AdaLovelace", "Αda"])("%j does not", (name) => {
  expect(toComparableName(name)).not.toBe("ada lovelace");
});

/** Signs in a new person by an invitation. */
function join(registry: TestRegistry, by: Actor, name: string | undefined, project = "1") {
  const [code = ""] = registry.change(by, { do: "invite", project, role: "member" }).secrets ?? [];
  return registry.tryChange(null, {
    do: "sign-in-with-code",
    hash: toSha256(code),
    name,
    userAgent: "",
  });
}

describe("the name of a member", () => {
  it.each(LOOKALIKES)("is refused to others of the project: %j", (name) => {
    const { registry, deployer } = setUp();
    const bob = registry.invite(deployer, "member");
    expect(join(registry, deployer, "Ada Lovelace").ok).toBe(true);
    expect(join(registry, deployer, name)).toEqual(TAKEN);
    expect(registry.tryChange(bob, { do: "rename-person", name })).toEqual(TAKEN);
  });

  it("does not use up the invitation", () => {
    const { registry, deployer } = setUp();
    const [code = ""] =
      registry.change(deployer, { do: "invite", project: "1", role: "member" }).secrets ?? [];
    const change = { do: "sign-in-with-code", hash: toSha256(code), userAgent: "" } as const;
    expect(registry.tryChange(null, { ...change, name: "deployer" })).toEqual(TAKEN);
    expect(registry.tryChange(null, { ...change, name: "Ada" }).ok).toBe(true);
  });

  it("can be written differently by its owner", () => {
    const { registry, deployer } = setUp();
    registry.change(deployer, { do: "rename-person", name: "DEPLOYER" });
    expect(registry.state.people[0]?.name).toBe("DEPLOYER");
  });

  it("does not matter in other projects, until one person joins both", () => {
    const { registry, deployer } = setUp();
    registry.change(deployer, { do: "create-project", name: "Second" });
    expect(join(registry, deployer, "Ada", "1").ok).toBe(true);
    const other = join(registry, deployer, "Ada", "2");
    expect(other.ok).toBe(true);
    const id = other.ok ? (other.value.sessionId ?? "") : "";
    const [code = ""] =
      registry.change(deployer, { do: "invite", project: "1", role: "member" }).secrets ?? [];
    const change = { do: "sign-in-with-code", hash: toSha256(code), userAgent: "" } as const;
    expect(registry.tryChange({ kind: "session", id }, change)).toEqual(TAKEN);
  });

  it("is required of a new person, and its absence does not use up the link", () => {
    const missing = { ok: false, reason: "name-missing" };
    const registry = new TestRegistry();
    const change = { do: "sign-in-with-code", hash: SETUP.hash, userAgent: "" } as const;
    expect(registry.tryChange(null, { ...change, setup: SETUP })).toEqual(missing);
    expect(registry.state.people).toEqual([]);
    const deployer = registry.signIn("setup", { setup: SETUP, name: "Ada" });
    expect(join(registry, deployer, undefined)).toEqual(missing);
    expect(registry.state.people.map(({ name }) => name)).toEqual(["Ada"]);
  });

  it("gets a number where Access chose it", () => {
    const { registry, deployer } = setUp();
    join(registry, deployer, "eve@example.com");
    registry.change(null, { do: "access-sign-in", name: "eve@example.com", ownership: "if-none" });
    expect(registry.state.people.map(({ name }) => name)).toEqual([
      "Deployer",
      "eve@example.com",
      "eve@example.com 2",
    ]);
  });

  it("may not be the name of another member in Access", () => {
    const { registry, deployer } = setUp();
    registry.change(null, { do: "access-sign-in", name: "ada@example.com", ownership: "if-none" });
    const ada: Actor = { kind: "access", name: "ada@example.com" };
    registry.change(ada, { do: "rename-person", name: "Ada" });
    const rename = { do: "rename-person", name: "Ada@example.com" } as const;
    expect(registry.tryChange(deployer, rename)).toEqual(TAKEN);
    expect(registry.tryChange(ada, rename).ok).toBe(true);
  });
});

describe("the name of a project", () => {
  it("is refused to another project of the same person", () => {
    const { registry, deployer } = setUp();
    const create = { do: "create-project", name: "ﬁrst  project" } as const;
    expect(registry.tryChange(deployer, create)).toEqual(TAKEN);
    registry.change(deployer, { ...create, name: "Shop" });
    const rename = { do: "rename-project", project: "2", name: "FIRST PROJECT" } as const;
    expect(registry.tryChange(deployer, rename)).toEqual(TAKEN);
    registry.change(deployer, { ...rename, name: "SHOP" });
  });

  it("reveals no project of others", () => {
    const { registry, deployer } = setUp();
    registry.change(deployer, { do: "create-project", name: "Secret" });
    const other = registry.invite(deployer, "owner", "1");
    expect(registry.tryChange(other, { do: "create-project", name: "Secret" }).ok).toBe(true);
  });
});
