import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import type { RegistryChange } from "../../../src/core/accounts/apply-change.ts";
import type { Actor } from "../../../src/core/accounts/permissions.ts";
import type { RegistryState } from "../../../src/core/accounts/registry.ts";
import { createRegistryClient } from "../../../src/store/accounts/registry-client.ts";
import type { RegistryObject } from "../../../src/store/accounts/registry-object.ts";
import { visit } from "../../support/app.ts";
import { kvWith, refusingKv } from "../../support/faulty-kv.ts";
import { fresh } from "../../support/fresh.ts";
import { ORIGIN, peopledDesk } from "../../support/people.ts";
import { bindings } from "../../support/store.ts";

const LOCAL: Actor = { kind: "local" };
const SECOND_MS = 1_000;
const object = () => bindings.REGISTRY.getByName("registry");
const copyInKv = () => bindings.KV.get<RegistryState>("registry", "json");

/** A place of the world: its own memory, its own clock, and what it asked of whom. */
function aPlace({ isAway = false } = {}) {
  const asked = { kv: 0, object: 0 };
  let nowMs = 1_000_000;
  const behind: Promise<unknown>[] = [];
  const registry = createRegistryClient(
    {
      KV: kvWith(bindings.KV, {
        get: (...args: Parameters<KVNamespace["get"]>) => {
          asked.kv++;
          return bindings.KV.get(...args);
        },
      }),
      REGISTRY: {
        getByName: () => {
          asked.object++;
          if (isAway) throw new Error("the registry is away");
          return object();
        },
      } as unknown as typeof bindings.REGISTRY,
    },
    { nowMs: () => nowMs, waitUntil: (work) => void behind.push(work) },
  );
  return {
    registry,
    asked,
    passes: (ms: number) => {
      nowMs += ms;
    },
    /** Until everything behind answers has ended. */
    settled: () => Promise.all(behind.splice(0)),
    async does(actor: Actor | null, change: RegistryChange) {
      const made = await registry.applyChange(actor, change);
      if (!made.ok) throw new Error(made.reason);
      return made.value;
    },
  };
}

/** The copy in KV is written behind the answer. */
async function copied(version: number): Promise<void> {
  await expect.poll(async () => (await copyInKv())?.version).toBe(version);
}

afterEach(() => fresh());

