import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { visit } from "../../support/app.ts";
import { fresh } from "../../support/fresh.ts";
import {
  createMembers,
  ORIGIN,
  OWN_PAGE,
  type Proof,
  type TestMembers,
} from "../../support/people.ts";

const JSON_TYPE = { "content-type": "application/json", accept: "application/json" };

let desk: TestMembers;
let owner: { readonly proof: Proof };
let key = "";
let digest = "";

/** Asks as the owner of both projects, or with other headers. */
async function ask(path: string, { body, headers = {} }: { body?: unknown; headers?: Proof } = {}) {
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const visited = await visit(path, {
    origin: ORIGIN,
    services: desk.services,
    redirect: "manual",
    headers: { ...JSON_TYPE, ...OWN_PAGE, ...owner.proof, ...headers },
    ...sent,
  });
  return { ...visited, json: () => JSON.parse(visited.body) };
}

const PAGE = { accept: "text/html", "content-type": "text/html" };

async function report(path: string, message: string, origin?: string) {
  const event = { exception: { values: [{ type: "TypeError", value: message }] } };
  const headers = { cookie: "", ...(origin ? { origin } : {}) };
  const { response } = await ask(path, { body: event, headers });
  return response.status;
}

beforeAll(async () => {
  desk = await createMembers();
  owner = await desk.invite("owner");
  const made = await ask("/projects", { body: { name: "Shop" } });
  expect(made.json()).toEqual({ project: "2" });
  key = (await ask("/p/2/settings.json")).json().keys[0].key;
  // A receipt needs a report of a server.
  const add = { do: "add-key", kind: "server", name: "api" };
  const [serverKey = ""] = (await ask("/p/2/settings", { body: add })).json().secrets;
  const event = { exception: { values: [{ type: "TypeError", value: "cart is undefined" }] } };
  const { response } = await visit(`/api/2/store/?sentry_key=${serverKey}`, {
    method: "POST",
    origin: ORIGIN,
    services: desk.services,
    headers: JSON_TYPE,
    body: JSON.stringify(event),
  });
  expect(response.status).toBe(200);
  expect(await report(`/api/2/store/?sentry_key=${key}`, "cart is undefined")).toBe(200);
  digest = (await ask("/p/2/issues.json")).json().issues[0].digest;
});

afterAll(() => fresh());

describe("a second project", () => {
  it("has its reports, and the first has none of them", async () => {
    expect((await ask("/p/2/issues.json")).json().total).toBe(1);
    expect((await ask("/issues.json")).json().total).toBe(0);
    expect((await ask(`/d/${digest}`)).response.status).toBe(404);
    expect((await ask(`/p/2/d/${digest}`)).response.status).toBe(200);
  });

  it("is told from the others by its key alone: no page of the same origin reports to it without one", async () => {
    const configured = "0123456789abcdef0123456789abcdef";
    for (const [path, status] of [
      ["/monitoring/2", 401],
      [`/monitoring?sentry_key=${key}`, 200],
      [`/monitoring/2?sentry_key=${key}`, 200],
      [`/api/1/store/?sentry_key=${key}`, 401],
      [`/api/2/store/?sentry_key=${configured}`, 401],
    ] as const) {
      expect(await report(path, "cart is undefined"), path).toBe(status);
    }
  });

  it("every link and form of its pages stays in it, but those that belong to no project", async () => {
    for (const path of [
      "",
      "/issues",
      `/d/${digest}`,
      "/releases",
      "/csp",
      "/live",
      "/status",
      "/connect",
      "/settings",
      "/settings/audit",
    ]) {
      const { body, response } = await ask(`/p/2${path}?streaming=off`, { headers: PAGE });
      expect(response.status, path).toBe(200);
      const places = [...body.matchAll(/(?:href|action|src)="(\/[^"]*)"/g)].map(
        ([, place = ""]) => place,
      );
      const others = places.filter((place) => !/^\/(p\/2(\/|$)|assets\/|favicon)/.test(place));
      expect(new Set(others), path).toEqual(
        new Set(
          others.filter((place) => /^\/($|docs|profile|projects|theme|sign-out)/.test(place)),
        ),
      );
      expect(
        places.some((place) => place.startsWith("/p/2/issues")),
        path,
      ).toBe(true);
    }
  });

  it("its JSON and its redirects name places in it", async () => {
    expect((await ask(`/p/2/d/${digest}.json`)).json().url).toBe(`/p/2/d/${digest}`);
    const [hit] = (await ask(`/p/2/lookup.json?q=${digest}`)).json().hits;
    expect(hit.url).toBe(`/p/2/d/${digest}`);
    const found = await ask(`/p/2/lookup?q=${digest}`, { headers: PAGE });
    expect(found.response.headers.get("location")).toBe(`/p/2/d/${digest}`);
    const decided = await visit(`/p/2/d/${digest}/state`, {
      method: "POST",
      body: "state=resolved",
      origin: ORIGIN,
      redirect: "manual",
      services: desk.services,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        ...OWN_PAGE,
        ...owner.proof,
      },
    });
    expect(decided.response.headers.get("location")).toBe(`/p/2/d/${digest}`);
    expect(decided.response.headers.get("set-cookie")).toContain(`Path=/p/2/d/${digest};`);
  });

  it("says of its members who decided", async () => {
    await ask(`/p/2/d/${digest}/state`, { body: { state: "muted" } });
    const { annotations } = (await ask(`/p/2/d/${digest}.json`)).json();
    expect(annotations.activity.at(-1)).toMatchObject({ action: "muted", by: "Person 2" });
  });

  it("its receipts are its own; one of a project that is not there knows nothing", async () => {
    const known = async (path: string) =>
      (await ask(path, { headers: { cookie: "" } })).json().isKnown as boolean;
    expect(await known(`/p/2/e/${digest}`)).toBe(true);
    expect(await known(`/e/${digest}`)).toBe(false);
    expect(await known(`/p/999/e/${digest}`)).toBe(false);
  });

  it("its connect page has its key in every line", async () => {
    const { body } = await ask("/p/2/connect?streaming=off", { headers: PAGE });
    expect(body).toContain(`https://${key}@errata.example/2`);
    expect(body).toContain(`https://errata.example/monitoring?sentry_key=${key}`);
    expect(body).not.toMatch(/errata\.example\/monitoring(?!\?sentry_key)/);
  });

  it("what fails in its pages is Errata's own, and is reported to the first project", async () => {
    const failing = {
      ...desk.registry,
      getLastUses: () => {
        throw new Error("a page of the second project failed");
      },
    };
    const failed = await visit("/p/2/settings", {
      origin: ORIGIN,
      services: { ...desk.services, registry: failing as never },
      headers: { ...PAGE, ...owner.proof },
    });
    const own = failed.response.headers.get("errata-digest") ?? "";
    expect(failed.response.status).toBe(500);
    expect((await ask(`/d/${own}.json`)).response.status).toBe(200);
    expect((await ask(`/p/2/d/${own}.json`)).response.status).toBe(404);
  });
});

