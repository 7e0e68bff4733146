// The pages of alerts with the real object, the real index and real members.

import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_RULE } from "../../../../../src/core/alerts/default-rule.ts";
import type { AlertStore } from "../../../../../src/core/ports/alerts-port.ts";
import {
  createMembers,
  ORIGIN,
  OWN_PAGE,
  type Proof,
  type TestMembers,
} from "../../../../support/accounts/members.ts";
import { createAlertedIssue, createAlertMessage } from "../../../../support/alerts/messages.ts";
import { createTestServices, visit } from "../../../../support/http/visit.ts";
import { createReport } from "../../../../support/reports/reports.ts";
import { emptyStore } from "../../../../support/store/empty-store.ts";
import {
  bindings,
  getAlertSender,
  log,
  NOW_MS,
  projectStore,
} from "../../../../support/store/store.ts";

afterEach(() => emptyStore());

const OWN = { origin: "http://localhost:8787", "sec-fetch-site": "same-origin" };
const DIGEST = "7F3K-Q2M9";
const SLACK = "https://hooks.slack.com/services/T0/B0/secret-path-x7Qa";
const encode = (fields: Record<string, string>) => `${new URLSearchParams(fields)}`;
const post = (path: string, fields: Record<string, string>, options: object = {}) =>
  visit(path, {
    method: "POST",
    redirect: "manual",
    headers: { ...OWN, "content-type": "application/x-www-form-urlencoded" },
    body: encode(fields),
    ...options,
  });
