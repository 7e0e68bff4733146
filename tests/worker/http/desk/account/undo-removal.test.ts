// Removing and restoring tokens, keys, invitations and destinations by the forms of the settings.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  createMembers,
  ORIGIN,
  OWN_PAGE,
  type Proof,
  type TestMembers,
} from "#support/accounts/members.ts";
import { SLACK } from "#support/alerts/alert-pages.ts";
import { visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";

let members: TestMembers;
let owner: Proof;

beforeAll(async () => {
  members = await createMembers();
  owner = (await members.invite("owner")).proof;
});
afterAll(() => emptyStore());

/** Sends a form and follows its redirect, with the cookies of a browser. */
async function submit(path: string, fields: Readonly<Record<string, string>>, as = owner) {
  const options = { origin: ORIGIN, services: members.services, redirect: "manual" } as const;
  const { response } = await visit(path, {
    ...options,
    method: "POST",
    headers: { ...as, ...OWN_PAGE, "content-type": "application/x-www-form-urlencoded" },
    body: `${new URLSearchParams(fields)}`,
  });
  const location = response.headers.get("location");
  if (location === null) return { status: response.status, body: "", undo: undefined };
  const cookie = [as.cookie, response.headers.get("set-cookie")?.split(";")[0]].join("; ");
  const next = await visit(location, { ...options, headers: { ...as, cookie } });
  const body = next.body.replaceAll("<!-- -->", "");
  const [, action = ""] = /class="flash".*?<form[^>]*action="([^"]*)"/s.exec(body) ?? [];
  const [, undo] = /name="undo" value="([0-9a-f]{32})"/.exec(body) ?? [];
  return { status: response.status, body, undo, action };
}

const read = async (path: string, proof = owner) => {
  const { response, body } = await visit(path, {
    origin: ORIGIN,
    services: members.services,
    redirect: "manual",
    headers: { ...proof, accept: "application/json" },
  });
  return { status: response.status, body };
};
const readAudit = async () =>
  (await visit("/settings/audit", { origin: ORIGIN, services: members.services, headers: owner }))
    .body;
const toAuditText = (html: string) => html.replace(/<!--.*?-->|<[^>]*>/g, " ").replace(/\s+/g, " ");

describe("a token", () => {
  it("stops working at once when it is revoked, and works again after the undo", async () => {
    const { id, proof } = await members.token("viewer");
    expect((await read("/issues.json", proof)).status).toBe(200);
    const revoked = await submit("/settings", { do: "revoke-token", token: id });
    expect(revoked.body).toContain("Token revoked. You can undo this for 30 seconds.");
    expect(revoked.action).toBe("/settings");
    expect((await read("/issues.json", proof)).status).toBe(401);
    const undone = await submit("/settings", { do: "restore", undo: revoked.undo ?? "" });
    expect(undone.body).toContain("Undone. It works again.");
    expect((await read("/issues.json", proof)).status).toBe(200);
    const text = toAuditText(await readAudit());
    expect(text).toMatch(/undid the revocation of the token .* revoked the token /);
    const again = await submit("/settings", { do: "restore", undo: revoked.undo ?? "" });
    expect(again.body).toContain("Not undone. That is possible for 30 seconds only.");
  });

  it("for uploads stops and works again", async () => {
    const { id, proof } = await members.token("uploader");
    const tryUpload = async () => {
      const headers = { ...proof, "content-type": "application/json" };
      const init = { method: "PUT", headers, body: "{}", services: members.services };
      return (await visit("/source-maps/a.js.map", { ...init, origin: ORIGIN })).response.status;
    };
    const known = await tryUpload();
    const { undo = "" } = await submit("/settings", { do: "revoke-token", token: id });
    expect(await tryUpload()).toBe(401);
    await submit("/settings", { do: "restore", undo });
    expect([known, await tryUpload()]).toEqual([known, known]);
    expect(known).not.toBe(401);
  });
});

describe("a destination of alerts", () => {
  const FORM = "/settings/alerts/destinations";
  let id = "";
  beforeEach(async () => {
    await submit(FORM, { do: "save", kind: "slack", name: "#shop", url: SLACK });
    const { destinations } = JSON.parse((await read("/settings/alerts.json")).body).settings;
    id = destinations.at(-1).id;
  });
  const listIds = async () => {
    const { destinations } = JSON.parse((await read("/settings/alerts.json")).body).settings;
    return (destinations as { id: string }[]).map((one) => one.id);
  };

  it("is deleted and restored, and the audit log names it", async () => {
    const deleted = await submit(FORM, { do: "delete", id });
    expect(deleted.body).toContain("Destination deleted. You can undo this for 30 seconds.");
    expect(deleted.action).toBe(FORM);
    expect(await listIds()).not.toContain(id);
    const undone = await submit(FORM, { do: "restore", undo: deleted.undo ?? "" });
    expect(undone.body).toContain("Undone. The destination gets alerts again.");
    expect(await listIds()).toContain(id);
    const text = toAuditText(await readAudit());
    expect(text).toMatch(
      /restored the alert destination #shop .* deleted the alert destination #shop/,
    );
  });

  it("is not restored by a member, or with another id", async () => {
    const { undo = "" } = await submit(FORM, { do: "delete", id });
    const member = (await members.invite("member")).proof;
    expect((await submit(FORM, { do: "restore", undo }, member)).status).toBe(403);
    expect((await submit(FORM, { do: "restore", undo: "x" })).status).toBe(400);
    const other = await submit(FORM, { do: "restore", undo: "0".repeat(32) });
    expect(other.body).toContain("Not undone.");
    expect(await listIds()).not.toContain(id);
  });

  it("of a person is restored on the page of that person", async () => {
    const path = "/alerts/preferences";
    await submit(path, { do: "add-email", to: "ada@example.org" });
    const readOwn = async () =>
      JSON.parse((await read("/alerts/preferences.json")).body).destinations as { id: string }[];
    const [own] = await readOwn();
    const deleted = await submit(path, { do: "delete", id: own?.id ?? "" });
    expect(deleted.action).toBe(path);
    expect(await readOwn()).toEqual([]);
    await submit(path, { do: "restore", undo: deleted.undo ?? "" });
    expect(await readOwn()).toEqual([own]);
  });
});