describe("a key's terms", () => {
  it("keep pages of other origins out, and say so", async () => {
    const { createdId } = (
      await ask("/p/2/settings", {
        body: { do: "add-key", name: "web", origins: ["https://*.shop.example"], perMinute: 600 },
      })
    ).json();
    const { keys } = (await ask("/p/2/settings.json")).json();
    const { key: kept } = keys.find(({ id }: { id: string }) => id === createdId);
    const path = `/api/2/store/?sentry_key=${kept}`;
    expect(await report(path, "x", "https://eu.shop.example")).toBe(200);
    expect(await report(path, "x", "https://evil.example")).toBe(403);
  });

  it("hold it to a rate of its own", async () => {
    const asked: (number | undefined)[] = [];
    const { key: kept } = (await ask("/p/2/settings.json")).json().keys.at(-1);
    const limiters = {
      ...desk.services.limiters,
      address: async () => true,
      global: async () => true,
      key: async (_: string, perMinute?: number) => {
        asked.push(perMinute);
        return false;
      },
    } as unknown as NonNullable<TestMembers["services"]["limiters"]>;
    const { response } = await visit(`/api/2/store/?sentry_key=${kept}`, {
      method: "POST",
      body: "{}",
      services: { ...desk.services, limiters },
    });
    expect([response.status, ...asked]).toEqual([429, 600]);
  });
});

describe("a project that is put away", () => {
  it("archived: takes nothing, and is read on; opened again it takes reports", async () => {
    const path = `/api/2/store/?sentry_key=${key}`;
    await ask("/p/2/settings", { body: { do: "archive-project" } });
    expect(await report(path, "x")).toBe(403);
    expect((await ask("/p/2/issues.json")).response.status).toBe(200);
    await ask("/p/2/settings", { body: { do: "reopen-project" } });
    expect(await report(path, "x")).toBe(200);
  });

  it("deleted: is nobody's, and all that it had is gone", async () => {
    const wrong = await ask("/p/2/settings", { body: { do: "delete-project", confirm: "shop" } });
    expect(wrong.response.status).toBe(400);
    const gone = await ask("/p/2/settings", { body: { do: "delete-project", confirm: "Shop" } });
    expect(gone.response.status).toBe(200);
    expect((await ask("/p/2/issues.json")).response.status).toBe(404);
    expect(await report(`/api/2/store/?sentry_key=${key}`, "x")).toBe(401);
    await desk.did(desk.deployer, { do: "create-project", name: "Next" });
    expect((await ask("/projects.json", { headers: {} })).json().projects).toHaveLength(1);
  });
});
