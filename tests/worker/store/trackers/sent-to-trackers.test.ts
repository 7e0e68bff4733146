// What Errata tells trackers: issues are created once, and follow the decisions about those of
// Errata, however the services fail.
import { describe, expect, it } from "vitest";
import { reportNow, sendDue } from "#support/alerts/alert-steps.ts";
import { visit } from "#support/http/visit.ts";
import { getAlertSender, log, projectStore } from "#support/store/store.ts";
import { KINDS, type KindName } from "#support/trackers/fake-trackers.ts";
import { connect, restart, setUpTrackers, tell } from "#support/trackers/tracker-steps.ts";

const A = "7F3K-Q2M9";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const setUp = setUpTrackers();

const readLink = async () => (await projectStore.getAnnotations(A)).tracker;
const readState = async () => (await projectStore.getFreshIssue(A))?.decision?.state ?? "open";

/** Connects a service, and creates an issue in it. */
async function createIn(kind: KindName) {
  await reportNow({ digest: A });
  const { id } = await connect(kind);
  expect(await getAlertSender().createTrackerIssue(A, id, "Ada")).toMatchObject({
    kind: "created",
  });
  setUp.trackers.received.length = 0;
  return id;
}

describe.each(KINDS)("an issue in %s", (kind) => {
  it("is created once and linked, however often it is asked for", async () => {
    await reportNow({ digest: A });
    const { id } = await connect(kind);
    const sender = getAlertSender();
    const all = await Promise.all([1, 2, 3].map(() => sender.createTrackerIssue(A, id, "Ada")));
    const again = await sender.createTrackerIssue(A, id, "Grace");
    const { title } = setUp.trackers.only(kind);
    expect(title).toContain(`(${A})`);
    for (const one of [...all, again]) expect(one).toMatchObject({ kind: "created" });
    expect(await readLink()).toMatchObject({ tracker: id, by: "Ada", state: "open" });
    expect((await projectStore.getFreshIssue(A))?.tracker).toMatchObject({ tracker: id });
    const other = await connect("github");
    expect(await sender.createTrackerIssue(A, other.id, "Ada")).toMatchObject({ kind: "linked" });
  });

  it("is created once if the answer was lost", async () => {
    await reportNow({ digest: A });
    const { id } = await connect(kind);
    setUp.trackers.plan = (_, { method, body }, perform) => {
      const isQuery = JSON.stringify(body ?? "").includes("query(");
      if (method === "GET" || isQuery) return perform();
      perform();
      return Response.error();
    };
    const created = await getAlertSender().createTrackerIssue(A, id, "Ada");
    expect(created).toMatchObject({ kind: "waiting" });
    await restart();
    setUp.trackers.plan = (_, __, perform) => perform();
    setUp.clock.advance(MINUTE_MS);
    await sendDue();
    expect(setUp.trackers.only(kind)).toMatchObject({ isOpen: true });
    expect(await readLink()).toMatchObject({ tracker: id, by: "Ada" });
  });

  it("is created later if the tracker is down, and a person can ask again", async () => {
    await reportNow({ digest: A });
    const { id } = await connect(kind);
    setUp.trackers.plan = () => new Response("", { status: 502 });
    const first = await getAlertSender().createTrackerIssue(A, id, "Ada");
    expect(first).toMatchObject({ kind: "waiting", detail: expect.stringContaining("(502)") });
    expect((await getAlertSender().listTrackers())[0]?.state).toMatchObject({
      waiting: 1,
      problem: { detail: expect.stringContaining("502") },
    });
    setUp.trackers.plan = (_, __, perform) => perform();
    expect(await getAlertSender().createTrackerIssue(A, id, "Ada")).toMatchObject({
      kind: "created",
    });
    setUp.clock.advance(HOUR_MS);
    await sendDue();
    expect(setUp.trackers.only(kind)).toMatchObject({ isOpen: true });
  });

  it("that the tracker refuses leaves nothing behind", async () => {
    await reportNow({ digest: A });
    const { id } = await connect(kind);
    setUp.trackers.token = "revoked";
    expect(await getAlertSender().createTrackerIssue(A, id, "Ada")).toMatchObject({
      kind: "refused",
      detail: expect.stringContaining("401"),
    });
    expect((await getAlertSender().listTrackers())[0]?.state).toMatchObject({
      waiting: 0,
      failed: 0,
    });
    expect(await readLink()).toBeUndefined();
  });

  it("is closed and reopened with that of Errata, and nothing is sent twice", async () => {
    await createIn(kind);
    await projectStore.decide(A, { state: "resolved", release: "1.4.0" }, "a".repeat(32));
    await tell();
    expect(setUp.trackers.only(kind).isOpen).toBe(false);
    const sent = setUp.trackers.received.length;
    await projectStore.decide(A, { state: "resolved", release: "1.4.0" });
    await tell();
    expect(setUp.trackers.received).toHaveLength(sent);
    await projectStore.decide(A, { state: "open" });
    await tell();
    expect(setUp.trackers.only(kind)).toMatchObject({ isOpen: true, comments: [] });
    await projectStore.decide(A, { state: "archived" });
    await tell();
    expect(setUp.trackers.only(kind).isOpen).toBe(true);
  });

  it("is closed later if the tracker is down", async () => {
    await createIn(kind);
    setUp.trackers.plan = () => new Response("", { status: 503 });
    await projectStore.decide(A, { state: "resolved" });
    await tell();
    await restart();
    setUp.trackers.plan = (_, __, perform) => perform();
    setUp.clock.advance(MINUTE_MS);
    await sendDue();
    expect(setUp.trackers.only(kind).isOpen).toBe(false);
  });

  it("is reopened by a regression, with one comment that has the evidence", async () => {
    await createIn(kind);
    await projectStore.decide(A, { state: "resolved" });
    await tell();
    setUp.trackers.plan = (_, { path, body }, perform) => {
      const isComment =
        /comment|notes/.test(path) || JSON.stringify(body).includes("commentCreate");
      const response = perform();
      return isComment ? Response.error() : response;
    };
    setUp.clock.advance(MINUTE_MS);
    await reportNow({ digest: A, release: "1.5.0" });
    expect(await readState()).toBe("open");
    await tell();
    setUp.trackers.plan = (_, __, perform) => perform();
    setUp.clock.advance(HOUR_MS);
    await tell();
    const { isOpen, comments } = setUp.trackers.only(kind);
    expect(isOpen).toBe(true);
    expect(comments).toHaveLength(1);
    expect(JSON.stringify(comments)).toContain("occurred again");
    expect(JSON.stringify(comments)).toContain("2 times in total");
    expect(JSON.stringify(comments)).toContain("1.5.0");
    await reportNow({ digest: A, release: "1.5.0" });
    await tell();
    expect(setUp.trackers.only(kind).comments).toHaveLength(1);
  });
});

