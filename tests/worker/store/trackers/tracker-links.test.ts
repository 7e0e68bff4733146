// The link of an issue to that of a tracker: its activity, its export and import, and its erasure.
import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { API_PATH } from "#src/core/accounts/project-path.ts";
import { reportNow } from "#support/alerts/alert-steps.ts";
import { visit } from "#support/http/visit.ts";
import { dumpKv } from "#support/store/dump-kv.ts";
import { admin, getAlertSender, getIndex, projectStore } from "#support/store/store.ts";
import { otherStore, readExport, sendImport, splitLines } from "#support/store/two-projects.ts";
import { TOKEN } from "#support/trackers/fake-trackers.ts";
import { connect, setUpTrackers, tell } from "#support/trackers/tracker-steps.ts";

const A = "7F3K-Q2M9";
const MINUTE_MS = 60_000;
const PLAIN = { url: "https://wiki.example.com/errors/12", label: "wiki.example.com/errors/12" };

const setUp = setUpTrackers();

const readActivity = async () =>
  (await projectStore.getAnnotations(A)).activity.map(({ atMs: _, ...entry }) => entry);
const link = (by?: string) =>
  projectStore.annotate(A, { change: "link-tracker", link: PLAIN, ...(by && { by }) });

/** Reports an issue, and creates that of the tracker. */
async function createLinked(): Promise<string> {
  await reportNow({ digest: A });
  const { id } = await connect("github");
  expect(await getAlertSender().createTrackerIssue(A, id, "Ada")).toMatchObject({
    kind: "created",
  });
  return id;
}

describe("the activity of an issue", () => {
  it("says who linked and unlinked it, and with what", async () => {
    await createLinked();
    await projectStore.annotate(A, { change: "unlink-tracker", by: "Grace" });
    const label = expect.stringContaining("acme/shop#");
    expect(await readActivity()).toEqual([
      { action: "linked", label, by: "Ada" },
      { action: "unlinked", label, by: "Grace" },
    ]);
  });

  it("has a repeated link or unlinking once", async () => {
    await reportNow({ digest: A });
    await link("Ada");
    await link("Ada");
    expect(await readActivity()).toEqual([{ action: "linked", label: PLAIN.label, by: "Ada" }]);
    await projectStore.annotate(A, { change: "unlink-tracker" });
    await projectStore.annotate(A, { change: "unlink-tracker" });
    expect(await readActivity()).toHaveLength(2);
  });
});

it("an investigation names the linked issue", async () => {
  await createLinked();
  const { body } = await visit(`${API_PATH}/issues/${A}/investigation`);
  expect(JSON.parse(body).issue.tracker).toMatchObject({
    label: expect.stringContaining("acme/shop#"),
  });
});

it("an imported link is a plain one, which no connection of the other project follows", async () => {
  await createLinked();
  const text = await readExport();
  expect(splitLines(text).some((line) => line.includes("acme/shop#"))).toBe(true);
  expect(text).not.toContain(TOKEN);
  expect(await sendImport(text)).toMatchObject({ status: 200, annotationCount: 1 });
  const { tracker, activity } = await otherStore.getAnnotations(A);
  const before = (await projectStore.getAnnotations(A)).tracker;
  expect(tracker).toMatchObject({ url: before?.url, label: before?.label, by: "Ada" });
  expect(tracker).not.toHaveProperty("tracker");
  expect(tracker).not.toHaveProperty("item");
  expect(activity).toMatchObject([{ action: "linked" }]);
  const imported = await otherStore.getFreshIssue(A);
  expect(imported?.tracker).toEqual({ url: before?.url, label: before?.label });
  setUp.trackers.received.length = 0;
  await otherStore.decide(A, { state: "resolved" });
  await tell();
  // The connection of the first project may read the state of its own link.
  expect(setUp.trackers.received.filter(({ method }) => method !== "GET")).toEqual([]);
});

describe("an erasure", () => {
  it("of the issue removes its link, and leaves the issue of the tracker", async () => {
    await createLinked();
    const { url = "" } = (await projectStore.getAnnotations(A)).tracker ?? {};
    await admin.eraseIssue(A);
    const dump = async () => {
      setUp.clock.advance(MINUTE_MS);
      await runDurableObjectAlarm(getIndex());
      return dumpKv();
    };
    await expect.poll(dump).not.toContain(url);
    expect((await projectStore.getAnnotations(A)).tracker).toBeUndefined();
    expect(setUp.trackers.only("github")).toMatchObject({ isOpen: true });
  });

  it("of the project removes its connections and what waits for them", async () => {
    await createLinked();
    await getAlertSender().wipe();
    expect(await getAlertSender().listTrackers()).toEqual([]);
    expect(await dumpKv()).not.toMatch(/^alerts\//m);
  });
});
