// Summaries of days and weeks by mail, in the real objects.
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SummaryChoice } from "#src/core/alerts/periods/summary-period.ts";
import { type AlertPreferences, LOCAL_PERSON } from "#src/core/alerts/preferences.ts";
import { DEFAULT_RULE } from "#src/core/alerts/rule.ts";
import { DAY_MS, HOUR_MS } from "#src/core/utc-time.ts";
import { ProjectIndex } from "#src/store/index/project-index.ts";
import { createId, createWebhook, sendDue } from "#support/alerts/alert-steps.ts";
import { Mailbox } from "#support/alerts/mailbox.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { TestClock } from "#support/clock/test-clock.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getAlertSender, log, projectStore } from "#support/store/store.ts";

const ORIGIN = "https://errata.example";
const ADA = "ada@example.com";
const clock = new TestClock();
const mailbox = new Mailbox();

beforeEach(async () => {
  clock.start();
  await mailbox.start();
  // The only mails are summaries.
  await getAlertSender().deleteRule(DEFAULT_RULE.id);
});
afterEach(async () => {
  await getAlertSender().waitUntilIdle();
  clock.restore();
  await emptyStore();
});

/** A confirmed mail destination that asks for summaries. Forgets the mail of the confirmation. */
async function addMail(every: SummaryChoice, id = "d1", person?: string): Promise<void> {
  const settings = { kind: "email", to: [ADA] } as const;
  const own = person === undefined ? {} : { person };
  await getAlertSender().saveDestination({ id, name: "Mail", settings, ...own }, ORIGIN);
  const [path, search] = mailbox.readLink().split("?");
  if (path === "/alerts/confirm-email") {
    const query = new URLSearchParams(search);
    const [address, until, signature] = ["address", "until", "signature"].map(
      (name) => query.get(name) ?? "",
    );
    await getAlertSender().confirmAddress({
      ...{ address: address ?? "", untilMs: Number(until), signature: signature ?? "" },
    });
  }
  mailbox.mails = [];
  expect(await getAlertSender().setSummary(id, every, person)).toBe(true);
  await sendDue();
}

/** Moves the clock to the next time of the day, in hours (UTC). */
function goTo(hour: number): void {
  const atMs = readNowMs();
  const todayMs = Math.floor(atMs / DAY_MS) * DAY_MS + hour * HOUR_MS;
  clock.advance((todayMs > atMs ? todayMs : todayMs + DAY_MS) - atMs);
}

const DIGESTS = { CartError: "7F3K-Q2M9", SlowError: "0000-0001", LaterError: "0000-0002" };

/** Appends `count` reports of an issue that occur now. */
async function report(type: keyof typeof DIGESTS, count: number): Promise<void> {
  const occurredAtMs = readNowMs();
  const over = { occurredAtMs, receivedAtMs: occurredAtMs, type, digest: DIGESTS[type] };
  await log.append(
    Array.from({ length: count }, () => createReport(0, { id: createId(), ...over })),
  );
  await projectStore.listNewestIssues();
}

const subjects = () => mailbox.mails.map(({ subject }) => subject);