describe("a tracker that asks to wait", () => {
  it("is not called before", async () => {
    await createIn("github");
    const headers = { "retry-after": "600" };
    setUp.trackers.plan = () => new Response("{}", { status: 429, headers });
    await projectStore.decide(A, { state: "resolved" });
    await tell();
    const calls = setUp.trackers.received.length;
    setUp.trackers.plan = (_, __, perform) => perform();
    setUp.clock.advance(590_000);
    await sendDue();
    expect(setUp.trackers.received).toHaveLength(calls);
    setUp.clock.advance(20_000);
    await sendDue();
    expect(setUp.trackers.only("github").isOpen).toBe(false);
  });
});

describe("a message that a tracker refuses", () => {
  it("stays until an owner sends it again", async () => {
    const id = await createIn("github");
    setUp.trackers.plan = () => new Response("{}", { status: 403 });
    await projectStore.decide(A, { state: "resolved" });
    await tell();
    expect((await getAlertSender().listTrackers())[0]?.state).toMatchObject({ failed: 1 });
    setUp.trackers.plan = (_, __, perform) => perform();
    expect(await getAlertSender().sendToTracker(id)).toBe(true);
    await sendDue();
    expect(setUp.trackers.only("github").isOpen).toBe(false);
    expect((await getAlertSender().listTrackers())[0]?.state).toMatchObject({
      failed: 0,
      waiting: 0,
      problem: undefined,
    });
  });
});

describe("an undo", () => {
  it("of a resolution reopens the issue in the tracker", async () => {
    await createIn("gitlab");
    const undoId = "b".repeat(32);
    await projectStore.decide(A, { state: "resolved" }, undoId);
    await tell();
    await projectStore.undo(undoId);
    await tell();
    expect(setUp.trackers.only("gitlab").isOpen).toBe(true);
  });
});

describe("a link", () => {
  it("that was removed is not followed", async () => {
    await createIn("github");
    await projectStore.annotate(A, { change: "unlink-tracker" });
    await projectStore.decide(A, { state: "resolved" });
    await tell();
    expect(setUp.trackers.received).toHaveLength(0);
    expect((await projectStore.getFreshIssue(A))?.tracker).toBeUndefined();
  });

  it("to a removed connection is a plain link", async () => {
    const id = await createIn("github");
    expect(await getAlertSender().removeTracker(id)).toBe(true);
    await projectStore.decide(A, { state: "resolved" });
    await tell();
    expect(setUp.trackers.received).toHaveLength(0);
    expect(await getAlertSender().listTrackers()).toEqual([]);
  });
});

describe("the proof of a fix", () => {
  it("is told once, when the sessions of the next release show it", async () => {
    await reportNow({ digest: A, release: "1.4.1" });
    await log.append([], [[["session", "server", "1.4.1", "production", "started"], 100]]);
    const { id } = await connect("github");
    await getAlertSender().createTrackerIssue(A, id, "Ada");
    await projectStore.decide(A, { state: "resolved", inNextRelease: true });
    await tell();
    setUp.clock.advance(HOUR_MS);
    await log.append([], [[["session", "server", "1.4.2", "production", "started"], 4_102]]);
    for (let day = 0; day < 3; day++) {
      setUp.clock.advance(7 * HOUR_MS);
      await sendDue();
      await tell();
    }
    const { comments, isOpen } = setUp.trackers.only("github");
    expect(comments.map(({ body }) => String(body).split("\n")[0])).toEqual([
      "Fixed: 0 in 4,102 sessions of `1.4.2`; before 1.0 %.",
    ]);
    expect(isOpen).toBe(false);
    const { body } = await visit(`/e/${A}`);
    expect(body).toContain("fixed");
  });
});
