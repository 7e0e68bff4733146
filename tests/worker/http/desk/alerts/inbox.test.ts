// The inbox, and the settings of alerts that each person has.

import { afterEach, describe, expect, it } from "vitest";
import { createMembers, ORIGIN, OWN_PAGE } from "#support/accounts/members.ts";
import {
  addSlack,
  disableDestination,
  OWN,
  postForm,
  readSettings,
  readText,
  replaceAlerts,
  toText,
} from "#support/alerts/alert-pages.ts";
import { createAlertedIssue, createAlertMessage } from "#support/alerts/messages.ts";
import { createTestServices, visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getAlertSender, NOW_MS } from "#support/store/store.ts";

afterEach(() => emptyStore());

/** The number in the header of a page. */
async function readMark(path: string, services: object): Promise<string | undefined> {
  const { body } = await visit(path, { services });
  return /class="unread-mark"[^>]*>([^<]*)</.exec(body)?.[1];
}

describe("the inbox", () => {
  it("is explained while it is empty", async () => {
    expect(await readText("/alerts")).toContain("No alerts yet");
    expect(await readText("/alerts")).toContain("No destinations.");
  });

  it("lists messages, the unread ones marked, with hostile text inert", async () => {
    const hostile = createAlertedIssue({ message: "<img src=x onerror=alert(1)>", type: "Error" });
    const messages = [
      createAlertMessage({ id: "m2", issues: [hostile] }),
      createAlertMessage({ id: "m1", title: "Regressed" }),
    ];
    const options = replaceAlerts({
      readInbox: async () => ({
        messages,
        notices: [],
        unread: 1,
        unreadNotices: 0,
        isFailing: false,
      }),
    });
    const { body } = await visit("/alerts", options);
    expect(body).not.toContain("<img");
    const text = toText(body);
    expect(text).toMatch(/1 unread\. Mark all as read/);
    expect(text).toMatch(/New issue ?: Error: &lt;img src=x onerror=alert\(1\)&gt; unread/);
    expect(text).toMatch(
      /Regressed ?: TypeError: Cannot read .* 7F3K-Q2M9 · 1,204 times, 9 people/,
    );
  });

  it("marks the header of every page: unread messages, and failed deliveries", async () => {
    let asked = 0;
    const options = replaceAlerts({
      readMarks: async () => {
        asked++;
        return { unread: 3, unreadNotices: 0, isFailing: true };
      },
    });
    const { registry } = createTestServices({ waitUntil: () => undefined });
    const services = { ...options.services, registry };
    const marks = [];
    for (const path of ["/issues", "/status", "/issues"]) {
      const { body } = await visit(path, { services });
      marks.push(/class="unread-mark"[^>]*>([^<]*)</.exec(body)?.[1]);
    }
    expect(marks).toEqual([undefined, "3", "3"]);
    expect(asked).toBe(1);
    await postForm("/alerts/read", { upTo: "m2" }, { services: { ...services } });
    const { body } = await visit("/issues", { services });
    expect(body).not.toContain('class="unread-mark"');
    expect(toText(body)).toContain("! Some alerts were not delivered");
    expect(asked).toBe(1);
  });

  it("has the number of its content in the header, where an older one may be known", async () => {
    const inbox = { messages: [], notices: [], unread: 2, unreadNotices: 3, isFailing: false };
    const { services } = replaceAlerts({
      readMarks: async () => ({ unread: 0, unreadNotices: 0, isFailing: false }),
      readInbox: async () => inbox,
    });
    const { registry } = createTestServices({ waitUntil: () => undefined });
    const marks = [];
    for (const path of ["/status", "/alerts", "/status"])
      marks.push(await readMark(path, { ...services, registry }));
    expect(marks).toEqual([undefined, "5", "5"]);
  });

  it("asks again for the number some seconds after a change, which may tell somebody", async () => {
    let [unread, nowMs] = [0, NOW_MS];
    const { registry } = createTestServices({ waitUntil: () => undefined });
    const replaced = replaceAlerts({
      readMarks: async () => ({ unread, unreadNotices: 0, isFailing: false }),
    });
    const services = { ...replaced.services, registry, nowMs: () => nowMs };
    await readMark("/status", services);
    unread = 1;
    nowMs += 5_000;
    for (let n = 0; n < 2; n++) expect(await readMark("/status", services)).toBe(undefined);
    await postForm("/saved-views", { name: "Mine", query: "is:open" }, { services });
    await readMark("/status", services);
    expect(await readMark("/status", services)).toBe("1");
  });

  it("warns of failed deliveries of the project and of the person, not of others", async () => {
    const warning = "Some alerts were not delivered.";
    await addSlack();
    await disableDestination((await readSettings()).destinations[0]?.id ?? "");
    expect(await readText("/alerts")).toContain(warning);
    await emptyStore();
    const settings = { kind: "email", to: ["bea@example.com"] } as const;
    const other = { id: "d1", name: "Bea", person: "p2", settings };
    await getAlertSender().saveDestination(other, ORIGIN);
    await disableDestination("d1");
    const text = await readText("/alerts");
    expect(text).not.toContain(warning);
    expect(text).toContain("No destinations.");
    expect(JSON.parse((await visit("/alerts.json")).body)).toMatchObject({ isFailing: false });
    await postForm("/alerts/preferences", { do: "add-email", to: "ada@example.com" });
    expect(await readText("/alerts")).not.toContain("No destinations.");
  });

  it("has two tabs, with what concerns the person first", async () => {
    const notice = {
      ...({ id: "ntc_1_5", kind: "mentioned", by: "Bob", atMs: NOW_MS, isUnread: true } as const),
      ...{ issue: createAlertedIssue({}), comment: "<b>look</b> @Ada" },
    } as const;
    const options = replaceAlerts({
      readInbox: async () => ({
        ...{ messages: [createAlertMessage({})], notices: [notice] },
        ...{ unread: 4, unreadNotices: 1, isFailing: false },
      }),
    });
    const { body } = await visit("/alerts", options);
    expect(toText(body)).toMatch(/For you 1 unread Project 4 unread/);
    expect(toText(body)).toMatch(/Unread: Bob mentioned you TypeError: Cannot read/);
    expect(toText(body)).toContain("&lt;b&gt;look&lt;/b&gt; @Ada");
    expect(body).toMatch(/id="inbox-you"[^>]*aria-current="page"/);
    const project = await visit("/alerts?tab=project", options);
    expect(project.body).toMatch(/id="inbox-project"[^>]*aria-current="page"/);
    expect(toText(project.body)).toContain("4 unread. Mark all as read");
    expect(toText(project.body)).not.toContain("mentioned you");
  });

  it("marks what concerns the person as read, one notice or all up to one", async () => {
    const marked: unknown[] = [];
    const options = replaceAlerts({
      markNoticeRead: async (...args) => {
        marked.push(args);
        return "7F3K-Q2M9";
      },
    });
    await postForm("/alerts/read", { notice: "ntc_1_5" }, options);
    const { response } = await postForm(
      "/alerts/read",
      { noticesUpTo: "ntc_1_9", tab: "you" },
      options,
    );
    expect(response.headers.get("location")).toBe("/alerts?tab=you");
    const me = { name: "me", sinceMs: 0 };
    expect(marked).toEqual([
      [me, "ntc_1_5", false],
      [me, "ntc_1_9", true],
    ]);
    expect((await postForm("/alerts/read", { upTo: "<x>" }, options)).response.status).toBe(303);
    const refused = await postForm(
      "/alerts/read",
      {},
      {
        ...options,
        headers: { ...OWN, accept: "application/json" },
      },
    );
    expect(refused.response.status).toBe(400);
  });

  it("counts from the day of joining, for an invited member", async () => {
    const members = await createMembers();
    const asked: unknown[] = [];
    const alerts = replaceAlerts({
      readInbox: async (...args) => {
        asked.push(args);
        return { messages: [], notices: [], unread: 0, unreadNotices: 0, isFailing: false };
      },
    }).services.alerts;
    const { proof } = await members.invite("member");
    const services = { ...members.services, alerts } as typeof members.services;
    await visit("/alerts.json", { services, origin: ORIGIN, headers: { ...proof } });
    expect(asked).toEqual([
      [expect.any(String), { name: expect.any(String), sinceMs: expect.any(Number) }],
    ]);
    const [[, { sinceMs }]] = asked as [[string, { sinceMs: number }]];
    expect(sinceMs).toBeGreaterThan(0);
  });

  it("stores for each person which alerts were read", async () => {
    const marked: unknown[] = [];
    const options = replaceAlerts({ markRead: async (...args) => void marked.push(args) });
    const { response } = await postForm("/alerts/read", { upTo: "m2" }, options);
    expect([response.status, response.headers.get("location")]).toEqual([303, "/alerts"]);
    expect(marked).toEqual([["local", "m2"]]);
  });
});

