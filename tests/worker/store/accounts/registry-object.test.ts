import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import type { Actor } from "#src/core/accounts/actors.ts";
import type { RegistryState } from "#src/core/accounts/registry.ts";
import type { RegistryChange } from "#src/core/accounts/registry-changes.ts";
import { limits } from "#src/core/limits.ts";
import type { AccountStore } from "#src/core/ports/accounts-port.ts";
import { createRegistryClient } from "#src/store/accounts/registry-client.ts";
import type { RegistryObject } from "#src/store/accounts/registry-object.ts";
import { createMembers, ORIGIN } from "#support/accounts/members.ts";
import { TestClock } from "#support/clock/test-clock.ts";
import { TEST_SERVER_KEY, visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { createRefusingKv, withKvMethods } from "#support/store/faulty-kv.ts";
import { bindings } from "#support/store/store.ts";

const LOCAL: Actor = { kind: "local" };
const SECOND_MS = 1_000;
const object = () => bindings.REGISTRY.getByName("registry");
const readCopyInKv = () => bindings.KV.get<RegistryState>("registry", "json");

/** A registry client as in another location: its own cache and clock, and counts of its calls. */
function createClient({ isUnavailable = false } = {}) {
  const calls = { kv: 0, object: 0 };
  let isFailing = isUnavailable;
  let isKvFailing = false;
  let nowMs = 1_000_000;
  const background: Promise<unknown>[] = [];
  const faulty = {
    ...bindings,
    KV: withKvMethods(bindings.KV, {
      get: (...args: Parameters<KVNamespace["get"]>) => {
        calls.kv++;
        if (isKvFailing) return Promise.reject(new Error("KV is unavailable"));
        return bindings.KV.get(...args);
      },
    }),
    REGISTRY: {
      getByName: () => {
        calls.object++;
        if (isFailing) throw new Error("the registry is unavailable");
        return object();
      },
    } as unknown as typeof bindings.REGISTRY,
  };
  const registry = createRegistryClient(faulty, {
    nowMs: () => nowMs,
    waitUntil: (work) => void background.push(work),
  });
  return {
    registry,
    calls,
    advance: (ms: number) => {
      nowMs += ms;
    },
    /** From now on, KV and the object are unavailable. */
    fail: () => {
      isFailing = true;
      isKvFailing = true;
    },
    /** Waits for the work after responses. */
    settle: () => Promise.all(background.splice(0)),
    async apply(actor: Actor | null, change: RegistryChange) {
      const result = await registry.applyChange(actor, change);
      if (!result.ok) throw new Error(result.reason);
      return result.value;
    },
  };
}

/** Waits for the copy in KV, which is written after the response. */
async function waitForCopy(version: number): Promise<void> {
  await expect.poll(async () => (await readCopyInKv())?.version).toBe(version);
}

afterEach(() => emptyStore());

describe("the registry", () => {
  it("stores a change before it responds, and copies it to KV", async () => {
    const { registry, apply } = createClient();
    await apply(LOCAL, { do: "create-project", name: "Shop" });
    await waitForCopy((await registry.readCopy()).version);
    await abortAllDurableObjects();
    const known = await createClient().registry.readFresh();
    expect(known.projects.map(({ name }) => name)).toEqual(["First project", "Shop"]);
  });

  it("starts with the copy in KV if the object lost its storage", async () => {
    const { registry, apply } = createClient();
    await apply(LOCAL, { do: "create-project", name: "Shop" });
    await apply(LOCAL, { do: "add-key", kind: "public", project: "2", name: "web", origins: [] });
    const before = await registry.readCopy();
    // KV accepts one write per second: the alarm writes the second change.
    await expect
      .poll(async () => (await readCopyInKv())?.version, { timeout: 5_000 })
      .toBe(before.version);
    await runInDurableObject(object(), (instance: RegistryObject, state) => {
      state.storage.sql.exec("DELETE FROM registry");
      void instance;
    });
    await abortAllDurableObjects();
    const { version, lastProjectId, ...after } = await createClient().registry.readFresh();
    expect({ ...after, version: before.version, lastProjectId: 2 }).toEqual(before);
    // Versions and ids that may have been used after that copy are not used again.
    expect(version).toBeGreaterThan(before.version + 1_000);
    expect(lastProjectId).toBeGreaterThan(before.lastProjectId);
  });

  it("lists a deleted project until its data is erased", async () => {
    const { registry, apply } = createClient();
    await apply(LOCAL, { do: "create-project", name: "Shop" });
    await apply(LOCAL, { do: "delete-project", project: "2", confirmation: "Shop" });
    expect((await registry.readFresh("a test")).deletedProjects).toMatchObject([{ id: "2" }]);
    await registry.confirmErased("2");
    expect((await createClient().registry.readFresh()).deletedProjects).toEqual([]);
  });

  it("prunes the audit log of each project separately", async () => {
    const { registry } = createClient();
    const action = { project: "1", requiredRole: "viewer", action: "POST /saved-views" } as const;
    await registry.authorizeAction(LOCAL, { ...action, subject: "s".repeat(10_000) });
    const [entry] = await registry.listAuditEntries("1");
    expect(entry?.subject).toHaveLength(limits.maxAuditSubjectChars);
    await runInDurableObject(object(), (_: RegistryObject, { storage }) => {
      storage.sql.exec(
        `WITH RECURSIVE more(n) AS (VALUES(1) UNION ALL SELECT n + 1 FROM more WHERE n < 10480)
         INSERT INTO audit_entry(at_ms, project, action) SELECT n, '2', 'x' FROM more`,
      );
    });
    const authorize = async (project: string) =>
      registry.authorizeAction(LOCAL, { ...action, project });
    await registry.applyChange(LOCAL, { do: "create-project", name: "Shop" });
    for (let n = 0; n < 60; n++) await authorize("2");
    const kept = await runInDurableObject(object(), (_: RegistryObject, { storage }) =>
      storage.sql
        .exec("SELECT project, count(*) AS n FROM audit_entry GROUP BY project ORDER BY project")
        .toArray(),
    );
    expect(kept[0]).toEqual({ project: "1", n: 1 });
    expect(Number(kept[1]?.n)).toBeLessThanOrEqual(10_060);
  });

  it("accepts changes while KV refuses, and writes the copy later", async () => {
    const clock = new TestClock();
    clock.start();
    await runInDurableObject(object(), (instance: RegistryObject) => {
      Object.assign(instance, { env: { ...bindings, KV: createRefusingKv(bindings.KV, "put") } });
    });
    const { registry, apply } = createClient();
    await apply(LOCAL, { do: "create-project", name: "Shop" });
    expect(await readCopyInKv()).toBeNull();
    expect((await registry.readCopy()).projects).toHaveLength(2);
    await runInDurableObject(object(), (instance: RegistryObject) => {
      Object.assign(instance, { env: bindings });
    });
    clock.advance(2_000);
    await runDurableObjectAlarm(object());
    clock.restore();
    expect((await readCopyInKv())?.projects).toHaveLength(2);
  });

  it("is read from the copy in KV while the object is unavailable; without a copy, reads reject", async () => {
    await expect(async () =>
      createClient({ isUnavailable: true }).registry.readCopy(),
    ).rejects.toThrow();
    const { registry, apply } = createClient();
    await apply(LOCAL, { do: "create-project", name: "Shop" });
    await waitForCopy((await registry.readCopy()).version);
    expect((await createClient({ isUnavailable: true }).registry.readCopy()).projects).toHaveLength(
      2,
    );
  });
});

describe("a registry client", () => {
  it("uses a fresh copy, refreshes an older one after the response, and reads KV after a pause", async () => {
    const setUp = createClient();
    await setUp.apply(LOCAL, { do: "create-project", name: "Shop" });
    await waitForCopy(2);
    const client = createClient();
    await client.registry.readCopy();
    expect(client.calls).toEqual({ kv: 1, object: 1 });
    await client.settle();
    client.advance(9 * SECOND_MS);
    await client.registry.readCopy();
    expect(client.calls).toEqual({ kv: 1, object: 1 });
    client.advance(2 * SECOND_MS);
    await client.registry.readCopy();
    expect(client.calls).toEqual({ kv: 1, object: 2 });
    await client.settle();
    client.advance(31 * SECOND_MS);
    await client.registry.readCopy();
    expect(client.calls.kv).toBe(2);
  });

  it("sees a revocation made elsewhere within a minute", async () => {
    const here = createClient();
    await here.apply(LOCAL, {
      do: "add-key",
      kind: "public",
      project: "1",
      name: "web",
      origins: [],
    });
    const there = createClient();
    const id = (await there.registry.readCopy()).keys[0]?.id ?? "";
    await there.settle();
    await here.apply(LOCAL, { do: "revoke-key", project: "1", key: id });
    // With constant requests: the first one after 10 s refreshes the copy for the next.
    let validMs = 0;
    while ((await there.registry.readCopy()).keys.length > 0 && validMs < 120 * SECOND_MS) {
      await there.settle();
      there.advance(SECOND_MS);
      validMs += SECOND_MS;
    }
    expect(validMs).toBeLessThanOrEqual(60 * SECOND_MS);
  });

  it("without a copy prefers a fast response of the object to an outdated one of KV", async () => {
    const here = createClient();
    await here.apply(LOCAL, {
      do: "add-key",
      kind: "public",
      project: "1",
      name: "web",
      origins: [],
    });
    await waitForCopy((await here.registry.readCopy()).version);
    await runInDurableObject(object(), (instance: RegistryObject) => {
      Object.assign(instance, { env: { ...bindings, KV: createRefusingKv(bindings.KV, "put") } });
    });
    const { keys } = await here.registry.readCopy();
    await here.apply(LOCAL, { do: "revoke-key", project: "1", key: keys[0]?.id ?? "" });
    expect((await readCopyInKv())?.keys).toHaveLength(1);
    expect((await createClient().registry.readCopy()).keys).toEqual([]);
  });

  it("shares one request to the object, and does not repeat a failed one immediately", async () => {
    const client = createClient();
    await Promise.all(Array.from({ length: 50 }, () => client.registry.readFresh()));
    expect(client.calls.object).toBe(1);
    const failing = createClient({ isUnavailable: true });
    for (let n = 0; n < 20; n++) {
      await expect(async () => failing.registry.readFresh()).rejects.toThrow();
    }
    expect(failing.calls.object).toBe(1);
  });

  it("refreshes for a signed name immediately, then at most every five seconds", async () => {
    const { registry, calls, advance } = createClient();
    await registry.readFresh();
    for (const name of ["ada", "bob", "ada", "ada", "bob"]) await registry.readFresh(name);
    expect(calls.object).toBe(3);
    advance(5 * SECOND_MS);
    await registry.readFresh("ada");
    expect(calls.object).toBe(4);
  });

  it("refreshes for unknown names at most every two seconds", async () => {
    const { registry, calls, advance } = createClient();
    await registry.readFresh();
    for (let n = 0; n < 20; n++) await registry.readFresh();
    expect(calls.object).toBe(1);
    advance(2 * SECOND_MS);
    await registry.readFresh();
    expect(calls.object).toBe(2);
  });
});

describe("receiving reports", () => {
  const envelope = `${JSON.stringify({})}\n${JSON.stringify({ type: "event" })}\n${JSON.stringify({ message: "x" })}`;

  it("checks a key without a call while the copy is fresh", async () => {
    const members = await createMembers();
    await members.change(members.deployer, { do: "create-project", name: "Shop" });
    await members.change(members.deployer, {
      do: "add-key",
      kind: "public",
      project: "2",
      name: "web",
      origins: [],
    });
    const [first] = (await members.registry.readCopy()).keys;
    const key = first?.kind === "public" ? first.key : undefined;
    const client = createClient();
    const send = async (key: string | undefined) => {
      const { response } = await visit(`/api/2/envelope/?sentry_key=${key}`, {
        method: "POST",
        body: envelope,
        origin: ORIGIN,
        services: { ...members.services, registry: client.registry },
      });
      return response.status;
    };
    expect(await send(key)).toBe(200);
    await client.settle();
    const before = { ...client.calls };
    for (let n = 0; n < 5; n++) expect(await send(key)).toBe(200);
    expect(client.calls).toEqual(before);
    expect(await send("0".repeat(32))).toBe(401);
  });

  it("with a configured key works while the registry is unavailable", async () => {
    const { registry } = createClient({ isUnavailable: true });
    for (const key of ["0123456789abcdef0123456789abcdef", TEST_SERVER_KEY]) {
      const path = `/api/1/envelope/?sentry_key=${key}`;
      const services = { registry };
      const { response } = await visit(path, { method: "POST", body: envelope, services });
      expect(response.status).toBe(200);
    }
  });

  it("without a key uses any copy, and responds 503 without one", async () => {
    const send = async (client: { readonly registry: AccountStore }) => {
      const services = { registry: client.registry };
      const { response } = await visit("/monitoring", { method: "POST", body: envelope, services });
      return response.status;
    };
    expect(await send(createClient({ isUnavailable: true }))).toBe(503);
    const client = createClient();
    expect(await send(client)).toBe(200);
    await client.settle();
    const before = { ...client.calls };
    expect(await send(client)).toBe(200);
    expect(client.calls).toEqual(before);
    client.advance(3_600 * SECOND_MS);
    client.fail();
    expect(await send(client)).toBe(200);
  });

  it("responds 503 to an unknown key while the registry is unavailable", async () => {
    const { registry } = createClient({ isUnavailable: true });
    const { response, body } = await visit("/api/2/envelope/?sentry_key=abcdef0123456789", {
      method: "POST",
      body: envelope,
      services: { registry },
    });
    expect([response.status, JSON.parse(body).reason]).toEqual([503, "registry-unavailable"]);
    expect(response.headers.get("retry-after")).not.toBeNull();
  });
});

it("a revoked credential is in neither the object nor KV once it cannot be restored", async () => {
  const clock = new TestClock();
  clock.start();
  const { apply } = createClient();
  const project = "1";
  const addition = { kind: "server", name: "Shop", origins: [] } as const;
  const { createdId: key = "" } = await apply(LOCAL, { do: "add-key", project, ...addition });
  const readStored = async () => [
    await runInDurableObject(
      object(),
      (_: RegistryObject, { storage }) =>
        storage.sql.exec<{ body: string }>("SELECT body FROM registry").one().body,
    ),
    JSON.stringify(await readCopyInKv()),
  ];
  await apply(LOCAL, { do: "revoke-key", project, key, undoId: "undo-1234567890" });
  await runDurableObjectAlarm(object());
  for (const stored of await readStored()) expect(stored).toContain(key);
  clock.advance(limits.undoRemovalMs);
  expect(await runDurableObjectAlarm(object())).toBe(true);
  for (const stored of await readStored()) expect(stored).not.toContain(key);
  expect(await runDurableObjectAlarm(object())).toBe(false);
  clock.restore();
});
