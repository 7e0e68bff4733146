// What members are told personally: from a change in the index to the inbox of each member.

import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import {
  createOldReport,
  createWebhook,
  handOver,
  setUpAlerts,
} from "#support/alerts/alert-steps.ts";
import { ALERT_ORIGIN } from "#support/alerts/messages.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { createReport } from "#support/reports/reports.ts";
import { getAlertSender, getIndex, log, projectStore } from "#support/store/store.ts";

const { receiver, clock } = setUpAlerts();

const A = "7F3K-Q2M9";
const B = "0000-0000";
const FIRST_ID = "a".repeat(32);

const readerOf = (name: string, sinceMs = 0) => ({ name, sinceMs });
const readInbox = (name: string, sinceMs = 0) =>
  getAlertSender().readInbox("p1", readerOf(name, sinceMs));
const assign = (digest: string, to: string, by?: string) =>
  projectStore.annotate(digest, { change: "assign", to, ...(by !== undefined && { by }) });
const comment = (text: string, by: string, mentions: readonly string[] = [], id = FIRST_ID) =>
  projectStore.annotate(A, { change: "comment", id, text, by, mentions });

describe("the inbox of a member", () => {
  it("has an assignment with its issue, unread, until it is read", async () => {
    await log.append([createReport(1), createReport(2, { digest: B })]);
    await assign(A, "Bob", "Ada");
    await assign(B, "Bob", "Ada");
    await handOver();
    const { notices, unreadNotices } = await readInbox("bob");
    expect(unreadNotices).toBe(2);
    expect(notices).toMatchObject([
      { kind: "assigned", by: "Ada", isUnread: true, issue: { digest: B, assignee: "Bob" } },
      { kind: "assigned", by: "Ada", isUnread: true, issue: { digest: A } },
    ]);
    const [newest = { id: "" }, older = { id: "" }] = notices;
    expect(await getAlertSender().markNoticeRead(readerOf("Bob"), newest.id, false)).toBe(B);
    expect((await readInbox("Bob")).notices.map(({ isUnread }) => isUnread)).toEqual([false, true]);
    await getAlertSender().markNoticeRead(readerOf("Bob"), older.id, true);
    expect(await getAlertSender().readMarks("p1", readerOf("Bob"))).toMatchObject({
      unreadNotices: 0,
    });
  });

  it("has no notice of others, who cannot mark it as read", async () => {
    await log.append([createReport(1)]);
    await assign(A, "Bob", "Ada");
    await handOver();
    expect((await readInbox("Ada")).notices).toEqual([]);
    const [{ id } = { id: "" }] = (await readInbox("Bob")).notices;
    expect(await getAlertSender().markNoticeRead(readerOf("Mel"), id, true)).toBeNull();
    expect((await readInbox("Bob")).unreadNotices).toBe(1);
    expect((await getAlertSender().readInbox("p1")).notices).toEqual([]);
  });

  it("has mentions and comments with their beginning, without deleted ones", async () => {
    await log.append([createReport(1)]);
    await assign(A, "Mel", "Mel");
    await comment("@Bob, the **price** is missing", "Ada", ["Bob"]);
    await handOver();
    const said = "@Bob, the **price** is missing";
    expect((await readInbox("Bob")).notices).toMatchObject([{ kind: "mentioned", comment: said }]);
    expect((await readInbox("Mel")).notices).toMatchObject([{ kind: "commented", comment: said }]);
    await projectStore.annotate(A, { change: "delete-comment", id: FIRST_ID });
    const [notice] = (await readInbox("Bob")).notices;
    expect(notice).toMatchObject({ kind: "mentioned" });
    expect(notice?.comment).toBeUndefined();
  });

  it("is told once about a comment that is sent twice", async () => {
    await log.append([createReport(1)]);
    await comment("@Bob", "Ada", ["Bob"]);
    await comment("@Bob", "Ada", ["Bob"], "b".repeat(32));
    await handOver();
    expect((await readInbox("Bob")).notices).toHaveLength(1);
  });

  it("has an own issue that comes back, once, with its release", async () => {
    await log.append([createReport(1, { release: "1.4.0" })]);
    await assign(A, "Bob", "Bob");
    await projectStore.decide(A, { state: "resolved", by: "Mel" });
    clock.advance(60_000);
    const back = { occurredAtMs: readNowMs(), receivedAtMs: readNowMs(), release: "1.5.0" };
    await log.append([createReport(3, back)]);
    await log.append([createReport(4, back)]);
    await handOver();
    for (const name of ["Bob", "Mel"]) {
      const { notices } = await readInbox(name);
      expect(notices).toMatchObject([{ kind: "regressed", release: "1.5.0" }]);
    }
  });

  it("begins with the day of joining: alerts and notices from before are not unread", async () => {
    await log.append([createOldReport(1)]);
    await assign(A, "Bob", "Ada");
    await getAlertSender().take(
      [
        {
          n: 9e15,
          alert: { atMs: readNowMs(), digest: A, trust: "server", triggers: [] },
        },
      ],
      1,
    );
    await handOver();
    expect(await readInbox("Bob")).toMatchObject({ unread: 1, unreadNotices: 1 });
    clock.advance(1_000);
    const joined = await readInbox("Bob", readNowMs());
    expect(joined).toMatchObject({ unread: 0, unreadNotices: 0, notices: [] });
    expect(joined.messages).toHaveLength(1);
  });

  it("survives a restart between the change and the inbox", async () => {
    await log.append([createReport(1)]);
    await assign(A, "Bob", "Ada");
    await abortAllDurableObjects();
    await handOver();
    expect((await readInbox("Bob")).notices).toHaveLength(1);
  });

  it("forgets an erased issue, and notices that contain an erased text", async () => {
    await log.append([createReport(1), createReport(2, { digest: B })]);
    await assign(A, "Bob", "Ada");
    await assign(B, "Bob", "Grace Hopper");
    await handOver();
    await getAlertSender().erase({ digests: [A] });
    expect((await readInbox("Bob")).notices).toMatchObject([{ issue: { digest: B } }]);
    await getAlertSender().erase({ text: "grace hopper" });
    expect((await readInbox("Bob")).notices).toEqual([]);
    const rows = await runInDurableObject(getAlertSender(), (_, { storage }) =>
      storage.sql.exec("SELECT * FROM notice").toArray(),
    );
    expect(rows).toEqual([]);
  });

  it("keeps the newest hundred notices of each member", async () => {
    await log.append([createReport(1)]);
    const sender = getAlertSender();
    const alerts = Array.from({ length: 130 }, (_, n) => ({
      n: 9e15 + n,
      alert: {
        ...{ atMs: readNowMs(), digest: A, triggers: [], held: "no-rule" as const },
        notice: { kind: "assigned" as const, to: [n < 5 ? "Mel" : "Bob"], by: `Ada ${n}` },
      },
    }));
    await sender.take(alerts, 1);
    expect((await readInbox("Bob")).unreadNotices).toBe(100);
    expect((await readInbox("Mel")).unreadNotices).toBe(5);
    expect((await readInbox("Bob")).notices[0]).toMatchObject({ by: "Ada 129" });
  });
});