describe("the registry", () => {
  it("a change is durable when it is answered, and copied into KV", async () => {
    const { registry, does } = aPlace();
    await does(LOCAL, { do: "create-project", name: "Shop" });
    await copied((await registry.readCopy()).version);
    await abortAllDurableObjects();
    const known = await aPlace().registry.readFresh();
    expect(known.projects.map(({ name }) => name)).toEqual(["First project", "Shop"]);
  });

  it("an object that has lost its storage begins with the copy, sessions and keys and all", async () => {
    const { registry, does } = aPlace();
    await does(LOCAL, { do: "create-project", name: "Shop" });
    await does(LOCAL, { do: "add-key", project: "2", name: "web", origins: [] });
    const before = await registry.readCopy();
    // The second change waits for KV's second; its alarm sees to it.
    await expect
      .poll(async () => (await copyInKv())?.version, { timeout: 5_000 })
      .toBe(before.version);
    await runInDurableObject(object(), (instance: RegistryObject, state) => {
      state.storage.sql.exec("DELETE FROM registry");
      void instance;
    });
    await abortAllDurableObjects();
    const { version, lastProjectId, ...after } = await aPlace().registry.readFresh();
    expect({ ...after, version: before.version, lastProject: 2 }).toEqual(before);
    // What an earlier life may have given away after that copy is not given away again.
    expect(version).toBeGreaterThan(before.version + 1_000);
    expect(lastProjectId).toBeGreaterThan(before.lastProjectId);
  });

  it("what a deleted project had is remembered until it is erased", async () => {
    const { registry, does } = aPlace();
    await does(LOCAL, { do: "create-project", name: "Shop" });
    await does(LOCAL, { do: "delete-project", project: "2", confirmation: "Shop" });
    expect((await registry.readFresh("a test")).deletedProjects).toMatchObject([{ id: "2" }]);
    await registry.confirmErased("2");
    expect((await aPlace().registry.readFresh()).deletedProjects).toEqual([]);
  });

  it("the log of one project cannot be filled by what is done in another", async () => {
    const { registry } = aPlace();
    const deed = { project: "1", requiredRole: "viewer", action: "POST /saved-views" } as const;
    await registry.authorizeAction(LOCAL, { ...deed, subject: "s".repeat(10_000) });
    const [entry] = await registry.listAuditEntries("1");
    expect(entry?.subject).toHaveLength(100);
    await runInDurableObject(object(), (_: RegistryObject, { storage }) => {
      storage.sql.exec(
        `WITH RECURSIVE more(n) AS (VALUES(1) UNION ALL SELECT n + 1 FROM more WHERE n < 10480)
         INSERT INTO audit(at_ms, project, deed) SELECT n, '2', 'x' FROM more`,
      );
    });
    const local = async (project: string) => registry.authorizeAction(LOCAL, { ...deed, project });
    await registry.applyChange(LOCAL, { do: "create-project", name: "Shop" });
    for (let n = 0; n < 60; n++) await local("2");
    const kept = await runInDurableObject(object(), (_: RegistryObject, { storage }) =>
      storage.sql
        .exec("SELECT project, count(*) AS n FROM audit GROUP BY project ORDER BY project")
        .toArray(),
    );
    expect(kept[0]).toEqual({ project: "1", n: 1 });
    expect(Number(kept[1]?.n)).toBeLessThanOrEqual(10_060);
  });

  it("while KV refuses, changes are made; the copy follows", async () => {
    await runInDurableObject(object(), (instance: RegistryObject) => {
      Object.assign(instance, { env: { ...bindings, KV: refusingKv(bindings.KV, "put") } });
    });
    const { registry, does } = aPlace();
    await does(LOCAL, { do: "create-project", name: "Shop" });
    expect(await copyInKv()).toBeNull();
    expect((await registry.readCopy()).projects).toHaveLength(2);
    await runInDurableObject(object(), async (instance: RegistryObject) => {
      Object.assign(instance, { env: bindings });
      await instance.alarm();
    });
    expect((await copyInKv())?.projects).toHaveLength(2);
  });

  it("while it is away, a place goes on with the copy in KV, and without any says so", async () => {
    await expect(async () => aPlace({ isAway: true }).registry.readCopy()).rejects.toThrow();
    const { does, registry } = aPlace();
    await does(LOCAL, { do: "create-project", name: "Shop" });
    await copied((await registry.readCopy()).version);
    expect((await aPlace({ isAway: true }).registry.readCopy()).projects).toHaveLength(2);
  });
});