const toText = (html: string) =>
  html
    .replace(/<!--.*?-->/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&#x27;/g, "'")
    .replace(/\s+/g, " ");
const read = async (path: string, options: object = {}) =>
  toText((await visit(path, options)).body);
const settings = () => getAlertSender().readSettings();
const alertsWith = (over: Partial<AlertStore>) => {
  const sender = getAlertSender() as unknown as AlertStore;
  const alerts = new Proxy(sender, {
    get: (target, name) => Reflect.get(over, name) ?? Reflect.get(target, name),
  });
  return { services: { alerts } };
};
/** As after a service answered that the destination does not exist. */
const disable = (id: string) =>
  runInDurableObject(getAlertSender(), (_, { storage }) => {
    const disabled = JSON.stringify({ atMs: NOW_MS, reason: "no_service" });
    storage.sql.exec(
      `UPDATE settings SET body = json_set(body, '$.destinations[0].disabled', json(?))
       WHERE json_extract(body, '$.destinations[0].id') = ?`,
      disabled,
      id,
    );
  }).then(() => abortAllDurableObjects());
const addSlack = () =>
  post("/settings/alerts/destinations", { do: "save", kind: "slack", name: "#shop", url: SLACK });

describe("the settings of alerts", () => {
  it("say that no message leaves Errata, and list the rule of a new project", async () => {
    const text = await read("/settings/alerts");
    expect(text).toContain("No destinations yet.");
    expect(text).toMatch(/New and regressed issues a new issue, a resolved issue occurs again/);
    expect(text).toContain("No message has been sent yet.");
    expect(text).toContain("Nothing was held back.");
  });

  it("name destinations in sentence case, except the names of services", async () => {
    const text = await read("/settings/alerts");
    for (const label of ["Add webhook", "Add email", "Add Slack", "Add Microsoft Teams"])
      expect(text).toContain(label);
  });

  it("take a destination and show where it leads, but never its secret", async () => {
    const { response } = await addSlack();
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      "/settings/alerts#destinations",
    ]);
    const { body } = await visit("/settings/alerts");
    expect(toText(body)).toContain("#shop Slack · hooks.slack.com …x7Qa");
    const json = (await visit("/settings/alerts.json")).body;
    for (const shown of [body, json]) expect(shown).not.toContain("secret-path");
  });

  it("show the secret of a webhook once", async () => {
    const { response, body } = await post("/settings/alerts/destinations", {
      do: "save",
      kind: "webhook",
      name: "CI",
      url: "https://ci.example.com/hook",
    });
    expect(response.status).toBe(200);
    expect(body).toMatch(/whsec_[A-Za-z0-9+/]{43}=/);
    expect((await visit("/settings/alerts")).body).not.toContain("whsec_");
  });

  it("replace the secret of a webhook and show the new one once", async () => {
    const url = "https://ci.example.com/hook";
    const saved = { do: "save", kind: "webhook", name: "CI", url };
    const readSecret = (html: string) => /whsec_[A-Za-z0-9+/]{43}=/.exec(html)?.[0];
    const first = readSecret((await post("/settings/alerts/destinations", saved)).body);
    const [{ id } = { id: "" }] = (await settings()).destinations;
    const rotate = { do: "rotate", id };
    const second = readSecret((await post("/settings/alerts/destinations", rotate)).body);
    expect(second).toBeDefined();
    expect(second).not.toBe(first);
    const { body } = await visit("/settings/alerts");
    expect(toText(body)).toMatch(/the previous secret also signs until .* UTC/);
    expect(body).not.toContain("whsec_");
  });

  it("have no secret to replace for a destination that is not a webhook", async () => {
    await addSlack();
    const [{ id } = { id: "" }] = (await settings()).destinations;
    const fields = { do: "rotate", id };
    expect((await post("/settings/alerts/destinations", fields)).response.status).toBe(404);
  });

  it("enable a disabled destination without its address", async () => {
    await addSlack();
    const [{ id } = { id: "" }] = (await settings()).destinations;
    await disable(id);
    expect(await read("/settings/alerts")).toMatch(/#shop disabled .* Send a test Enable Delete/);
    await post("/settings/alerts/destinations", { do: "enable", id });
    const [enabled] = (await settings()).destinations;
    expect(enabled).toMatchObject({ id, target: "hooks.slack.com …x7Qa" });
    expect(enabled).not.toHaveProperty("disabled");
  });

  it.each([
    ["https://127.0.0.1/hook", "The URL must have a host name, not an IP address."],
    ["https://localhost/hook", "The host name must be public."],
    ["http://hooks.slack.com/services/x", "The URL must begin with https://."],
    ["https://u:p@hooks.slack.com/", "The URL must not contain a user name or password."],
    ["not a URL", "Enter a URL that begins with https://."],
  ])("refuse the address %s with the reason, and keep nothing", async (url, reason) => {
    const fields = { do: "save", kind: "slack", name: "#shop", url };
    const { response, body } = await post("/settings/alerts/destinations", fields);
    expect(response.status).toBe(400);
    expect(toText(body)).toContain(reason);
    expect((await settings()).destinations).toEqual([]);
  });

  it("save a rule with its figures, hours and destinations", async () => {
    await addSlack();
    const [destination] = (await settings()).destinations;
    const { response } = await post("/settings/alerts/rules", {
      do: "save",
      name: "Many in production",
      "on.occurrences": "on",
      "occurrences.count": "50",
      "occurrences.hours": "2",
      "on.crash-free": "on",
      "crash-free.percent": "99.5",
      "users.count": "10",
      query: "env:production",
      minTrust: "server",
      [`to.${destination?.id}`]: "on",
      coolDownMs: "10800000",
      hours: "on",
      "day.1": "on",
      "day.5": "on",
      from: "09:00",
      to: "00:00",
      timeZone: "Europe/Berlin",
      enabled: "on",
    });
    expect(response.headers.get("location")).toBe("/settings/alerts#rules");
    const { rules } = await settings();
    expect(rules.find(({ name }) => name === "Many in production")).toMatchObject({
      enabled: true,
      triggers: [
        { kind: "occurrences", count: 50, withinMs: 7_200_000 },
        { kind: "crash-free", below: 0.995 },
      ],
      query: "env:production",
      minTrust: "server",
      destinations: [destination?.id],
      coolDownMs: 10_800_000,
      workingHours: { days: [1, 5], from: 540, to: 1_440, timeZone: "Europe/Berlin" },
    });
    const text = await read("/settings/alerts");
    expect(text).toContain(
      "50 occurrences within 2 h, crash-free rate below 99.5 % · env:production · reported by servers · to #shop · at most one message per issue in 3 h · in working hours",
    );
  });

  it.each([
    [{ name: "" }, "Expected a name"],
    [{ name: "x" }, "Choose at least one condition for the alert."],
    [
      { name: "x", "on.users": "on", "users.count": "0" },
      "The number of users must be at least 1.",
    ],
    [{ name: "x", "on.regressed": "on", hours: "on" }, "Working hours need days"],
  ])("refuse a rule with the reason: %j", async (fields, reason) => {
    const sent = { do: "save", coolDownMs: "0", ...fields } as unknown as Record<string, string>;
    const { response, body } = await post("/settings/alerts/rules", sent);
    expect(response.status).toBe(400);
    expect(toText(body)).toContain(reason);
    expect((await settings()).rules).toHaveLength(1);
  });

  it("delete rules and destinations", async () => {
    await addSlack();
    const [destination] = (await settings()).destinations;
    await post("/settings/alerts/destinations", { do: "delete", id: destination?.id ?? "" });
    await post("/settings/alerts/rules", { do: "delete", id: DEFAULT_RULE.id });
    expect(await settings()).toMatchObject({ rules: [], destinations: [] });
    expect(await read("/settings/alerts")).toContain(
      "No rules. Without rules there are no alerts.",
    );
  });

  it.each([
    ["acme/shop", "acme/shop"],
    [" https://github.com/acme/shop.git ", "acme/shop"],
  ])("take the GitHub repository %j, and remove it again", async (repository, stored) => {
    const { response } = await post("/settings/alerts/github", { do: "save", repository });
    expect(response.headers.get("location")).toBe("/settings/alerts#github");
    expect((await settings()).repository).toBe(stored);
    expect(await read("/settings/alerts")).toContain("acme/shop GitHub repository");
    await post("/settings/alerts/github", { do: "remove" });
    expect(await settings()).not.toHaveProperty("repository");
  });

  it("refuse a repository that is not on GitHub", async () => {
    const { response, body } = await post("/settings/alerts/github", {
      do: "save",
      repository: "shop",
    });
    expect([response.status, toText(body).includes("Enter owner/name")]).toEqual([400, true]);
  });

  it("list attempts with status, time and answer, and the alerts that were held back", async () => {
    const options = alertsWith({
      listDeliveries: async () => [
        {
          atMs: NOW_MS - 60_000,
          message: "m1",
          title: "New issue",
          digest: DIGEST,
          destination: "gone",
          attempt: 2,
          result: "failed",
          status: 400,
          answer: "invalid_payload <b>",
          durationMs: 312.4,
        },
      ],
      listHeldBack: async () => [
        { atMs: NOW_MS, trigger: "new-issue", digest: DIGEST, reason: "Quiet until 14:02 UTC." },
      ],
    });
    const { body } = await visit("/settings/alerts", options);
    expect(toText(body)).toMatch(
      /New issue 7F3K-Q2M9 failed 1 min ago · a deleted destination · status 400 · 312 ms · attempt 2 · invalid_payload &lt;b&gt; Send again/,
    );
    expect(toText(body)).toContain("Quiet until 14:02 UTC.");
  });

  it("say on the page whether a test arrived", async () => {
    await addSlack();
    const [{ id } = { id: "" }] = (await settings()).destinations;
    const sent: string[] = [];
    const answer = (kind: "delivered" | "gone") =>
      alertsWith({
        sendTest: async (one) => {
          sent.push(one);
          return { kind, status: kind === "gone" ? 404 : 200, answer: "no_service" };
        },
      });
    const delivered = await post("/settings/alerts/test", { destination: id }, answer("delivered"));
    expect(delivered.response.headers.get("set-cookie")).toContain("test-delivered.200");
    const gone = await post("/settings/alerts/test", { destination: id }, answer("gone"));
    expect(gone.response.headers.get("set-cookie")).toContain("not-tested.404");
    expect(sent).toEqual([id, id]);
  });

  it("refuse more tests than the limit with 429", async () => {
    await addSlack();
    const [{ id } = { id: "" }] = (await settings()).destinations;
    const options = alertsWith({ sendTest: async () => "too-many" });
    const { response, body } = await post("/settings/alerts/test", { destination: id }, options);
    expect(response.status).toBe(429);
    expect(toText(body)).toContain("Please try again in 10 minutes.");
  });

  it.each([
    [
      "/settings/alerts/rules",
      { do: "save", name: "x", coolDownMs: 0, hours: true, "day.1": true },
    ],
    ["/alerts/preferences", { do: "add-email" }],
    ["/alerts/preferences", { do: "add-push", p256dh: "x", auth: "x" }],
    ["/alerts/preferences", { do: "save", quiet: true }],
  ])("refuse JSON whose texts are not strings with 400: %s %j", async (path, fields) => {
    const evil = { toString: 1, valueOf: 1 };
    const body = JSON.stringify({
      to: evil,
      endpoint: evil,
      from: evil,
      timeZone: evil,
      ...fields,
    });
    const headers = { ...OWN, "content-type": "application/json" };
    const { response } = await visit(path, { method: "POST", headers, body });
    expect(response.status).toBe(400);
  });

  it("say so while the object of alerts is unavailable, and answer 503 to programs", async () => {
    const failing = alertsWith({ readSettings: () => Promise.reject(new Error("no object")) });
    expect(await read("/settings/alerts", failing)).toContain(
      "Alerts are temporarily unavailable.",
    );
    expect((await visit("/settings/alerts.json", failing)).response.status).toBe(503);
    expect(await read("/status", failing)).toContain("Alerts are temporarily unavailable.");
  });
});

