import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createMembers,
  ORIGIN,
  OWN_PAGE,
  type Proof,
  type TestMembers,
} from "#support/accounts/members.ts";
import { visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";

const JSON_TYPE = { "content-type": "application/json", accept: "application/json" };

let members: TestMembers;
let owner: { readonly proof: Proof };
let key = "";
let digest = "";

/** Visits a path as the owner of both projects, or with other headers. */
async function visitDesk(
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Proof } = {},
) {
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const visited = await visit(path, {
    origin: ORIGIN,
    services: members.services,
    redirect: "manual",
    headers: { ...JSON_TYPE, ...OWN_PAGE, ...owner.proof, ...headers },
    ...sent,
  });
  return { ...visited, json: () => JSON.parse(visited.body) };
}

const PAGE = { accept: "text/html", "content-type": "text/html" };

async function sendReport(path: string, message: string, origin?: string) {
  const event = { exception: { values: [{ type: "TypeError", value: message }] } };
  const headers = { cookie: "", ...(origin ? { origin } : {}) };
  const { response } = await visitDesk(path, { body: event, headers });
  return response.status;
}

beforeAll(async () => {
  members = await createMembers();
  owner = await members.invite("owner");
  const created = await visitDesk("/projects", { body: { name: "Shop" } });
  expect(created.json()).toEqual({ project: "2" });
  key = (await visitDesk("/p/2/settings.json")).json().keys[0].key;
  // A receipt needs a report of a server.
  const add = { do: "add-key", kind: "server", name: "api" };
  const [serverKey = ""] = (await visitDesk("/p/2/settings", { body: add })).json().secrets;
  const event = { exception: { values: [{ type: "TypeError", value: "cart is undefined" }] } };
  const { response } = await visit(`/api/2/store/?sentry_key=${serverKey}`, {
    method: "POST",
    origin: ORIGIN,
    services: members.services,
    headers: JSON_TYPE,
    body: JSON.stringify(event),
  });
  expect(response.status).toBe(200);
  expect(await sendReport(`/api/2/store/?sentry_key=${key}`, "cart is undefined")).toBe(200);
  digest = (await visitDesk("/p/2/issues.json")).json().issues[0].digest;
});

afterAll(() => emptyStore());

describe("a second project", () => {
  it("has its own reports, and the first project has none of them", async () => {
    expect((await visitDesk("/p/2/issues.json")).json().total).toBe(1);
    expect((await visitDesk("/issues.json")).json().total).toBe(0);
    expect((await visitDesk(`/d/${digest}`)).response.status).toBe(404);
    expect((await visitDesk(`/p/2/d/${digest}`)).response.status).toBe(200);
  });

  it("is identified by its key: reports without a key are refused, also from the same origin", async () => {
    const configured = "0123456789abcdef0123456789abcdef";
    for (const [path, status] of [
      ["/monitoring/2", 401],
      [`/monitoring?sentry_key=${key}`, 200],
      [`/monitoring/2?sentry_key=${key}`, 200],
      [`/api/1/store/?sentry_key=${key}`, 401],
      [`/api/2/store/?sentry_key=${configured}`, 401],
    ] as const) {
      expect(await sendReport(path, "cart is undefined"), path).toBe(status);
    }
  });

  it("has only links and forms that stay in it, except those that belong to no project", async () => {
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
      const { body, response } = await visitDesk(`/p/2${path}?streaming=off`, { headers: PAGE });
      expect(response.status, path).toBe(200);
      const urls = [...body.matchAll(/(?:href|action|src)="(\/[^"]*)"/g)].map(
        ([, url = ""]) => url,
      );
      const otherUrls = urls.filter(
        (url) => !/^\/(p\/2(\/|$)|assets\/|icons\/|favicon|app\.web)/.test(url),
      );
      expect(new Set(otherUrls), path).toEqual(
        new Set(otherUrls.filter((url) => /^\/($|docs|profile|projects|theme|sign-out)/.test(url))),
      );
      expect(
        urls.some((url) => url.startsWith("/p/2/issues")),
        path,
      ).toBe(true);
    }
  });

  it("has JSON and redirects with URLs of this project", async () => {
    expect((await visitDesk(`/p/2/d/${digest}.json`)).json().url).toBe(`/p/2/d/${digest}`);
    const [hit] = (await visitDesk(`/p/2/lookup.json?q=${digest}`)).json().hits;
    expect(hit.url).toBe(`/p/2/d/${digest}`);
    const redirect = await visitDesk(`/p/2/lookup?q=${digest}`, { headers: PAGE });
    expect(redirect.response.headers.get("location")).toBe(`/p/2/d/${digest}`);
    const decided = await visit(`/p/2/d/${digest}/state`, {
      method: "POST",
      body: "state=resolved",
      origin: ORIGIN,
      redirect: "manual",
      services: members.services,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        ...OWN_PAGE,
        ...owner.proof,
      },
    });
    expect(decided.response.headers.get("location")).toBe(`/p/2/d/${digest}`);
    expect(decided.response.headers.get("set-cookie")).toContain(`Path=/p/2/d/${digest};`);
  });

  it("shows the name of the member who made a decision", async () => {
    await visitDesk(`/p/2/d/${digest}/state`, { body: { state: "archived" } });
    const { annotations } = (await visitDesk(`/p/2/d/${digest}.json`)).json();
    expect(annotations.activity.at(-1)).toMatchObject({ action: "archived", by: "Person 2" });
  });

  it("has receipts that every project resolves, also an unknown one", async () => {
    const isReceiptKnown = async (path: string) =>
      (await visitDesk(path, { headers: { cookie: "" } })).json().isKnown as boolean;
    for (const base of ["", "/p/2", "/p/999"])
      expect(await isReceiptKnown(`${base}/e/${digest}`)).toBe(true);
  });

  it("has its key in every snippet of its connect page", async () => {
    const { body } = await visitDesk("/p/2/connect?streaming=off", { headers: PAGE });
    expect(body).toContain(`https://${key}@errata.example/2`);
    expect(body).toContain(`https://errata.example/monitoring?sentry_key=${key}`);
    expect(body).not.toMatch(/errata\.example\/monitoring(?!\?sentry_key|\/errata\.js)/);
  });

  it("reports a failure of its pages as Errata's own error, to the first project", async () => {
    const failingRegistry = {
      ...members.registry,
      getLastUses: () => {
        throw new Error("a page of the second project failed");
      },
    };
    const visited = await visit("/p/2/settings", {
      origin: ORIGIN,
      services: { ...members.services, registry: failingRegistry as never },
      headers: { ...PAGE, ...owner.proof },
    });
    const selfReportDigest = visited.response.headers.get("errata-digest") ?? "";
    expect(visited.response.status).toBe(500);
    expect((await visitDesk(`/d/${selfReportDigest}.json`)).response.status).toBe(200);
    expect((await visitDesk(`/p/2/d/${selfReportDigest}.json`)).response.status).toBe(404);
  });
});

