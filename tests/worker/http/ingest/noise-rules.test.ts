/** The setting that switches the noise rules of a project on and off. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMembers, ORIGIN, OWN_PAGE, type Proof } from "#support/accounts/members.ts";
import { visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";

let members: Awaited<ReturnType<typeof createMembers>>;
let owner: Proof;

beforeEach(async () => {
  members = await createMembers();
  owner = (await members.invite("owner")).proof;
});
afterEach(() => emptyStore());

async function submit(fields: Record<string, string>, proof = owner) {
  const { response } = await visit("/settings", {
    method: "POST",
    body: new URLSearchParams({ do: "set-noise-rules", ...fields }),
    headers: { ...proof, ...OWN_PAGE, accept: "text/html" },
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

/** Sends an error of an extension, and returns the noise rule of its issue. */
async function send(services = members.services): Promise<string | undefined> {
  const { response } = await visit("/monitoring", {
    method: "POST",
    body: JSON.stringify({
      errata: 1,
      how: "uncaught",
      type: "TypeError",
      message: "x is undefined",
      stack: "TypeError: x is undefined\n    at a (chrome-extension://abcdefgh/a.js:1:2)",
      url: "https://shop.example/cart",
    }),
    headers: { "content-type": "text/plain" },
    origin: ORIGIN,
    services,
  });
  const digest = /digest="([^"]+)"/.exec(response.headers.get("errata-outcome") ?? "")?.[1];
  const headers = { ...owner, accept: "application/json" };
  const { body } = await visit(`/d/${digest}.json`, {
    headers,
    origin: ORIGIN,
    services: members.services,
  });
  return JSON.parse(body).noise;
}

async function countOpen(): Promise<number> {
  const headers = { ...owner, accept: "application/json" };
  const { body } = await visit("/issues.json", {
    headers,
    origin: ORIGIN,
    services: members.services,
  });
  return JSON.parse(body).issues.length;
}

const ALL_ON = { extension: "on", injected: "on", translated: "on" };

describe("a report that matches a noise rule", () => {
  it("is noise by default, and an open issue while an owner has switched the rule off", async () => {
    expect(await send()).toBe("extension");
    expect(await countOpen()).toBe(0);
    expect(await submit({ injected: "on", translated: "on" })).toBe(303);
    expect(await send()).toBeUndefined();
    expect(await countOpen()).toBe(1);
    expect(await submit(ALL_ON)).toBe(303);
    expect(await send()).toBe("extension");
    expect(await countOpen()).toBe(1);
  });

  it("is noise while another rule is off", async () => {
    expect(await submit({ extension: "on" })).toBe(303);
    expect(await send()).toBe("extension");
  });

  it("is accepted as by default while the registry is unavailable", async () => {
    await submit({});
    const { registry } = members;
    let reads = 0;
    // The first read admits the report.
    const readCopy = () =>
      reads++ === 0 ? registry.readCopy() : Promise.reject(new Error("down"));
    const failing = { ...registry, readCopy, getLastCopy: () => null };
    expect(await send({ ...members.services, registry: failing, logProblem: () => {} })).toBe(
      "extension",
    );
  });
});

describe("the setting", () => {
  it("is only an owner's to change", async () => {
    const { proof } = await members.invite("member");
    expect(await submit({}, proof)).toBe(403);
    expect(await send()).toBe("extension");
  });

  it.each<Record<string, string>>([{ extension: "off" }, { errata: "on" }, { more: "x" }])(
    "refuses the form %j and changes nothing",
    async (fields) => {
      expect(await submit(fields)).toBe(400);
      expect(await send()).toBe("extension");
    },
  );

  it("lists each rule with what it matches; the audit log shows the change", async () => {
    const isChecked = (page: string, rule: string) =>
      new RegExp(`<input[^>]*name="${rule}"[^>]*>`).exec(page)?.[0].includes("checked");
    const page = await open("/settings");
    for (const rule of ["extension", "injected", "translated"])
      expect(isChecked(page, rule)).toBe(true);
    expect(page).toContain("Browser extensions and the browser itself");
    await submit({ extension: "on" });
    const changed = await open("/settings");
    expect(isChecked(changed, "extension")).toBe(true);
    expect(isChecked(changed, "injected")).toBe(false);
    const audit = await open("/settings/audit");
    expect(audit).toContain("set “Noise” to");
    expect(audit).toContain("all rules except injected, translated");
  });

  it("belongs to one project", async () => {
    const { createdId = "" } = await members.change(members.deployer, {
      do: "create-project",
      name: "B",
    });
    await members.change(members.deployer, {
      do: "set-noise-rules",
      project: createdId,
      disabledRules: ["extension"],
    });
    expect(await send()).toBe("extension");
  });
});
