// The pages of alerts with the real object, the real index and real members.

import { afterEach, describe, expect, it } from "vitest";
import { DEFAULT_RULE } from "#src/core/alerts/rule.ts";
import {
  addSlack,
  DIGEST,
  disableDestination,
  OWN,
  postForm,
  readSettings,
  readText,
  replaceAlerts,
  toText,
} from "#support/alerts/alert-pages.ts";
import { visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, NOW_MS, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

describe("the settings of alerts", () => {
  it("say that no message leaves Errata, and list the rule of a new project", async () => {
    const text = await readText("/settings/alerts");
    expect(text).toContain("No destinations yet.");
    expect(text).toMatch(/New and regressed issues a new issue, a resolved issue occurs again/);
    expect(text).toContain("No message has been sent yet.");
    expect(text).toContain("Nothing was held back.");
  });

  it("name destinations in sentence case, except the names of services", async () => {
    const text = await readText("/settings/alerts");
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
    const { response, body } = await postForm("/settings/alerts/destinations", {
      do: "save",
      kind: "webhook",
      name: "CI",
      url: "https://ci.example.com/hook",
    });
    expect(response.status).toBe(200);
    expect(body).toMatch(/whsec_[A-Za-z0-9+/]{43}=/);
    expect((await visit("/settings/alerts")).body).not.toContain("whsec_");
  });

  it("let an email destination ask for summaries, and show how often", async () => {
    const saved = { do: "save", kind: "email", name: "Team", to: "ada@example.com" };
    await postForm("/settings/alerts/destinations", saved);
    const [{ id } = { id: "" }] = (await readSettings()).destinations;
    const ask = (every: string) =>
      postForm("/settings/alerts/destinations", { do: "summary", id, every });
    expect((await ask("week")).response.status).toBe(303);
    const { body } = await visit("/settings/alerts");
    expect(toText(body)).toContain("a summary every Monday");
    expect(body).toContain('<option value="week" selected="">every Monday</option>');
    for (const every of ["", "month", "constructor"]) {
      const { response, body } = await ask(every);
      expect([every, response.status]).toEqual([every, 400]);
      expect(toText(body)).toContain("the field every to be never, day or week");
    }
    await ask("never");
    expect(await readText("/settings/alerts")).not.toContain("a summary every");
  });

  it("have no summaries for other kinds of destinations", async () => {
    await addSlack();
    const [{ id } = { id: "" }] = (await readSettings()).destinations;
    const fields = { do: "summary", id, every: "day" };
    const { response } = await postForm("/settings/alerts/destinations", fields);
    expect(response.status).toBe(404);
    expect((await visit("/settings/alerts")).body).not.toContain("Summary by mail");
  });

  it("replace the secret of a webhook and show the new one once", async () => {
    const url = "https://ci.example.com/hook";
    const saved = { do: "save", kind: "webhook", name: "CI", url };
    const readSecret = (html: string) => /whsec_[A-Za-z0-9+/]{43}=/.exec(html)?.[0];
    const first = readSecret((await postForm("/settings/alerts/destinations", saved)).body);
    const [{ id } = { id: "" }] = (await readSettings()).destinations;
    const rotate = { do: "rotate", id };
    const second = readSecret((await postForm("/settings/alerts/destinations", rotate)).body);
    expect(second).toBeDefined();
    expect(second).not.toBe(first);
    const { body } = await visit("/settings/alerts");
    expect(toText(body)).toMatch(/the previous secret also signs until .* UTC/);
    expect(body).not.toContain("whsec_");
  });

  it("have no secret to replace for a destination that is not a webhook", async () => {
    await addSlack();
    const [{ id } = { id: "" }] = (await readSettings()).destinations;
    const fields = { do: "rotate", id };
    expect((await postForm("/settings/alerts/destinations", fields)).response.status).toBe(404);
  });

  it("enable a disabled destination without its address", async () => {
    await addSlack();
    const [{ id } = { id: "" }] = (await readSettings()).destinations;
    await disableDestination(id);
    expect(await readText("/settings/alerts")).toMatch(
      /#shop disabled .* Send a test Enable Delete/,
    );
    await postForm("/settings/alerts/destinations", { do: "enable", id });
    const [enabled] = (await readSettings()).destinations;
    expect(enabled).toMatchObject({ id, target: "hooks.slack.com …x7Qa" });
    expect(enabled?.disabled).toBeUndefined();
  });

  it.each([
    ["https://127.0.0.1/hook", "The URL must have a host name, not an IP address."],
    ["https://localhost/hook", "The host name must be public."],
    ["http://hooks.slack.com/services/x", "The URL must begin with https://."],
    ["https://u:p@hooks.slack.com/", "The URL must not contain a user name or password."],
    ["not a URL", "Enter a URL that begins with https://."],
  ])("refuse the address %s with the reason, and keep nothing", async (url, reason) => {
    const fields = { do: "save", kind: "slack", name: "#shop", url };
    const { response, body } = await postForm("/settings/alerts/destinations", fields);
    expect(response.status).toBe(400);
    expect(toText(body)).toContain(reason);
    expect((await readSettings()).destinations).toEqual([]);
  });

  it("save a rule with its figures, hours and destinations", async () => {
    await addSlack();
    const [destination] = (await readSettings()).destinations;
    const { response } = await postForm("/settings/alerts/rules", {
      do: "save",
      name: "Many in production",
      "on.occurrences": "on",
      "occurrences.count": "50",
      "occurrences.within": "2",
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
    const { rules } = await readSettings();
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
    const text = await readText("/settings/alerts");
    expect(text).toContain(
      "50 occurrences within 2 h, crash-free rate below 99.5 % · env:production · reported by servers · to #shop · at most one message per issue and condition in 3 h · in working hours",
    );
  });

  it("take periods in minutes, night shifts, and everyone", async () => {
    await postForm("/settings/alerts/rules", {
      ...{ do: "save", name: "Night", coolDownMs: "0", minTrust: "public", enabled: "on" },
      ...{ "on.occurrences": "on", "occurrences.count": "9", "occurrences.within": "5" },
      ...{ "occurrences.unit": "minutes", hours: "on", "day.1": "on" },
      ...{ from: "22:00", to: "06:00", timeZone: "UTC" },
    });
    expect((await readSettings()).rules.at(-1)).toMatchObject({
      triggers: [{ kind: "occurrences", count: 9, withinMs: 300_000 }],
      minTrust: "public",
      workingHours: { days: [1], from: 1_320, to: 360 },
    });
    expect(await readText("/settings/alerts")).toContain("9 occurrences within 5 min");
  });

  it("show at the field why a query is refused, and keep what was entered", async () => {
    const { response, body } = await postForm("/settings/alerts/rules", {
      ...{ do: "save", name: "Shop only", coolDownMs: "0", "on.users": "on", "users.count": "7" },
      query: "env:production OR env:staging",
    });
    expect(response.status).toBe(400);
    const [field = ""] = /<input[^>]*value="env:production OR env:staging"[^>]*>/.exec(body) ?? [];
    expect(field).toContain('aria-invalid="true"');
    expect(toText(body)).toContain("“OR”: OR works between the values of one key");
    expect(body).toMatch(/<input[^>]*value="Shop only"/);
    expect(body).toMatch(/<input[^>]*name="users.count"[^>]*value="7"/);
  });

  it("show what a query finds, and name a tag that no issue has", async () => {
    const report = (n: number, environment: string) =>
      createReport(n, { digest: `0000-100${n}`, environment, ...{ occurredAtMs: NOW_MS - n } });
    await log.append([report(1, "production"), report(2, "production"), report(3, "staging")]);
    const fields = { name: "x", coolDownMs: "0", "on.new-issue": "on", enabled: "on" };
    const check = { ...fields, do: "check", query: "env:production" };
    const checked = await postForm("/settings/alerts/rules", check);
    expect(checked.response.status).toBe(200);
    expect(toText(checked.body)).toContain("Matches 2 of 3 issues of the last 7 days.");
    const typo = { ...check, query: "enviroment:production" };
    const text = toText((await postForm("/settings/alerts/rules", typo)).body);
    expect(text).toContain("Matches 0 of 3 issues of the last 7 days.");
    expect(text).toContain(
      "“enviroment:production”: No issue has the tag enviroment. Did you mean “env:production”?",
    );
    expect((await readSettings()).rules).toHaveLength(1);
    const { response } = await postForm("/settings/alerts/rules", { ...typo, do: "save" });
    expect(response.headers.get("set-cookie")).toContain("rule-unmatched");
    const json = JSON.stringify({ ...check, "on.new-issue": true });
    const headers = { ...OWN, "content-type": "application/json" };
    const sent = { method: "POST", headers, body: json };
    expect(JSON.parse((await visit("/settings/alerts/rules", sent)).body)).toEqual({
      check: { matched: 2, total: 3, days: 7, missing: [] },
    });
  });

  it.each([
    [{ days: 30, total: 41 }, "matches no issue of the last 30 days."],
    [{ days: 7, total: 300, isCapped: true }, "matches none of the newest 300 issues."],
    [{ days: 7, total: 0 }, "matches no issue of the last 7 days."],
  ] as const)("say after saving what a query without matches was tried on: %j", async (of, end) => {
    const checkQuery = async () => ({ matched: 0, missing: [], ...of });
    const services = { projectStore: replaceMethods(projectStore, { checkQuery }) };
    const fields = { do: "save", name: "x", coolDownMs: "0", "on.regressed": "on" };
    const { response } = await postForm("/settings/alerts/rules", fields, { services });
    const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";");
    expect(await readText("/settings/alerts", { headers: { cookie } })).toContain(
      `Rule saved. Its query ${end}`,
    );
  });

  it("keep the form of a rule whose query could not be checked, and say so", async () => {
    const fails = () => Promise.reject(new Error("no index"));
    const unavailable = replaceMethods(projectStore, { checkQuery: fails, listViews: fails });
    const options = { services: { projectStore: unavailable } };
    const fields = { do: "check", name: "Kept", coolDownMs: "0", "on.regressed": "on" };
    const { response, body } = await postForm("/settings/alerts/rules", fields, options);
    expect(response.status).toBe(200);
    expect(toText(body)).toContain("Not checked. Issues are temporarily unavailable.");
    expect(body).toMatch(/<input[^>]*value="Kept"/);
    expect(toText(body)).toContain("Saved views are temporarily unavailable.");
    const headers = { ...OWN, "content-type": "application/json" };
    const sent = { method: "POST", headers, body: JSON.stringify(fields), ...options };
    expect(JSON.parse((await visit("/settings/alerts/rules", sent)).body)).toEqual({ check: null });
  });

  it.each(["check", "save"])("keep the form of a rule with an invalid name: %s", async (action) => {
    const name = `Shop\u202e`;
    const fields = { do: action, name, coolDownMs: "0", "on.users": "on", "users.count": "7" };
    const { response, body } = await postForm("/settings/alerts/rules", fields);
    expect(response.status).toBe(400);
    expect(toText(body)).toContain("Expected a name");
    expect(body).toMatch(new RegExp(`<input[^>]*value="${name}"`));
    expect(body).toMatch(/<input[^>]*name="users.count"[^>]*value="7"/);
  });

  it("redirect from the URL of a form, which a page has that shows it again", async () => {
    for (const form of ["rules", "destinations", "feeds", "test", "again"]) {
      const { response } = await visit(`/settings/alerts/${form}`, { redirect: "manual" });
      expect([form, response.headers.get("location")]).toEqual([form, "/settings/alerts"]);
    }
    expect((await visit("/settings/alerts/other")).response.status).toBe(404);
  });

  it.each([
    [{ name: "" }, "Expected a name"],
    [{ name: "x" }, "Choose at least one condition for the alert."],
    [
      { name: "x", "on.users": "on", "users.count": "0" },
      "The number of people must be at least 1.",
    ],
    [{ name: "x", "on.regressed": "on", hours: "on" }, "Working hours need days"],
  ])("refuse a rule with the reason: %j", async (fields, reason) => {
    const sent = { do: "save", coolDownMs: "0", ...fields } as unknown as Record<string, string>;
    const { response, body } = await postForm("/settings/alerts/rules", sent);
    expect(response.status).toBe(400);
    expect(toText(body)).toContain(reason);
    expect((await readSettings()).rules).toHaveLength(1);
  });

  it("delete rules and destinations", async () => {
    await addSlack();
    const [destination] = (await readSettings()).destinations;
    await postForm("/settings/alerts/destinations", { do: "delete", id: destination?.id ?? "" });
    await postForm("/settings/alerts/rules", { do: "delete", id: DEFAULT_RULE.id });
    expect(await readSettings()).toMatchObject({ rules: [], destinations: [] });
    expect(await readText("/settings/alerts")).toContain(
      "No rules. Without rules there are no alerts.",
    );
  });

  it.each([
    ["acme/shop", "acme/shop"],
    [" https://github.com/acme/shop.git ", "acme/shop"],
  ])("take the GitHub repository %j, and remove it again", async (repository, stored) => {
    const { response } = await postForm("/settings/repositories", { do: "issues", repository });
    expect(response.headers.get("location")).toBe("/settings/repositories#issues");
    expect((await readSettings()).repository).toBe(stored);
    const { body } = await visit("/settings/repositories?streaming=off");
    expect(body).toContain('value="acme/shop"');
    expect(await projectStore.readIssueRepository()).toBe(stored);
    await postForm("/settings/repositories", { do: "issues", repository: "" });
    expect((await readSettings()).repository).toBeUndefined();
    expect(await projectStore.readIssueRepository()).toBe("");
  });

  it("refuse a repository that is not on GitHub", async () => {
    const { response, body } = await postForm("/settings/repositories", {
      do: "issues",
      repository: "shop",
    });
    expect([response.status, toText(body).includes("Enter owner/name")]).toEqual([400, true]);
  });

  it("list attempts with status, time and answer, and the alerts that were held back", async () => {
    const options = replaceAlerts({
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

  it("send a waiting message now, and end the pause of a destination", async () => {
    await addSlack();
    const base = await readSettings();
    const [{ id } = { id: "" }] = base.destinations;
    const pausedUntilMs = NOW_MS + 600_000;
    const destinations = base.destinations.map((one) => ({ ...one, pausedUntilMs }));
    const calls: string[][] = [];
    const attempt = {
      ...{ message: "m1", title: "New issue", destination: id, durationMs: 1 },
      ...({ attempt: 1, result: "retry" } as const),
    };
    const options = replaceAlerts({
      readSettings: async () => ({ ...base, destinations }),
      listDeliveries: async () => [
        { ...attempt, atMs: NOW_MS, nextMs: pausedUntilMs, attempt: 2 },
        { ...attempt, atMs: NOW_MS - 1_000, nextMs: NOW_MS },
      ],
      sendAgain: async (message) => calls.push(["message", message]) > 0,
      sendWaiting: async (destination) => calls.push(["destination", destination]) > 0,
    });
    const text = await readText("/settings/alerts", options);
    expect(text).toMatch(/paused until .* UTC , as the service asked/);
    expect(text.match(/Send now/g)).toHaveLength(2);
    expect(text).not.toContain("Send again");
    for (const [name, value] of [
      ["message", "m1"],
      ["destination", id],
    ] as const) {
      const sent = await postForm("/settings/alerts/again", { [name]: value }, options);
      expect(sent.response.headers.get("location")).toBe("/settings/alerts#deliveries");
    }
    expect(calls).toEqual([
      ["message", "m1"],
      ["destination", id],
    ]);
    const unknown = await postForm("/settings/alerts/again", { destination: "x" }, options);
    expect(unknown.response.status).toBe(404);
  });

  it("state the origin of links in messages", async () => {
    expect(await readText("/settings/alerts")).toContain(
      "Links in messages begin with the address at which an owner saves a rule",
    );
    await addSlack();
    expect(await readText("/settings/alerts")).toMatch(
      /Links in messages begin with http:\/\/localhost:8787 \. To change it, set ERRATA_URL/,
    );
  });

  it("say on the page whether a test arrived", async () => {
    await addSlack();
    const [{ id } = { id: "" }] = (await readSettings()).destinations;
    const sent: string[] = [];
    const answer = (kind: "delivered" | "gone") =>
      replaceAlerts({
        sendTest: async (one) => {
          sent.push(one);
          return { kind, status: kind === "gone" ? 404 : 200, answer: "no_service" };
        },
      });
    const delivered = await postForm(
      "/settings/alerts/test",
      { destination: id },
      answer("delivered"),
    );
    expect(delivered.response.headers.get("set-cookie")).toContain("test-delivered.200");
    const gone = await postForm("/settings/alerts/test", { destination: id }, answer("gone"));
    expect(gone.response.headers.get("set-cookie")).toContain("not-tested.404");
    expect(sent).toEqual([id, id]);
  });

  it("refuse more tests than the limit with 429", async () => {
    await addSlack();
    const [{ id } = { id: "" }] = (await readSettings()).destinations;
    const options = replaceAlerts({ sendTest: async () => "too-many" });
    const { response, body } = await postForm(
      "/settings/alerts/test",
      { destination: id },
      options,
    );
    expect(response.status).toBe(429);
    expect(toText(body)).toContain("Please try again in 10 minutes.");
  });

  it.each([
    [
      "/settings/alerts/rules",
      { do: "save", name: "x", coolDownMs: 0, hours: true, "day.1": true },
    ],
    [
      "/settings/alerts/rules",
      { do: "save", name: "x", hours: true, "day.1": true, from: "09:00", to: "10:00" },
    ],
    ["/settings/alerts/rules", { do: "check", name: { toString: 1, valueOf: 1 } }],
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
    const failing = replaceAlerts({ readSettings: () => Promise.reject(new Error("no object")) });
    expect(await readText("/settings/alerts", failing)).toContain(
      "Alerts are temporarily unavailable.",
    );
    expect((await visit("/settings/alerts.json", failing)).response.status).toBe(503);
    expect(await readText("/status", failing)).toContain("Alerts are temporarily unavailable.");
  });
});

describe("the health of alerts", () => {
  it("is not stated before the first message", async () => {
    expect(await readText("/settings/alerts")).not.toContain("messages delivered");
  });

  it("is on the status page, also as JSON", async () => {
    const health = {
      delivered: 12,
      waiting: 3,
      undelivered: 1,
      delayP50Ms: 412,
      delayP99Ms: 2_100,
    };
    const base = await readSettings();
    const options = replaceAlerts({ readSettings: async () => ({ ...base, health }) });
    expect(await readText("/status", options)).toContain(
      "12 messages delivered, half within 0.4 s, 99 % within 2.1 s. 3 waiting. 1 not delivered.",
    );
    expect(JSON.parse((await visit("/status.json", options)).body).alerts).toEqual(health);
  });
});
