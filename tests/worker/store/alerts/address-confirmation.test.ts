/** A mail address gets one mail with a link, and alerts only after a person has opened it. */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, it } from "vitest";
import { alertLimits } from "#src/core/alerts/alert-limits.ts";
import type { AlertSender } from "#src/store/alerts/alert-sender.ts";
import { handOver, reportNow, saveOnlyRule, sendDue } from "#support/alerts/alert-steps.ts";
import { Mailbox } from "#support/alerts/mailbox.ts";
import { TestClock } from "#support/clock/test-clock.ts";
import { visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getAlertSender } from "#support/store/store.ts";

const ORIGIN = "https://errata.example";
const ADA = "ada@example.com";
const clock = new TestClock();
const mailbox = new Mailbox();

beforeEach(async () => {
  clock.start();
  await mailbox.start();
});
afterEach(async () => {
  clock.restore();
  await emptyStore();
});

const save = (to: readonly string[], id = "d1", person?: string) =>
  getAlertSender().saveDestination(
    { id, name: "Mail", settings: { kind: "email", to }, ...(person !== undefined && { person }) },
    ORIGIN,
  );
const open = async (path: string, init: RequestInit = {}) =>
  visit(path, { origin: ORIGIN, redirect: "manual", ...init });
const confirm = (path: string) =>
  open("/alerts/confirm-email", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: path.slice(path.indexOf("?") + 1),
  });
const listUnconfirmed = async () =>
  (await getAlertSender().readSettings()).destinations.flatMap((one) => one.unconfirmed ?? []);

it("gets one mail, and nothing else, before a person confirms it", async () => {
  await save([ADA]);
  expect(mailbox.mails.map(({ to, subject }) => [to, subject])).toEqual([
    [[ADA], "Confirm this address for alerts of Errata"],
  ]);
  await saveOnlyRule({});
  await reportNow({});
  await handOver();
  await sendDue();
  for (let n = 0; n < 3; n++)
    expect(await getAlertSender().sendTest("d1")).toMatchObject({ kind: "failed" });
  expect(mailbox.mails).toHaveLength(1);
});

it("gets alerts after its link was opened and the question answered", async () => {
  await save([ADA, "grace@example.com"]);
  const link = mailbox.readLink();
  expect(mailbox.mails.map(({ to }) => to)).toEqual([[ADA], ["grace@example.com"]]);
  // Programs that check links open them.
  const page = await open(link);
  expect([page.response.status, page.body.includes("Confirm</button>")]).toEqual([200, true]);
  expect(await listUnconfirmed()).toEqual([ADA, "grace@example.com"]);
  expect((await confirm(link)).body).toContain("receives alerts from now on");
  expect(await listUnconfirmed()).toEqual([ADA]);
  expect(await getAlertSender().sendTest("d1")).toMatchObject({ kind: "delivered" });
  expect(mailbox.mails.at(-1)?.to).toEqual(["grace@example.com"]);
});

it("stays confirmed when its destination is saved again, and for others of the project", async () => {
  await save([ADA]);
  await confirm(mailbox.readLink());
  await save([ADA]);
  await save([ADA], "d2", "p1");
  expect([mailbox.mails.length, await listUnconfirmed()]).toEqual([1, []]);
});

it("is confirmed by no link that was changed, is too old or is of another project", async () => {
  await save([ADA]);
  const link = mailbox.readLink();
  for (const changed of [
    link.replace("ada%40", "eve%40"),
    link.replace(/until=\d/, "until=9"),
    link.replace(/signature=./, "signature=~"),
    "/alerts/confirm-email",
  ]) {
    expect((await open(changed)).response.status).toBe(404);
    const { response } = await confirm(changed);
    expect([changed, response.status]).toEqual([changed, 404]);
  }
  expect((await open(`/p/2${link}`)).response.status).toBe(404);
  clock.advance(alertLimits.confirmationMs);
  expect((await confirm(link)).response.status).toBe(404);
  expect(await listUnconfirmed()).toEqual([ADA]);
});

it("gets at most one such mail in an hour, and a project sends a limited number in a day", async () => {
  await save([ADA]);
  await save([ADA]);
  await save([ADA.toUpperCase()], "d2");
  expect(mailbox.mails).toHaveLength(1);
  clock.advance(3_600_001);
  await getAlertSender().sendTest("d1");
  expect(mailbox.mails).toHaveLength(2);
  for (let n = 0; n < 8; n++)
    await save(
      Array.from({ length: 10 }, (_, m) => `a${n}-${m}@example.com`),
      `many-${n}`,
    );
  expect(mailbox.mails).toHaveLength(alertLimits.maxConfirmations);
});

it("was confirmed if it was stored before Errata asked", async () => {
  await save([ADA]);
  await runInDurableObject(getAlertSender(), (_: AlertSender, { storage }) => {
    storage.sql.exec(
      "UPDATE settings SET body = json_remove(body, '$.destinations[0].unconfirmed')",
    );
  });
  const { toConfirmedSettings } = await import("#src/core/alerts/destinations/destinations.ts");
  const settings = { kind: "email", to: [ADA] } as const;
  expect(toConfirmedSettings({ id: "d1", name: "Mail", settings })).toEqual(settings);
});

it("the destinations of a person who was removed are deleted at once", async () => {
  await save([ADA], "own", "p1");
  await save(["team@example.com"], "shared");
  await getAlertSender().savePreferences("p1", { destinations: ["own"], onlyAssigned: true });
  await getAlertSender().removePerson("p1");
  expect((await getAlertSender().readSettings()).destinations.map(({ id }) => id)).toEqual([
    "shared",
  ]);
  expect(await getAlertSender().readPreferences("p1")).toEqual({
    destinations: [],
    onlyAssigned: false,
  });
});