describe("a daily summary", () => {
  it("is sent once for each day at 06:00 UTC, with the issues of the day before", async () => {
    goTo(8);
    await addMail("day");
    await report("CartError", 12);
    goTo(5.9);
    await sendDue();
    expect(mailbox.mails).toEqual([]);
    await report("LaterError", 1);
    goTo(6);
    await sendDue();
    await sendDue();
    expect(subjects()).toEqual([expect.stringMatching(/^Daily summary, \d+ \w+: 1 new \(/)]);
    const [mail] = mailbox.mails;
    expect(mail?.to).toEqual([ADA]);
    expect(mail?.text).toContain("New: 1\n- CartError");
    expect(mail?.text).toContain("  12 times\n");
    expect(mail?.text).not.toContain("LaterError");
    expect(mail?.text).toContain(`  ${ORIGIN}/d/${DIGESTS.CartError}\n`);
    goTo(6);
    await sendDue();
    expect(subjects().map((subject) => subject.replace(/^.*: /, ""))).toEqual([
      expect.stringMatching(/^1 new/),
      expect.stringMatching(/^1 new/),
    ]);
    expect(mailbox.mails[1]?.text).toContain("New: 1\n- LaterError");
    goTo(6);
    await sendDue();
    expect(subjects()[2]).toContain("Nothing new");
    expect(mailbox.mails[2]?.text).toContain("No errors, 1 the day before.");
  });

  it("is sent once although the object stops before, during and after it", async () => {
    await addMail("day");
    await report("CartError", 1);
    goTo(6);
    mailbox.refusal = "E_INTERNAL_SERVER_ERROR";
    const restart = async () => {
      await getAlertSender().waitUntilIdle();
      await abortAllDurableObjects();
      await mailbox.bind();
    };
    await restart();
    await sendDue();
    await restart();
    await sendDue();
    expect(mailbox.mails).toEqual([]);
    mailbox.refusal = undefined;
    // Longer than the delay of the next attempt, however many there were on a slow machine.
    clock.advance(HOUR_MS);
    await sendDue();
    expect(mailbox.mails).toHaveLength(1);
    await restart();
    clock.advance(60_000);
    await sendDue();
    expect(mailbox.mails).toHaveLength(1);
  });

  it("waits until the index responds", async () => {
    await addMail("day");
    goTo(6);
    const read = vi.spyOn(ProjectIndex.prototype, "readPeriod");
    read.mockRejectedValueOnce(new Error("the index is being rebuilt"));
    await sendDue();
    expect(mailbox.mails).toEqual([]);
    read.mockRestore();
    // Longer than the delay of the next attempt, however many there were on a slow machine.
    clock.advance(HOUR_MS);
    await sendDue();
    expect(mailbox.mails).toHaveLength(1);
  });

  it("covers only the last day after an outage of several days", async () => {
    await addMail("day");
    goTo(6);
    clock.advance(4 * DAY_MS + HOUR_MS);
    await sendDue();
    expect(mailbox.mails).toHaveLength(1);
    await report("CartError", 3);
    goTo(6);
    await sendDue();
    expect(subjects()[1]).toContain("1 new");
  });

  it("has the issues that returned, and compares with the day before", async () => {
    await addMail("day");
    goTo(8);
    await report("CartError", 5);
    await report("SlowError", 10);
    await projectStore.decide(DIGESTS.CartError, { state: "resolved" });
    goTo(8);
    await report("CartError", 2);
    await report("SlowError", 25);
    goTo(6);
    mailbox.mails = [];
    await sendDue();
    expect(subjects()).toEqual([expect.stringContaining(": 1 returned, 1 growing (")]);
    expect(mailbox.mails[0]?.text).toContain("Returned: 1\n- CartError");
    expect(mailbox.mails[0]?.text).toContain("  2 times, 5 the day before\n");
    expect(mailbox.mails[0]?.text).toContain("Growing: 1\n- SlowError");
    expect(mailbox.mails[0]?.text).toContain("27 errors, 15 the day before: 27 of servers");
  });
});

it("a weekly summary is sent on Mondays, with the whole week", async () => {
  await addMail("week");
  do goTo(7);
  while (new Date(readNowMs()).getUTCDay() !== 1);
  await sendDue();
  mailbox.mails = [];
  for (let day = 0; day < 7; day++) {
    await report("CartError", 10);
    goTo(7);
    if (day < 6) await sendDue();
  }
  expect(mailbox.mails).toEqual([]);
  await sendDue();
  expect(subjects()).toEqual([expect.stringMatching(/^Weekly summary, .*: 1 new \(/)]);
  expect(mailbox.mails[0]?.text).toContain("  70 times\n");
});

describe("the summary of a person", () => {
  const save = (over: Partial<AlertPreferences>) =>
    getAlertSender().savePreferences(LOCAL_PERSON, {
      ...{ destinations: ["d1"], onlyAssigned: false },
      ...over,
    });

  const listDueTimes = () =>
    runInDurableObject(getAlertSender(), (_, { storage }) =>
      storage.sql
        .exec<{ due: number }>("SELECT due_ms AS due FROM delivery WHERE kind = 'period'")
        .toArray()
        .map(({ due }) => due),
    );

  it("waits until the quiet hours end", async () => {
    await addMail("day", "d1", LOCAL_PERSON);
    await save({ quietHours: { from: 300, to: 480, timeZone: "UTC" } });
    goTo(6);
    await sendDue();
    const [due] = await listDueTimes();
    expect(new Date(due ?? 0).toISOString()).toMatch(/T08:00:00/);
  });

  it("is not sent to an address that the person does not use", async () => {
    await addMail("day", "d1", LOCAL_PERSON);
    await save({ destinations: [] });
    goTo(6);
    await sendDue();
    expect(await listDueTimes()).toEqual([]);
  });
});

describe("no summary goes to", () => {
  /** The mails of the next morning. */
  const sendNext = async () => {
    goTo(6);
    await sendDue();
    return mailbox.mails;
  };

  it("a destination that does not ask, or no longer", async () => {
    await addMail("never");
    await addMail("day", "d2");
    await getAlertSender().setSummary("d2", "never");
    expect(await sendNext()).toEqual([]);
  });

  it("a destination that stopped asking while the message waited", async () => {
    await addMail("day");
    goTo(6);
    mailbox.refusal = "E_INTERNAL_SERVER_ERROR";
    await sendDue();
    mailbox.refusal = undefined;
    await getAlertSender().setSummary("d1", "never");
    clock.advance(60_000);
    await sendDue();
    expect(mailbox.mails).toEqual([]);
  });

  it("an unconfirmed or disabled destination", async () => {
    const settings = { kind: "email", to: ["grace@example.com"] } as const;
    await getAlertSender().saveDestination({ id: "d1", name: "Mail", settings }, ORIGIN);
    await getAlertSender().setSummary("d1", "day");
    await addMail("day", "d2");
    mailbox.refusal = "E_RECIPIENT_NOT_ALLOWED";
    await getAlertSender().sendTest("d2");
    mailbox.refusal = undefined;
    const { destinations } = await getAlertSender().readSettings();
    expect(destinations.find(({ id }) => id === "d2")?.disabled).toBeDefined();
    mailbox.mails = [];
    await sendDue();
    expect(await sendNext()).toEqual([]);
  });

  it("a deleted destination, or an erased project", async () => {
    await addMail("day");
    await getAlertSender().deleteDestination("d1");
    expect(await sendNext()).toEqual([]);
    await addMail("day", "d2");
    await getAlertSender().wipe();
    expect(await sendNext()).toEqual([]);
    const rows = await runInDurableObject(getAlertSender(), (_, { storage }) =>
      storage.sql.exec("SELECT * FROM next_summary").toArray(),
    );
    expect(rows).toEqual([]);
  });
});

describe("the choice", () => {
  const readChoice = async (id = "d1") =>
    (await getAlertSender().readSettings()).destinations.find((one) => one.id === id)?.summaryEvery;

  it("is of email destinations only", async () => {
    await getAlertSender().saveDestination(createWebhook("d1"), ORIGIN);
    expect(await getAlertSender().setSummary("d1", "day")).toBe(false);
    expect(await readChoice()).toBeUndefined();
    expect(await getAlertSender().setSummary("unknown", "day")).toBe(false);
  });

  it("is of the person whose destination it is", async () => {
    await addMail("never", "d1", "p1");
    for (const person of [undefined, "p2"])
      expect(await getAlertSender().setSummary("d1", "day", person)).toBe(false);
    expect(await readChoice()).toBe("never");
  });

  it("stays when the addresses are replaced, and ends with another kind", async () => {
    await addMail("week");
    const settings = { kind: "email", to: ["grace@example.com"] } as const;
    await getAlertSender().saveDestination({ id: "d1", name: "Mail", settings }, ORIGIN);
    expect(await readChoice()).toBe("week");
    await getAlertSender().saveDestination(createWebhook("d1"), ORIGIN);
    await getAlertSender().saveDestination({ id: "d1", name: "Mail", settings }, ORIGIN);
    expect(await readChoice()).toBe("never");
  });
});
