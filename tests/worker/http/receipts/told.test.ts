/**
 * A visitor with a receipt is told once that the error is fixed, after confirming the address, which
 * is then gone. Everything that the public sends is hostile.
 */
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { alertLimits } from "#src/core/alerts/alert-limits.ts";
import { limits } from "#src/core/limits.ts";
import { VISITOR_TEXTS } from "#src/core/visitors/visitor-language.ts";
import type { AlertSender } from "#src/store/alerts/alert-sender.ts";
import { sendDue } from "#support/alerts/alert-steps.ts";
import { Mailbox } from "#support/alerts/mailbox.ts";
import { TestClock } from "#support/clock/test-clock.ts";
import { eventually } from "#support/eventually.ts";
import { testConfig, visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import {
  bindings,
  finishJobs,
  getAlertSender,
  getIndex,
  log,
  projectStore,
} from "#support/store/store.ts";

const ORIGIN = "https://errata.example";
const DIGEST = "7F3K-Q2M9";
const OTHER = "0000-008Q";
const ADA = "ada@visitor.example";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const WITH_MAIL = { config: { ...testConfig, hasMail: true } };
const clock = new TestClock();
const mailbox = new Mailbox();

beforeEach(async () => {
  clock.start();
  await mailbox.start();
  await log.append([createReport(1)]);
});
afterEach(async () => {
  clock.restore();
  await emptyStore();
});

interface Asking {
  readonly digest?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly services?: object;
}

const open = (path: string, init: RequestInit & { services?: object } = {}) =>
  visit(path, { origin: ORIGIN, redirect: "manual", services: WITH_MAIL, ...init });
const ask = (address: string, { digest = DIGEST, headers, services }: Asking = {}) =>
  open(`/e/${digest}/tell`, {
    method: "POST",
    headers: { ...FORM, ...headers },
    body: String(new URLSearchParams({ address })),
    ...(services && { services }),
  });
const confirm = (link: string, headers: Readonly<Record<string, string>> = {}) =>
  open(link.slice(0, link.indexOf("?")), {
    method: "POST",
    headers: { ...FORM, ...headers },
    body: link.slice(link.indexOf("?") + 1),
  });
const withdraw = (link: string, headers: Readonly<Record<string, string>> = {}) =>
  confirm(`${link}&do=withdraw`, headers);
const listRows = () =>
  runInDurableObject(getAlertSender(), (_: AlertSender, { storage }) =>
    storage.sql.exec("SELECT * FROM visitor WHERE state != 'told' ORDER BY id").toArray(),
  );
const listStates = async () => (await listRows()).map(({ state }) => state);
/** Resolves the issue, as long ago as a decision can be undone. */
async function resolve(change: object = {}): Promise<void> {
  await projectStore.decide(DIGEST, { state: "resolved", ...change });
  clock.advance(limits.undoMs);
}
/** Looks at the fixes, as ten minutes later. */
async function look(): Promise<void> {
  clock.advance(alertLimits.lookAtFixesMs);
  await sendDue();
}
/** A visitor whose address is confirmed. */
async function wait(address = ADA, asking: Asking = {}): Promise<string> {
  await ask(address, asking);
  await sendDue();
  const link = mailbox.readLink();
  await confirm(link, asking.headers);
  mailbox.mails = [];
  return link;
}

describe("the form of a receipt", () => {
  const hasForm = async (path: string, services?: object) =>
    (await open(`${path}?streaming=off`, services && { services })).body.includes("tell-address");

  it("is there if the deployment can send mail, until the error is fixed", async () => {
    expect(await hasForm(`/e/${DIGEST}`)).toBe(true);
    await resolve({ inNextRelease: true });
    expect(await hasForm(`/e/${DIGEST}`)).toBe(true);
    await resolve();
    expect(await hasForm(`/e/${DIGEST}`)).toBe(false);
    expect(await hasForm("/e/0000-0000")).toBe(false);
  });

  it("is not there without mail, and its address is that of no page", async () => {
    const services = { config: { ...testConfig, hasMail: false } };
    expect(await hasForm(`/e/${DIGEST}`, services)).toBe(false);
    expect((await ask(ADA, { services })).response.status).toBe(404);
    expect(await listRows()).toEqual([]);
  });
});

describe("a visitor who asks", () => {
  it("gets one mail with a link, which names the digest and nothing of the error", async () => {
    const { response } = await ask(ADA);
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      `/e/${DIGEST}?asked=1`,
    ]);
    const page = await open(`/e/${DIGEST}?asked=1&streaming=off`);
    expect(page.body).toContain(VISITOR_TEXTS.en.tellAsked);
    await sendDue();
    await sendDue();
    const [mail, ...others] = mailbox.mails;
    expect([mail?.to, others]).toEqual([[ADA], []]);
    expect(mail?.subject).toBe(`Tell me when it is fixed (${DIGEST})`);
    expect(mail?.text).toContain(`${ORIGIN}/e/${DIGEST}/confirm?token=`);
    const { type, message = "" } = createReport(1);
    for (const text of [type, message]) expect(JSON.stringify(mail)).not.toContain(text);
  });

  it("is stored so that no row has the address, its network or the token of the link", async () => {
    await ask(ADA, { headers: { "cf-connecting-ip": "203.0.113.9" } });
    await sendDue();
    const token = new URL(mailbox.readLink(), ORIGIN).searchParams.get("token") ?? "";
    const rows = JSON.stringify(await listRows());
    for (const secret of ["ada", "visitor.example", "203.0.113", token])
      expect(rows).not.toContain(secret);
    expect(token).toMatch(/^[\w-]{22}$/);
  });

  it("whose address the service refuses for good leaves no address", async () => {
    mailbox.refusal = "E_RECIPIENT_SUPPRESSED";
    await ask(ADA);
    await sendDue();
    expect(await listRows()).toMatchObject([{ state: "silent", address: "" }]);
  });

  it("waits only after opening the link and answering its question", async () => {
    await ask(ADA);
    await sendDue();
    const link = mailbox.readLink();
    // Programs that check links open them.
    const page = await open(link);
    expect([page.response.status, await listStates()]).toEqual([200, ["mailed"]]);
    expect(page.body).toContain(`${VISITOR_TEXTS.en.tell}</button>`);
    const confirmed = await confirm(link);
    expect(confirmed.body).toContain(VISITOR_TEXTS.en.tellConfirmed);
    expect(await listStates()).toEqual(["waiting"]);
    expect((await confirm(link)).response.status).toBe(200);
    expect(await listStates()).toEqual(["waiting"]);
  });

  it("is told once, when the receipt says that it is fixed, and then forgotten", async () => {
    await wait();
    await look();
    await resolve({ release: "9.0.0" });
    await look();
    expect(mailbox.mails).toEqual([]);
    await resolve();
    await look();
    expect(mailbox.mails).toEqual([
      expect.objectContaining({
        to: [ADA],
        subject: `The error ${DIGEST} is fixed.`,
        text: `The error ${DIGEST} is fixed.\n\n${ORIGIN}/e/${DIGEST}\n\nYour address was deleted. No other mail follows.\n`,
      }),
    ]);
    expect(await listRows()).toEqual([]);
    await look();
    expect(mailbox.mails).toHaveLength(1);
  });

  it("is told when a release with the fix is seen", async () => {
    await wait();
    await resolve({ release: "9.0.0" });
    await log.append([createReport(2, { digest: OTHER, release: "9.0.0" })]);
    await projectStore.listNewestIssues();
    await look();
    expect(mailbox.mails).toHaveLength(1);
  });

  it("is told of the issue that the error was merged into", async () => {
    await log.append([createReport(2, { digest: OTHER })]);
    await wait(ADA, { digest: OTHER });
    await projectStore.annotate(DIGEST, { change: "merge", from: [OTHER] });
    await resolve();
    await look();
    expect(mailbox.mails.map(({ subject }) => subject)).toEqual([`The error ${OTHER} is fixed.`]);
  });

  it.each(Object.entries(VISITOR_TEXTS))(
    "reads both mails and the page in %s",
    async (language, texts) => {
      const headers = { "accept-language": language };
      await ask(ADA, { headers });
      await sendDue();
      const [mail] = mailbox.mails;
      expect(mail?.text).toContain(texts.mailAsk.replace("{digest}", DIGEST));
      const link = mailbox.readLink();
      expect((await confirm(link, headers)).body).toContain(texts.tellConfirmed);
      await resolve();
      await look();
      expect(mailbox.mails.at(-1)?.text).toContain(texts.mailDeleted);
    },
  );
});

