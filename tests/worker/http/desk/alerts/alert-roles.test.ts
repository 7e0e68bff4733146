// The access of viewers, members and owners to the settings of alerts.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createMembers,
  ORIGIN,
  OWN_PAGE,
  type Proof,
  type TestMembers,
} from "#support/accounts/members.ts";
import {
  addSlack,
  postForm,
  readSettings,
  replaceAlerts,
  SLACK,
} from "#support/alerts/alert-pages.ts";
import { visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { NOW_MS } from "#support/store/store.ts";

afterEach(() => emptyStore());

describe("the roles", () => {
  let members: TestMembers;
  let viewer: Proof;
  let member: Proof;
  beforeEach(async () => {
    members = await createMembers();
    viewer = (await members.invite("viewer")).proof;
    member = (await members.invite("member")).proof;
    await addSlack();
  });
  const as = (proof: Proof, over: object = {}) => ({
    services: members.services,
    origin: ORIGIN,
    headers: { ...proof, ...OWN_PAGE, "content-type": "application/x-www-form-urlencoded" },
    ...over,
  });

  it("let viewers read without addresses, and members with them", async () => {
    const ofViewer = (await visit("/settings/alerts.json", as(viewer))).body;
    expect(ofViewer).toContain("#shop");
    expect(ofViewer).not.toContain("hooks.slack.com");
    expect((await visit("/settings/alerts.json", as(member))).body).toContain("hooks.slack.com");
    expect((await visit("/settings/alerts", as(viewer))).body).not.toContain("<form method");
  });

  it("show why a destination was disabled to owners, and that of a person to no other", async () => {
    const base = await readSettings();
    const disabled = { atMs: NOW_MS, reason: "The service answered: quoted-answer" };
    const person = { id: "p", name: "me", kind: "email", target: "m@example.com", person: "else" };
    const destinations = [...base.destinations, person].map((one) => ({ ...one, disabled }));
    const options = replaceAlerts({
      readSettings: async () => ({ ...base, destinations }) as typeof base,
    });
    const count = async (proof?: Proof) => {
      const over = proof && {
        ...as(proof),
        services: { ...members.services, ...options.services },
      };
      const { body } = await visit("/settings/alerts.json", over ?? options);
      return body.split("quoted-answer").length - 1;
    };
    expect([await count(), await count(member), await count(viewer)]).toEqual([1, 0, 0]);
  });

  it.each([
    ["rules", { do: "delete", id: "default" }],
    ["destinations", { do: "save", kind: "slack", name: "x", url: SLACK }],
    ["destinations", { do: "rotate", id: "x" }],
    ["destinations", { do: "enable", id: "x" }],
    ["destinations", { do: "summary", id: "x", every: "day" }],
    ["feeds", { do: "create", view: "x" }],
  ])("let only owners change %s", async (form, fields) => {
    for (const proof of [viewer, member]) {
      const { response } = await postForm(`/settings/alerts/${form}`, fields as never, as(proof));
      expect(response.status).toBe(403);
    }
  });

  it("let no person test, change or remove a destination of another", async () => {
    await postForm("/alerts/preferences", { do: "add-email", to: "m@example.com" }, as(member));
    const own = (await readSettings()).destinations.find(({ person }) => person !== undefined);
    const { proof: other } = await members.invite("member");
    const id = own?.id ?? "";
    for (const [path, fields] of [
      ["/alerts/preferences", { do: "delete", id }],
      ["/alerts/preferences", { do: "enable", id }],
      ["/alerts/preferences", { do: "summary", id, every: "day" }],
      ["/settings/alerts/test", { destination: id }],
    ] as const) {
      const { response } = await postForm(path, fields as Record<string, string>, as(other));
      expect([path, response.status]).toEqual([path, 404]);
    }
    const { body } = await visit("/settings/alerts.json", as(other));
    expect(body).not.toContain("m@example.com");
    expect((await readSettings()).destinations).toContainEqual(own);
  });

  it("do not let an owner take over the destination of a person", async () => {
    await postForm("/alerts/preferences", { do: "add-email", to: "m@example.com" }, as(member));
    const id = (await readSettings()).destinations.find(({ person }) => person)?.id ?? "";
    for (const fields of [
      { do: "save", id, kind: "slack", name: "x", url: SLACK },
      { do: "enable", id },
      { do: "summary", id, every: "day" },
      { do: "delete", id },
    ]) {
      const { response } = await postForm("/settings/alerts/destinations", fields as never);
      expect(response.status).toBe(404);
    }
  });

  it.each([
    "/settings/alerts/rules",
    "/settings/alerts/destinations",
    "/settings/alerts/test",
    "/settings/alerts/again",
    "/settings/alerts/feeds",
    "/alerts/read",
    "/alerts/preferences",
  ])("and other sites change nothing: POST %s", async (path) => {
    for (const headers of [
      { ...member, origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { ...member },
    ]) {
      const { response } = await visit(path, {
        ...as(member),
        method: "POST",
        headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
        body: "do=save",
      });
      expect([path, response.status]).toEqual([path, 403]);
    }
  });

  it("are written to the audit log in sentences", async () => {
    await postForm("/settings/alerts/again", { message: "m1" }, as(member));
    const entries = await members.registry.listAuditEntries("1", Number.MAX_SAFE_INTEGER);
    expect(entries.map(({ action }) => action)).toContain("alerts.sendAgain");
  });
});