describe("the health of alerts", () => {
  it("is not stated before the first message", async () => {
    expect(await read("/settings/alerts")).not.toContain("messages delivered");
  });

  it("is on the status page, also as JSON", async () => {
    const health = {
      delivered: 12,
      waiting: 3,
      undelivered: 1,
      delayP50Ms: 412,
      delayP99Ms: 2_100,
    };
    const base = await settings();
    const options = alertsWith({ readSettings: async () => ({ ...base, health }) });
    expect(await read("/status", options)).toContain(
      "12 messages delivered, half within 0.4 s, 99 % within 2.1 s. 3 waiting. 1 not delivered.",
    );
    expect(JSON.parse((await visit("/status.json", options)).body).alerts).toEqual(health);
  });
});

describe("the inbox", () => {
  it("is explained while it is empty", async () => {
    expect(await read("/alerts")).toContain("No alerts yet");
    expect(await read("/alerts")).toContain("No destinations.");
  });

  it("lists messages, the unread ones marked, with hostile text inert", async () => {
    const hostile = createAlertedIssue({ message: "<img src=x onerror=alert(1)>", type: "Error" });
    const messages = [
      createAlertMessage({ id: "m2", issues: [hostile] }),
      createAlertMessage({ id: "m1", title: "Regressed" }),
    ];
    const options = alertsWith({ readInbox: async () => ({ messages, unread: 1 }) });
    const { body } = await visit("/alerts", options);
    expect(body).not.toContain("<img");
    const text = toText(body);
    expect(text).toMatch(/1 unread\. Mark all as read/);
    expect(text).toMatch(/New issue ?: Error: &lt;img src=x onerror=alert\(1\)&gt; unread/);
    expect(text).toMatch(
      /Regressed ?: TypeError: Cannot read .* 7F3K-Q2M9 · 1,204 times, about 9 users/,
    );
  });

  it("marks the header of every page with the number of unread messages", async () => {
    let asked = 0;
    const options = alertsWith({
      countUnread: async () => {
        asked++;
        return 3;
      },
    });
    const { registry } = createTestServices({ waitUntil: () => undefined });
    const services = { ...options.services, registry };
    const marks = [];
    for (const path of ["/issues", "/status", "/issues"]) {
      marks.push(/class="unread-mark">([^<]*)</.exec((await visit(path, { services })).body)?.[1]);
    }
    expect(marks).toEqual([undefined, "3", "3"]);
    expect(asked).toBe(1);
    await post("/alerts/read", { upTo: "m2" }, { services: { ...services } });
    expect((await visit("/issues", { services })).body).not.toContain("unread-mark");
  });

  it("stores for each person which alerts were read", async () => {
    const marked: unknown[] = [];
    const options = alertsWith({ markRead: async (...args) => void marked.push(args) });
    const { response } = await post("/alerts/read", { upTo: "m2" }, options);
    expect([response.status, response.headers.get("location")]).toEqual([303, "/alerts"]);
    expect(marked).toEqual([["local", "m2"]]);
  });
});