describe("what reaches a person", () => {
  it("is their own: an address, quiet hours and assigned issues", async () => {
    await postForm("/alerts/preferences", { do: "add-email", to: "ada@example.com" });
    const [own] = (await readSettings()).destinations;
    expect(own).toMatchObject({ kind: "email", person: "local", target: "ada@example.com" });
    const { response } = await postForm("/alerts/preferences", {
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
    expect(await readText("/settings/alerts")).toContain("No destinations yet.");
  });

  it("is enabled again by its person", async () => {
    await postForm("/alerts/preferences", { do: "add-email", to: "ada@example.com" });
    const [{ id } = { id: "" }] = (await readSettings()).destinations;
    await disableDestination(id);
    expect(await readText("/alerts/preferences")).toMatch(/disabled .* Send a test Enable Delete/);
    await postForm("/alerts/preferences", { do: "enable", id });
    await postForm("/alerts/preferences", { do: "summary", id, every: "day" });
    expect(await readText("/alerts/preferences")).toContain("a summary every day");
    expect((await readSettings()).destinations[0]?.disabled).toBeUndefined();
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
      postForm("/alerts/preferences", { do: "add-push", endpoint, ...keys });
    expect((await add("https://push.evil.example/x")).response.status).toBe(400);
    expect((await add("https://fcm.googleapis.com/fcm/send/abc")).response.status).toBe(303);
    expect((await readSettings()).destinations).toMatchObject([{ name: "Laptop", kind: "push" }]);
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
    const { response, body } = await postForm(
      "/alerts/preferences",
      fields as Record<string, string>,
    );
    expect(response.status).toBe(400);
    expect(body).toContain('role="alert"');
  });
});