describe("a message", () => {
  /** The destinations to which something waits. */
  const listWaiting = () =>
    runInDurableObject(getAlertSender(), (_, { storage }) =>
      storage.sql
        .exec<{ destination: string; contents: string }>(
          "SELECT destination, contents FROM delivery",
        )
        .toArray()
        .filter(({ contents }) => contents.includes("notice"))
        .map(({ destination }) => destination),
    );
  const addOwn = async (id: string, person: string) => {
    const { settings } = createWebhook(id);
    const own = { id, name: id, person, settings };
    expect(await getAlertSender().saveDestination(own, ALERT_ORIGIN)).toMatchObject({ ok: true });
  };

  it("about an assignment or a mention waits for own destinations, never for the project", async () => {
    await addOwn("own", "p1");
    await log.append([createOldReport(1)]);
    receiver.plan = () => new Promise<Response>(() => {});
    await assign(A, "Bob", "Ada");
    await comment("@Mel", "Ada", ["Mel"]);
    await handOver();
    expect([...new Set(await listWaiting())]).toEqual(["own"]);
  });

  it("waits for no destination that its person does not use", async () => {
    await addOwn("own", "p1");
    await getAlertSender().savePreferences("p1", { destinations: [], onlyAssigned: false });
    await log.append([createOldReport(1)]);
    await assign(A, "Bob", "Ada");
    await handOver();
    expect(await listWaiting()).toEqual([]);
  });

  it("is not sent about comments in a discussion, which the inbox has", async () => {
    await addOwn("own", "p1");
    await log.append([createOldReport(1)]);
    await assign(A, "Mel", "Mel");
    await comment("hm", "Ada");
    await handOver();
    expect(await listWaiting()).toEqual([]);
    expect((await readInbox("Mel")).notices).toMatchObject([{ kind: "commented" }]);
  });
});

it("an index without its outbox tells nobody twice", async () => {
  await log.append([createReport(1)]);
  await assign(A, "Bob", "Ada");
  await handOver();
  const waiting = await runInDurableObject(getIndex(), (_, { storage }) =>
    storage.sql.exec("SELECT n FROM alert_outbox").toArray(),
  );
  expect(waiting).toEqual([]);
  await assign(A, "Bob", "Mel");
  await handOver();
  expect((await readInbox("Bob")).notices).toHaveLength(1);
});