describe("what reaches a person", () => {
  it("is their own: an address, quiet hours and assigned issues", async () => {
    await post("/alerts/preferences", { do: "add-email", to: "ada@example.com" });
    const [own] = (await settings()).destinations;
    expect(own).toMatchObject({ kind: "email", person: "local", target: "ada@example.com" });
    const { response } = await post("/alerts/preferences", {
      do: "save",
      [`to.${own?.id}`]: "on",
      onlyAssigned: "on",
      quiet: "on",
      from: "22:00",
      to: "07:00",
      timeZone: "Europe/Berlin",
    });
    expect(response.status).toBe(303);
    expect(await getAlertSender().readPreferences("local")).toEqual({
      destinations: [own?.id],
      onlyAssigned: true,
      quietHours: { from: 1_320, to: 420, timeZone: "Europe/Berlin" },
    });
    expect(await read("/settings/alerts")).toContain("No destinations yet.");
  });

  it("is enabled again by its person", async () => {
    await post("/alerts/preferences", { do: "add-email", to: "ada@example.com" });
    const [{ id } = { id: "" }] = (await settings()).destinations;
    await disable(id);
    expect(await read("/alerts/preferences")).toMatch(/disabled .* Send a test Enable Delete/);
    await post("/alerts/preferences", { do: "enable", id });
    expect((await settings()).destinations[0]).not.toHaveProperty("disabled");
  });

  it("is linked from the profile", async () => {
    const members = await createMembers();
    const { proof } = await members.invite("member");
    const headers = { ...proof, ...OWN_PAGE };
    const profile = { services: members.services, origin: ORIGIN, headers };
    for (const options of [profile, {}])
      expect((await visit("/profile", options)).body).toContain('href="/alerts/preferences"');
  });

  it("takes the subscription of a browser, of a known push service only", async () => {
    const keys = { p256dh: `B${"x".repeat(86)}`, auth: "x".repeat(22), name: "Laptop" };
    const add = (endpoint: string) =>
      post("/alerts/preferences", { do: "add-push", endpoint, ...keys });
    expect((await add("https://push.evil.example/x")).response.status).toBe(400);
    expect((await add("https://fcm.googleapis.com/fcm/send/abc")).response.status).toBe(303);
    expect((await settings()).destinations).toMatchObject([{ name: "Laptop", kind: "push" }]);
  });

  it("allows its page one policy of Trusted Types, for the service worker", async () => {
    const { response } = await visit("/alerts/preferences");
    const policy = response.headers.get("content-security-policy");
    expect(policy).toContain("trusted-types push-worker");
    const other = (await visit("/alerts")).response.headers.get("content-security-policy");
    expect(other).toContain("trusted-types 'none'");
  });

  it.each([
    [{ do: "save", quiet: "on", from: "22:00", to: "07:00", timeZone: "Nowhere" }],
    [{ do: "save", "to.of-another-person": "on" }],
    [{ do: "add-email", to: "ada@example.com\r\nBcc: eve@evil.example" }],
    [{ do: "other" }],
  ])("is refused with the reason: %j", async (fields) => {
    const { response, body } = await post("/alerts/preferences", fields as Record<string, string>);
    expect(response.status).toBe(400);
    expect(body).toContain('role="alert"');
  });
});

