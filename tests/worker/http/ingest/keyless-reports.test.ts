/** The setting of the first project for reports without a key. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMembers, ORIGIN, OWN_PAGE, type Proof } from "#support/accounts/members.ts";
import { testConfig, visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";

const SHOP = "https://shop.example";
const BODY = '{"errata":1,"how":"uncaught","type":"Error","message":"a"}';

let members: Awaited<ReturnType<typeof createMembers>>;
let owner: Proof;

beforeEach(async () => {
  members = await createMembers();
  owner = (await members.invite("owner")).proof;
});
afterEach(() => emptyStore());

async function submit(fields: Record<string, string>) {
  const { response } = await visit("/settings", {
    method: "POST",
    body: new URLSearchParams({ do: "set-keyless", ...fields }),
    headers: { ...owner, ...OWN_PAGE, accept: "text/html" },
    origin: ORIGIN,
    redirect: "manual",
    services: members.services,
  });
  return response.status;
}

async function open(path: string): Promise<string> {
  const headers = { ...owner, accept: "text/html" };
  return (await visit(path, { headers, origin: ORIGIN, services: members.services })).body;
}

/** The status, and the reason of a refusal. */
async function send(origin?: string, path = "/monitoring") {
  const { response, body } = await visit(path, {
    method: "POST",
    body: BODY,
    headers: { "content-type": "text/plain", ...(origin !== undefined && { origin }) },
    origin: ORIGIN,
    services: members.services,
  });
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  return response.ok ? response.status : [response.status, JSON.parse(body).reason];
}

const withKey = `/monitoring?sentry_key=${testConfig.ingestKey}`;

describe("a report without a key", () => {
  it("is accepted from every origin by default", async () => {
    expect(await send()).toBe(202);
    expect(await send(SHOP)).toBe(202);
  });

  it("is accepted only from listed origins and from Errata's own pages", async () => {
    expect(await submit({ keyless: "origins", origins: `${SHOP}\n` })).toBe(303);
    expect(await send(SHOP)).toBe(202);
    expect(await send(ORIGIN)).toBe(202);
    expect(await send()).toEqual([403, "origin-not-allowed"]);
    expect(await send("https://shop.example.evil")).toEqual([403, "origin-not-allowed"]);
    expect(await send("https://evil.example", withKey)).toBe(202);
  });

  it("is refused if the project requires keys", async () => {
    expect(await submit({ keyless: "require", origins: SHOP })).toBe(303);
    for (const origin of [undefined, SHOP, ORIGIN])
      expect(await send(origin)).toEqual([401, "key-required"]);
    expect(await send(SHOP, withKey)).toBe(202);
    expect(await submit({ keyless: "accept" })).toBe(303);
    expect(await send()).toBe(202);
  });

  it.each([
    {},
    { keyless: "sometimes" },
    { keyless: "origins" },
    { keyless: "origins", origins: "shop.example" },
    { keyless: "require", more: "x" },
  ])("the form %j is refused and changes nothing", async (fields) => {
    expect(await submit(fields as Record<string, string>)).toBe(400);
    expect(await send()).toBe(202);
  });
});

describe("/settings", () => {
  it("shows the setting with its origins, and the audit log shows the change", async () => {
    expect(await open("/settings")).toMatch(/checked="" value="accept"|value="accept" checked=""/);
    await submit({ keyless: "origins", origins: `${SHOP} https://*.shop.example` });
    const page = await open("/settings");
    expect(page).toMatch(/checked="" value="origins"|value="origins" checked=""/);
    expect(page).toContain(`${SHOP}\nhttps://*.shop.example</textarea>`);
    expect(await open("/settings/audit")).toContain("set “Reports without a key” to");
  });

  it("pauses such reports with a named button, and returns to the section", async () => {
    expect(await open("/settings")).toMatch(
      /action="\/settings#keyless"[^>]*>(<input[^>]*>)+<button[^>]* aria-label="Pause reports without a key"/,
    );
  });

  it("has this setting only for the first project", async () => {
    const { createdId } = await members.change(members.deployer, {
      do: "create-project",
      name: "B",
    });
    owner = (await members.invite("owner", createdId)).proof;
    expect(await open(`/p/${createdId}/settings`)).not.toContain("Reports without a key");
  });
});