describe("a place", () => {
  it("asks nobody while its copy is fresh, then behind the answer, and waits for KV alone after a pause", async () => {
    const setUp = aPlace();
    await setUp.does(LOCAL, { do: "create-project", name: "Shop" });
    await copied(2);
    const place = aPlace();
    await place.registry.readCopy();
    expect(place.asked).toEqual({ kv: 1, object: 1 });
    await place.settled();
    place.passes(9 * SECOND_MS);
    await place.registry.readCopy();
    expect(place.asked).toEqual({ kv: 1, object: 1 });
    place.passes(2 * SECOND_MS);
    await place.registry.readCopy();
    expect(place.asked).toEqual({ kv: 1, object: 2 });
    await place.settled();
    place.passes(31 * SECOND_MS);
    await place.registry.readCopy();
    expect(place.asked.kv).toBe(2);
  });

  it("knows at most a minute later what was revoked elsewhere", async () => {
    const here = aPlace();
    await here.does(LOCAL, { do: "add-key", project: "1", name: "web", origins: [] });
    const there = aPlace();
    const id = (await there.registry.readCopy()).keys[0]?.id ?? "";
    await there.settled();
    await here.does(LOCAL, { do: "revoke-key", project: "1", key: id });
    // Asked all the time: the first question after ten seconds brings the answer for the next.
    let goodForMs = 0;
    while ((await there.registry.readCopy()).keys.length > 0 && goodForMs < 120 * SECOND_MS) {
      await there.settled();
      there.passes(SECOND_MS);
      goodForMs += SECOND_MS;
    }
    expect(goodForMs).toBeLessThanOrEqual(60 * SECOND_MS);
  });

  it("that wakes while KV is behind does not go by it where the object is near", async () => {
    const here = aPlace();
    await here.does(LOCAL, { do: "add-key", project: "1", name: "web", origins: [] });
    await copied((await here.registry.readCopy()).version);
    await runInDurableObject(object(), (instance: RegistryObject) => {
      Object.assign(instance, { env: { ...bindings, KV: refusingKv(bindings.KV, "put") } });
    });
    const { keys } = await here.registry.readCopy();
    await here.does(LOCAL, { do: "revoke-key", project: "1", key: keys[0]?.id ?? "" });
    expect((await copyInKv())?.keys).toHaveLength(1);
    expect((await aPlace().registry.readCopy()).keys).toEqual([]);
  });

  it("asks once for many strangers at once, and does not go on asking what is away", async () => {
    const near = aPlace();
    await Promise.all(Array.from({ length: 50 }, () => near.registry.readFresh()));
    expect(near.asked.object).toBe(1);
    const away = aPlace({ isAway: true });
    for (let n = 0; n < 20; n++) {
      await expect(async () => away.registry.readFresh()).rejects.toThrow();
    }
    expect(away.asked.object).toBe(1);
  });

  it("asks for one who is known by a seal at once, and then once in five seconds", async () => {
    const { registry, asked, passes } = aPlace();
    await registry.readFresh();
    for (const name of ["ada", "bob", "ada", "ada", "bob"]) await registry.readFresh(name);
    expect(asked.object).toBe(3);
    passes(5 * SECOND_MS);
    await registry.readFresh("ada");
    expect(asked.object).toBe(4);
  });

  it("asks for what strangers make up once in two seconds", async () => {
    const { registry, asked, passes } = aPlace();
    await registry.readFresh();
    for (let n = 0; n < 20; n++) await registry.readFresh();
    expect(asked.object).toBe(1);
    passes(2 * SECOND_MS);
    await registry.readFresh();
    expect(asked.object).toBe(2);
  });
});

describe("what reports cost", () => {
  const envelope = `${JSON.stringify({})}\n${JSON.stringify({ type: "event" })}\n${JSON.stringify({ message: "x" })}`;

  it("checking a key of the registry and its revocation needs no round trip in the usual case", async () => {
    const desk = await peopledDesk();
    await desk.did(desk.deployer, { do: "create-project", name: "Shop" });
    await desk.did(desk.deployer, { do: "add-key", project: "2", name: "web", origins: [] });
    const { keys } = await desk.registry.readCopy();
    const place = aPlace();
    const send = async (key: string | undefined) => {
      const { response } = await visit(`/api/2/envelope/?sentry_key=${key}`, {
        method: "POST",
        body: envelope,
        origin: ORIGIN,
        services: { ...desk.services, registry: place.registry },
      });
      return response.status;
    };
    expect(await send(keys[0]?.key)).toBe(200);
    await place.settled();
    const before = { ...place.asked };
    for (let n = 0; n < 5; n++) expect(await send(keys[0]?.key)).toBe(200);
    expect(place.asked).toEqual(before);
    expect(await send("0".repeat(32))).toBe(401);
  });

  it("without a key, or by the key of the configuration, the registry is not looked at", async () => {
    const { registry, asked } = aPlace({ isAway: true });
    for (const path of [
      "/monitoring",
      `/api/1/envelope/?sentry_key=0123456789abcdef0123456789abcdef`,
    ]) {
      const services = { registry };
      const { response } = await visit(path, { method: "POST", body: envelope, services });
      expect(response.status).toBe(200);
    }
    expect(asked).toEqual({ kv: 0, object: 0 });
  });

  it("an unknown key while the registry is away is a 503 that may be sent again", async () => {
    const { registry } = aPlace({ isAway: true });
    const { response, body } = await visit("/api/2/envelope/?sentry_key=abcdef0123456789", {
      method: "POST",
      body: envelope,
      services: { registry },
    });
    expect([response.status, JSON.parse(body).reason]).toEqual([503, "registry-unavailable"]);
    expect(response.headers.get("retry-after")).not.toBeNull();
  });
});