describe("a link of a message", () => {
  const actionLink = async (action: string, atMs = Date.now()) => {
    await log.append([createReport(1, { digest: DIGEST })]);
    await addSlack();
    await runDurableObjectAlarm(getAlertSender());
    const { createActionPath } = await import("../../../../../src/store/alerts/action-links.ts");
    const stored = await bindings.KV.get<{ actionKey: string }>("alerts/1/settings", "json");
    const key = { project: "1", actionKey: stored?.actionKey ?? "" };
    return createActionPath(key, action as "resolve", DIGEST, atMs);
  };

  it.each([
    ["resolve", "Resolve this issue?", "resolved"],
    ["mute", "Mute this issue?", "muted"],
  ])("asks before it acts: %s", async (action, question, state) => {
    const { response, body } = await visit(await actionLink(action));
    expect(response.status).toBe(200);
    expect(toText(body)).toContain(question);
    expect(body).toContain(`action="/d/${DIGEST}/state"`);
    expect(body).toContain(`value="${state}"`);
    expect((await projectStore.getFreshIssue(DIGEST))?.state).toBe("open");
  });

  it("is refused if it was changed, has expired or is of another project, and changes nothing", async () => {
    const link = new URL(await actionLink("resolve"), "http://x");
    const forge = (name: string, value: string) => {
      const forged = new URL(link);
      forged.searchParams.set(name, value);
      return forged.pathname + forged.search;
    };
    for (const path of [
      forge("action", "mute"),
      forge("digest", "8F3K-Q2M9"),
      forge("until", String(Date.now() + 1e12)),
      forge("signature", "x"),
      forge("signature", ""),
      forge("action", "erase"),
      "/alerts/act",
      // Signed, but eight days ago; and signed by another project.
      await actionLink("resolve", Date.now() - 8 * 86_400_000),
      `/p/2${link.pathname}${link.search}`,
    ]) {
      const { response, body } = await visit(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(body).not.toContain(`action="/d/`);
    }
    expect((await projectStore.getFreshIssue(DIGEST))?.state).toBe("open");
  });
});

describe("the feed of a view", () => {
  const createFeed = async () => {
    await log.append([createReport(1, { digest: DIGEST, message: "a <b> & c" })]);
    await post("/saved-views", { name: "Mine", query: "is:open", sort: "last" });
    const { body } = await post("/settings/alerts/feeds", { do: "create", view: "Mine" });
    return /http:\/\/localhost:8787(\/feeds\/[0-9a-f]{32}\.atom)/.exec(body)?.[1] ?? "";
  };
  const anonymous = { origin: ORIGIN };

  it("has an address of its own that needs no sign-in, shown once", async () => {
    const path = await createFeed();
    const { response, body } = await visit(path, anonymous);
    expect(response.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    expect(body).toContain("TypeError: a &#60;b&#62; &#38; c");
    expect((await visit("/settings/alerts")).body).not.toContain(path);
    const exported = (await visit("/export")).body;
    expect(exported).not.toContain("feedHash");
  });

  it("keeps its address when the view is saved again, and loses it when it is revoked", async () => {
    const path = await createFeed();
    await post("/saved-views", { name: "Mine", query: "is:resolved", sort: "last" });
    expect((await visit(path, anonymous)).body).not.toContain("<entry>");
    await post("/settings/alerts/feeds", { do: "revoke", view: "Mine" });
    expect((await visit(path, anonymous)).response.status).toBe(404);
  });

  it("has another address after a new one was created", async () => {
    const path = await createFeed();
    await post("/settings/alerts/feeds", { do: "create", view: "Mine" });
    expect((await visit(path, anonymous)).response.status).toBe(404);
    expect((await visit(`/p/2${path}`, anonymous)).response.status).toBe(404);
  });
});

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
    const base = await settings();
    const disabled = { atMs: NOW_MS, reason: "The service answered: quoted-answer" };
    const person = { id: "p", name: "me", kind: "email", target: "m@example.com", person: "else" };
    const destinations = [...base.destinations, person].map((one) => ({ ...one, disabled }));
    const options = alertsWith({
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
    ["feeds", { do: "create", view: "x" }],
    ["github", { do: "save", repository: "acme/shop" }],
  ])("let only owners change %s", async (form, fields) => {
    for (const proof of [viewer, member]) {
      const { response } = await post(`/settings/alerts/${form}`, fields as never, as(proof));
      expect(response.status).toBe(403);
    }
  });

  it("let no person test, change or remove a destination of another", async () => {
    await post("/alerts/preferences", { do: "add-email", to: "m@example.com" }, as(member));
    const own = (await settings()).destinations.find(({ person }) => person !== undefined);
    const { proof: other } = await members.invite("member");
    const id = own?.id ?? "";
    for (const [path, fields] of [
      ["/alerts/preferences", { do: "delete", id }],
      ["/alerts/preferences", { do: "enable", id }],
      ["/settings/alerts/test", { destination: id }],
    ] as const) {
      const { response } = await post(path, fields as Record<string, string>, as(other));
      expect([path, response.status]).toEqual([path, 404]);
    }
    const { body } = await visit("/settings/alerts.json", as(other));
    expect(body).not.toContain("m@example.com");
    expect((await settings()).destinations).toContainEqual(own);
  });

  it("do not let an owner take over the destination of a person", async () => {
    await post("/alerts/preferences", { do: "add-email", to: "m@example.com" }, as(member));
    const id = (await settings()).destinations.find(({ person }) => person)?.id ?? "";
    for (const fields of [
      { do: "save", id, kind: "slack", name: "x", url: SLACK },
      { do: "enable", id },
      { do: "delete", id },
    ]) {
      const { response } = await post("/settings/alerts/destinations", fields as never);
      expect(response.status).toBe(404);
    }
  });

  it.each([
    "/settings/alerts/rules",
    "/settings/alerts/destinations",
    "/settings/alerts/test",
    "/settings/alerts/again",
    "/settings/alerts/feeds",
    "/settings/alerts/github",
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
    await post("/settings/alerts/again", { message: "m1" }, as(member));
    const entries = await members.registry.listAuditEntries("1", Number.MAX_SAFE_INTEGER);
    expect(entries.map(({ action }) => action)).toContain("POST /settings/alerts/again");
  });
});