describe("a request ends", () => {
  it("a day after it was made, unless it was confirmed", async () => {
    await ask(ADA);
    await sendDue();
    const link = mailbox.readLink();
    clock.advance(alertLimits.visitorLinkMs);
    expect((await open(link)).response.status).toBe(404);
    expect((await confirm(link)).response.status).toBe(404);
    await resolve();
    await sendDue();
    expect([mailbox.mails.length, await listRows()]).toEqual([1, []]);
  });

  it("after ninety days without a fix", async () => {
    await wait();
    clock.advance(alertLimits.visitorWaitMs);
    await resolve();
    await sendDue();
    expect([mailbox.mails, await listRows()]).toEqual([[], []]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["the issue is erased", () => getAlertSender().erase({ digests: [DIGEST] })],
    [
      "the visitor's address is erased",
      () => getAlertSender().erase({ text: "ADA@Visitor.example" }),
    ],
    ["the project is erased", () => getAlertSender().wipe()],
    [
      "the index no longer has the issue",
      async () => {
        await getIndex().enqueueJob({ kind: "erase-issue", digest: DIGEST, aliases: [] });
        await finishJobs();
        await look();
      },
    ],
  ])("when %s", async (_, erase) => {
    await wait();
    expect(await listStates()).toEqual(["waiting"]);
    await erase();
    expect([mailbox.mails, await listRows()]).toEqual([[], []]);
  });

  it.each([
    [
      "before",
      async () => {
        await ask(ADA);
        await sendDue();
        return mailbox.readLink();
      },
    ],
    ["after", () => wait()],
  ] satisfies [string, () => Promise<string>][])(
    "when the visitor ends it %s the confirmation",
    async (_, begin) => {
      const link = await begin();
      const page = await open(link);
      expect(page.body).toContain(`${VISITOR_TEXTS.en.tellWithdraw}</button>`);
      expect((await withdraw(link, { "sec-fetch-site": "cross-site" })).response.status).toBe(403);
      const ended = await withdraw(link);
      expect(ended.body).toContain(VISITOR_TEXTS.en.mailDeleted);
      expect(await listRows()).toEqual([]);
      for (const again of [await open(link), await confirm(link), await withdraw(link)])
        expect(again.response.status).toBe(404);
      mailbox.mails = [];
      await resolve();
      await look();
      expect(mailbox.mails).toEqual([]);
      // The visitor may change the decision.
      await ask(ADA);
      expect(await listStates()).toEqual(["asked"]);
    },
  );

  it("not when another address is erased", async () => {
    await wait();
    await getAlertSender().erase({ text: "grace@visitor.example" });
    expect(await listStates()).toEqual(["waiting"]);
  });
});

describe("a message", () => {
  /** Gives the object a service that does `send`. */
  const replaceService = (send: (mail: object) => Promise<unknown>) =>
    runInDurableObject(getAlertSender(), (instance: AlertSender) => {
      const env = { ...bindings, EMAIL: { send }, ERRATA_MAIL_FROM: "errata@errata.example" };
      Object.assign(instance, { env });
    });

  it("is sent at most once: an object that stops while it is sent sends no second one", async () => {
    await wait();
    await resolve();
    let sent = 0;
    await replaceService(async () => {
      sent += 1;
      await new Promise(() => undefined);
    });
    clock.advance(alertLimits.lookAtFixesMs);
    const stopped = sendDue().catch(() => undefined);
    await eventually(async () => expect(sent).toBe(1));
    await abortAllDurableObjects();
    await stopped;
    await mailbox.bind();
    // The platform repeats an alarm that did not end; so does the next call of the object.
    await getAlertSender().readSettings();
    await look();
    await look();
    expect([sent, mailbox.mails, await listRows()]).toEqual([1, [], []]);
  });

  it("is not sent while the decision can be undone, and leaves no address", async () => {
    await wait();
    await projectStore.decide(DIGEST, { state: "resolved" });
    await look();
    expect([mailbox.mails, await listStates()]).toEqual([[], ["waiting"]]);
    clock.advance(limits.undoMs);
    await look();
    expect([mailbox.mails.length, await listStates()]).toEqual([1, []]);
    const all = await runInDurableObject(getAlertSender(), (_: AlertSender, { storage }) =>
      storage.sql.exec("SELECT state, address FROM visitor").toArray(),
    );
    expect(all).toEqual([{ state: "told", address: "" }]);
  });

  it("does not end the limits of its request", async () => {
    const ofNetwork = { headers: { "cf-connecting-ip": "203.0.113.9" } };
    const { maxVisitorRequestsOfNetwork: max } = alertLimits;
    for (let n = 0; n < max; n++) await wait(`visitor-${n}@example.org`, ofNetwork);
    await resolve();
    for (let n = 0; n < 3; n++) await look();
    expect([mailbox.mails.length, await listRows()]).toEqual([max, []]);
    expect((await ask(ADA, ofNetwork)).response.status).toBe(429);
  });

  it("that waits for an object that was stopped is sent once", async () => {
    await wait();
    await resolve();
    await abortAllDurableObjects();
    await mailbox.bind();
    await look();
    await look();
    expect([mailbox.mails.length, await listRows()]).toEqual([1, []]);
  });

  it("that the service refuses for now is sent later, a limited number of times", async () => {
    await wait();
    await resolve();
    mailbox.refusal = "E_RATE_LIMIT_EXCEEDED";
    await look();
    expect(await listStates()).toEqual(["waiting"]);
    mailbox.refusal = undefined;
    clock.advance(3_600_000);
    await look();
    expect([mailbox.mails.length, await listRows()]).toEqual([1, []]);
  });

  it.each([
    ["refuses for good", "E_RECIPIENT_SUPPRESSED"],
    ["may have accepted", "Network connection lost."],
  ])("that the service %s is not repeated", async (_, refusal) => {
    await wait();
    await resolve();
    mailbox.refusal = refusal;
    await look();
    mailbox.refusal = undefined;
    clock.advance(3_600_000);
    await look();
    expect([mailbox.mails, await listRows()]).toEqual([[], []]);
  });

  it("to many visitors is sent in turns, to each once", async () => {
    const count = alertLimits.maxVisitorMailsPerAlarm * 2 + 1;
    for (let n = 0; n < count; n++) await wait(`visitor-${n}@example.org`);
    await resolve();
    await look();
    for (let n = 0; n < 3; n++) await sendDue();
    expect(new Set(mailbox.mails.map(({ to }) => to[0])).size).toBe(count);
    expect([mailbox.mails.length, await listRows()]).toEqual([count, []]);
  });
});

describe("strangers", () => {
  const request = {
    ...{ digest: DIGEST, issue: DIGEST, language: "en", path: `/e/${DIGEST}`, origin: ORIGIN },
  };
  const askAs = (n: number, over: object = {}) =>
    getAlertSender().askForVisitor({ ...request, address: `a${n}@example.org`, ...over });

  it.each([
    ["nothing", ""],
    ["no address", "ada"],
    ["two addresses", "ada@example.org,eve@example.org"],
    ["a second header", "ada@example.org\r\nBcc: eve@example.org"],
    ["hidden characters", "ada\u202e@example.org"],
    ["a long address", `${"a".repeat(250)}@example.org`],
  ])("who send %s as address are refused", async (_, address) => {
    const { response, body } = await ask(address);
    expect([response.status, await listRows()]).toEqual([400, []]);
    expect(body).toContain(VISITOR_TEXTS.en.tellFailed);
  });

  it("with a form of another site are refused, when they ask and when they confirm", async () => {
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect((await ask(ADA, { headers })).response.status).toBe(403);
    expect(await listRows()).toEqual([]);
    await ask(ADA);
    await sendDue();
    expect((await confirm(mailbox.readLink(), headers)).response.status).toBe(403);
    expect(await listStates()).toEqual(["mailed"]);
  });

  it("over the rate limit of receipts are refused, and keep their text", async () => {
    const limiters = { receipt: async () => false };
    const { response, body } = await ask(ADA, {
      headers: { "cf-connecting-ip": "203.0.113.9" },
      services: { ...WITH_MAIL, limiters },
    });
    expect([response.status, body.includes(ADA)]).toEqual([429, true]);
  });

  it("see the same for an address that is known and for one that is not", async () => {
    await wait();
    const read = async (address: string, digest = DIGEST) => {
      const { response } = await ask(address, { digest });
      return [response.status, response.headers.get("location")?.replace(digest, "…")];
    };
    expect(await read(ADA)).toEqual(await read("grace@visitor.example"));
    expect(await read(ADA)).toEqual(await read(ADA, "0000-0000"));
    await sendDue();
    expect(mailbox.mails.map(({ to }) => to[0])).toEqual(["grace@visitor.example"]);
  });

  it("cannot tell by the limits whether an address is known: each request counts", async () => {
    await wait();
    const network = "203.0.113";
    for (let n = 0; n < alertLimits.maxVisitorRequestsOfNetwork; n++)
      expect(await askAs(0, { address: ADA, network })).toBe(true);
    expect(await askAs(1, { network })).toBe(false);
  });

  it("cannot make Errata mail one mailbox often, however its address is spelled", async () => {
    const spellings = [ADA, "ADA@Visitor.example", "ada+1@visitor.example"];
    for (let n = 0; n < 8; n++)
      await askAs(0, { issue: `0000-00${n}0`, address: spellings[n % 3] ?? ADA });
    await sendDue();
    expect(mailbox.mails).toHaveLength(alertLimits.maxVisitorRequestsOfAddress);
  });

  it("make a limited number of requests in a day, from a network and to a project", async () => {
    const { maxVisitorRequests, maxVisitorRequestsOfNetwork } = alertLimits;
    for (let n = 0; n < maxVisitorRequestsOfNetwork; n++)
      expect(await askAs(n, { network: "203.0.113" })).toBe(true);
    expect(await askAs(900, { network: "203.0.113" })).toBe(false);
    for (let n = maxVisitorRequestsOfNetwork; n < maxVisitorRequests; n++)
      expect(await askAs(n)).toBe(true);
    expect(await askAs(901)).toBe(false);
    const { response, body } = await ask(ADA);
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "86400"]);
    expect(body).toContain("We know about it.");
    clock.advance(alertLimits.visitorLinkMs + 1);
    expect(await askAs(902, { network: "203.0.113" })).toBe(true);
  });

  it("wait in limited numbers, for an issue and in a project", async () => {
    const fill = (count: number, issue: (n: number) => string) =>
      runInDurableObject(getAlertSender(), (_: AlertSender, { storage }) => {
        for (let n = 0; n < count; n++)
          storage.sql.exec(
            `INSERT INTO visitor(digest, issue, address_hash, address, network_hash, language, url,
               token_hash, state, asked_ms, until_ms, due_ms, attempts)
             VALUES ('x', ?, ?, '', '', 'en', '', '', 'silent', 0, 4e12, 0, 0)`,
            issue(n),
            `${n}`,
          );
      });
    await fill(alertLimits.maxVisitorsOfIssue, () => DIGEST);
    expect(await askAs(1)).toBe(false);
    expect(await askAs(1, { issue: OTHER })).toBe(true);
    const left = alertLimits.maxVisitors - alertLimits.maxVisitorsOfIssue - 1;
    await fill(left, (n) => `0000-${n}`);
    expect(await askAs(2, { issue: OTHER })).toBe(false);
  });

  it.each([
    ["changed", (link: string) => link.replace(/token=./, "token=~")],
    ["of another digest", (link: string) => link.replace(DIGEST, OTHER)],
    ["without a token", (link: string) => link.replace(/\?.*/, "?")],
    ["with a text that is no digest", (link: string) => link.replace(DIGEST, "%00")],
  ])("confirm nothing with a link %s", async (_, change) => {
    await log.append([createReport(2, { digest: OTHER })]);
    await ask(ADA);
    await sendDue();
    const link = change(mailbox.readLink());
    expect((await open(link)).response.status).toBe(404);
    expect((await confirm(link)).response.status).toBe(404);
    expect(await listStates()).toEqual(["mailed"]);
  });
});

it("a program gets JSON", async () => {
  const headers = { accept: "application/json" };
  const { response, body } = await ask(ADA, { headers });
  expect([response.status, JSON.parse(body)]).toEqual([202, { asked: true }]);
  expect((await ask("ada", { headers })).response.status).toBe(400);
});
