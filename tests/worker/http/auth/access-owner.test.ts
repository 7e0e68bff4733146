/** Cloudflare Access: the person who becomes an owner of the first project. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRegistryState } from "#src/core/accounts/registry.ts";
import type { AccountStore } from "#src/core/ports/accounts-port.ts";
import { createMembers, ORIGIN, type TestMembers } from "#support/accounts/members.ts";
import { createMemoryAccounts } from "#support/accounts/memory-accounts.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";

let members: TestMembers;
/** Accounts without people, as after the first deployment. */
let registry: AccountStore;

beforeEach(async () => {
  members = await createMembers();
  const state = createRegistryState("secret", readNowMs());
  registry = createMemoryAccounts(members.registry, { state, nowMs: readNowMs });
});
afterEach(() => emptyStore());

/** Opens the desk through Access; the role in the first project. */
async function signInThroughAccess(name: string, owner?: string, how?: "service") {
  const { config } = members.services;
  if (config?.access === undefined) throw new Error("no Access");
  const access = { ...config.access, ...(owner !== undefined && { owner }) };
  const { response, body } = await visit("/projects.json", {
    origin: ORIGIN,
    headers: await members.assertion(name, how),
    services: { ...members.services, config: { ...config, access }, registry },
  });
  expect(response.status).toBe(200);
  return JSON.parse(body).projects[0]?.role;
}

describe("without ERRATA_ACCESS_OWNER", () => {
  it("the first person becomes the owner, and others members", async () => {
    expect(await signInThroughAccess("ada@example.com")).toBe("owner");
    expect(await signInThroughAccess("bob@example.com")).toBe("member");
  });

  it("a service token that arrives first becomes a member, and the first person the owner", async () => {
    expect(await signInThroughAccess("health.access", undefined, "service")).toBe("member");
    expect(await signInThroughAccess("ada@example.com")).toBe("owner");
  });
});

describe("with ERRATA_ACCESS_OWNER", () => {
  const owner = "ada@example.com";

  it("only that person becomes an owner", async () => {
    expect(await signInThroughAccess("bob@example.com", owner)).toBe("member");
    expect(await signInThroughAccess("health.access", owner, "service")).toBe("member");
    expect(await signInThroughAccess("Ada@Example.com", owner)).toBe("owner");
  });

  it("a service or a certificate with that name is not that person", async () => {
    expect(await signInThroughAccess(owner, owner, "service")).toBe("member");
    expect(await signInThroughAccess(owner, owner)).toBe("owner");
  });

  it("a member who is named later becomes the owner while there is none", async () => {
    expect(await signInThroughAccess("health.access", undefined, "service")).toBe("member");
    expect(await signInThroughAccess("bob@example.com", "carol@example.com")).toBe("member");
    expect(await signInThroughAccess("bob@example.com", "bob@example.com")).toBe("owner");
    expect(await signInThroughAccess("bob@example.com", "carol@example.com")).toBe("owner");
  });
});