describe("the settings of a key", () => {
  it("refuse reports from other origins", async () => {
    const { createdId } = (
      await visitDesk("/p/2/settings", {
        body: { do: "add-key", name: "web", origins: ["https://*.shop.example"], perMinute: 600 },
      })
    ).json();
    const { keys } = (await visitDesk("/p/2/settings.json")).json();
    const { key: addedKey } = keys.find(({ id }: { id: string }) => id === createdId);
    const path = `/api/2/store/?sentry_key=${addedKey}`;
    expect(await sendReport(path, "x", "https://eu.shop.example")).toBe(200);
    expect(await sendReport(path, "x", "https://evil.example")).toBe(403);
  });

  it("give the key its own rate limit", async () => {
    const rates: (number | undefined)[] = [];
    const { key: addedKey } = (await visitDesk("/p/2/settings.json")).json().keys.at(-1);
    const limiters = {
      ...members.services.limiters,
      address: async () => true,
      global: async () => true,
      key: async (_: string, perMinute?: number) => {
        rates.push(perMinute);
        return false;
      },
    } as unknown as NonNullable<TestMembers["services"]["limiters"]>;
    const { response } = await visit(`/api/2/store/?sentry_key=${addedKey}`, {
      method: "POST",
      body: "{}",
      services: { ...members.services, limiters },
    });
    expect([response.status, ...rates]).toEqual([429, 600]);
  });
});

describe("a closed project", () => {
  it("refuses reports while it is archived, stays readable, and accepts reports again when reopened", async () => {
    const path = `/api/2/store/?sentry_key=${key}`;
    await visitDesk("/p/2/settings", { body: { do: "archive-project" } });
    expect(await sendReport(path, "x")).toBe(403);
    expect((await visitDesk("/p/2/issues.json")).response.status).toBe(200);
    await visitDesk("/p/2/settings", { body: { do: "reopen-project" } });
    expect(await sendReport(path, "x")).toBe(200);
  });

  it("is inaccessible to all members once it is deleted, and its data is erased", async () => {
    const wrongConfirmation = await visitDesk("/p/2/settings", {
      body: { do: "delete-project", confirm: "shop" },
    });
    expect(wrongConfirmation.response.status).toBe(400);
    const deletion = await visitDesk("/p/2/settings", {
      body: { do: "delete-project", confirm: "Shop" },
    });
    expect(deletion.response.status).toBe(200);
    expect((await visitDesk("/p/2/issues.json")).response.status).toBe(404);
    expect(await sendReport(`/api/2/store/?sentry_key=${key}`, "x")).toBe(401);
    await members.change(members.deployer, { do: "create-project", name: "Next" });
    expect((await visitDesk("/projects.json", { headers: {} })).json().projects).toHaveLength(1);
  });
});
