// Fills a store through HTTP, as people and real clients do over a month: every kind of data that
// Errata stores. `npm run dump` makes the fixtures of tests/fixtures/stores with it.

import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SeededRandom } from "#src/core/sample/seeded-random.ts";
import { createAuthenticator } from "#support/accounts/authenticator.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { makeLink } from "../../../.tools/deploy/sign-in-link.ts";
import { createSessionBody } from "../../../.tools/reports/bodies.ts";
import { readCapture, readText } from "../../../.tools/reports/captures.ts";
import { createWord } from "../../../.tools/reports/names.ts";
import { createProject } from "../../../.tools/reports/seeded-project.ts";
import {
  createEvent,
  fromNetwork,
  type Sender,
  send,
  sendCaptures,
  sendForms,
  sendOtlp,
  signPage,
  TAILED,
  toEnvelope,
} from "./reports-of-all-kinds.ts";
import { type StartedStore, startStore, toAheadSeconds } from "./start-store.ts";
import { uploadMaps } from "./upload-maps.ts";
import { type Credentials, createVisitor, type Visitor } from "./visitor.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KEY = "0123456789abcdef0123456789abcdef";
const SERVER_KEY = "errata_server_0123456789abcdef0123456789abcdef";
/** Where a destination of alerts listened when the store was filled, and where nothing listens. */
const [RECEIVER_PORT, CLOSED_PORT] = [18_900, 9];
/** With this many KV writes a day, chunks and copies are uploaded at once. */
const FAST = { ERRATA_KV_WRITES_PER_DAY: "10000000" };

/** What a reader needs to see the whole store. */
export interface FilledStore {
  readonly vars: Readonly<Record<string, string>>;
  /** The time of the last write. */
  readonly atMs: number;
  readonly visitors: Readonly<Record<"owner" | "member" | "viewer" | "uploader", Credentials>>;
  readonly projects: readonly string[];
  /** Texts of the lookup: codes of every kind, addresses and words. */
  readonly lookups: readonly string[];
  /** Paths of feeds and of erasures. */
  readonly paths: readonly string[];
  /** The id that undoes the last change of issues. */
  readonly undo: string;
}

/** Fills the folder, which is empty, over the month before `endMs`. */
export async function fillStore(folder: string, endMs: number): Promise<FilledStore> {
  const link = makeLink(endMs - 24 * DAY_MS);
  const vars = {
    ERRATA_KEY: KEY,
    ERRATA_SERVER_KEY: SERVER_KEY,
    ERRATA_URL: "https://errata.example",
    ERRATA_RELEASE: "errata@1",
    ERRATA_MAIL_FROM: "errata@errata.example",
    ERRATA_ALERT_TARGETS: `127.0.0.1:${RECEIVER_PORT} 127.0.0.1:${CLOSED_PORT}`,
    ERRATA_SETUP: link.setup,
    // The last chunk and the last copies wait for half an hour, so readers find them waiting.
    ERRATA_KV_WRITES_PER_DAY: "200",
  };
  const open = (startMs: number, options: Parameters<typeof startStore>[1]) =>
    startStore({ folder, vars, aheadSeconds: toAheadSeconds(startMs) }, options);
  /** Runs the store from a time until its work is done. */
  async function run<T>(
    startMs: number,
    act: (started: StartedStore) => Promise<T>,
    owner?: (result: T) => Credentials,
  ): Promise<T> {
    const started = await open(startMs, { vars: FAST, neighbors: [TAILED] });
    try {
      const result = await act(started);
      if (owner !== undefined) await settle(createVisitor(started.url, owner(result)));
      return result;
    } catch (error) {
      console.error(started.lines.slice(-20).join("\n"));
      throw error;
    } finally {
      await started.stop();
    }
  }
  const receiver = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => receiver.listen(RECEIVER_PORT, "127.0.0.1", resolve));
  try {
    const code = new URL(link.at("http://x")).hash.slice(1);
    const begun = await run(
      endMs - 24 * DAY_MS,
      (started) => begin(started, code, folder),
      ({ visitors }) => visitors.owner,
    );
    const owner = () => begun.visitors.owner;
    const triaged = await run(endMs - 9 * DAY_MS, (started) => triage(started, begun), owner);
    await run(endMs - DAY_MS, (started) => receiveMore(started, begun, triaged), owner);
    const erasures = await run(endMs - 6 * HOUR_MS, (started) => erase(started, begun), owner);
    // A destination gets ten messages at once, and the others later.
    for (const hours of [5, 4, 3, 2, 1])
      await run(endMs - hours * HOUR_MS, (started) => deliver(started, begun), owner);
    const broken = await open(endMs - 20_000, { broken: ["ReportLog"] });
    await sendTo(broken, [createEvent("spooled", { atMs: broken.nowMs() })], SERVER_KEY);
    await broken.kill();
    const last = await open(endMs, {});
    const undo = await sendLast(last, begun, triaged);
    const atMs = last.nowMs();
    await last.kill();
    const { visitors, projects } = begun;
    const paths = [...triaged.paths, ...erasures];
    return { vars, atMs, visitors, projects, paths, undo, lookups: triaged.lookups };
  } finally {
    receiver.close();
  }
}

/** Sends events to a project. */
function sendTo(
  { url }: Pick<StartedStore, "url">,
  events: readonly object[],
  key: string | undefined,
  { project = "1", ...sender }: { project?: string } & Partial<Sender> = {},
): Promise<string> {
  const query = { ...(key !== undefined && { sentry_key: key }), ...sender.query };
  const path = `/monitoring/${project}`;
  return send(createVisitor(url), toEnvelope(events), { ...sender, query }, path);
}

/** Resolves when no chunk, job or conversion waits in the projects of the owner. */
async function settle(owner: Visitor): Promise<void> {
  const { projects } = await owner.get("/projects.json");
  for (const { url } of projects) await settleProject(owner, url);
}

function settleProject(owner: Visitor, url: string): Promise<void> {
  return pollUntil(`${url} is at rest`, async () => {
    const { health, sourceMaps } = await owner.get(`${url}status.json`);
    const rows = health.shards.filter((shard: { rows: number }) => shard.rows > 0);
    const { converting = 0, unsaved = 0 } = sourceMaps ?? {};
    return rows.length + converting + unsaved === 0 && !health.work;
  });
}

/** Resolves when no job runs in the projects of the owner. */
export async function settleJobs(owner: Visitor): Promise<void> {
  const { projects } = await owner.get("/projects.json");
  for (const { url } of projects)
    await pollUntil(`${url} has no job`, async () => {
      return (await owner.get(`${url}status.json`)).health.work === undefined;
    });
}

/** Rejects if a condition is not true within a minute. */
async function pollUntil(condition: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadlineMs = readNowMs() + 60_000;
  while (!(await isTrue())) {
    if (readNowMs() > deadlineMs) throw new Error(`Not within a minute: ${condition}`);
    await sleep(100);
  }
}

type Begun = Awaited<ReturnType<typeof begin>>;

/** Signs people in, creates projects, keys and alerts, and sends the first reports. */
async function begin(started: StartedStore, code: string, folder: string) {
  const { url, nowMs } = started;
  const signIn = async (secret: string, name: string): Promise<Credentials> => {
    const headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:151.0) Firefox/151.0" };
    const body = new URLSearchParams({ code: secret, name });
    const response = await createVisitor(url).request("/sign-in", {
      ...{ method: "POST", body },
      headers: { ...headers, accept: "text/html" },
    });
    return { cookie: (response.headers.get("set-cookie") ?? "").split(";", 1).join() };
  };
  const ownerCredentials = await signIn(code, "Ada Lovelace");
  const owner = createVisitor(url, ownerCredentials);
  await addCredentials(owner, url);
  const set = (fields: object, base = "") => owner.change(`${base}/settings`, fields);
  const invite = async (role: string, name: string, base = "") => {
    const { secrets } = await set({ do: "invite", role }, base);
    return signIn(secrets[0], name);
  };
  await set({ do: "rename-project", name: "Shop" });
  const member = await invite("member", "Grace Hopper");
  await invite("viewer", "مارغريت هاميلتون");
  await invite("member", "Eve");
  await invite("member", "Linus");
  await set({ do: "invite", role: "viewer" });
  const { members } = await owner.get("/settings.json");
  await set({ do: "remove-member", person: findPerson(members, "Eve") });
  await set({ do: "set-role", person: findPerson(members, "Linus"), role: "owner" });
  const addToken = async (name: string, role: string, facts: object = { lowestTrust: "public" }) =>
    String((await set({ do: "add-token", name, role, expiresInDays: 90, ...facts })).secrets[0]);
  const viewer = await addToken("board", "viewer");
  const uploader = await addToken("ci", "uploader");
  await addToken("old", "member");
  await addToken("agent", "member", { projects: "all" });
  const addKey = (name: string, fields: object, base = "") =>
    set({ do: "add-key", name, ...fields }, base);
  const origins = ["https://shop.example", "https://*.shop.example"];
  await addKey("Browsers", { origins, perMinute: 6000 });
  const { createdId: paused } = await addKey("Old shop", {});
  await set({ do: "pause-key", key: paused });
  const { createdId: rotated } = await addKey("Checkout", { kind: "server" });
  await set({ do: "rotate-key", key: rotated, overlapHours: 2000 });
  const { createdId: revoked } = await addKey("Revoked", {});
  await owner.submit("/settings", { do: "revoke-key", key: revoked });
  await set({ do: "set-noise-rules", extension: "on", injected: "on" });
  const create = async (name: string) => {
    const { project } = await owner.change("/projects", { name });
    return `/p/${project}`;
  };
  const [office, mobile] = [await create("Back office"), await create("Mobile")];
  const [archive, gone] = [await create("Archive"), await create("Gone")];
  await addKey("Office", {}, office);
  const [mobileKey] = (await addKey("Mobile", { kind: "server" }, mobile)).secrets;
  const [archiveKey] = (await addKey("Archive", { kind: "server" }, archive)).secrets;
  const [goneKey] = (await addKey("Gone", { kind: "server" }, gone)).secrets;
  const { keys } = await owner.get(`${office}/settings.json`);
  await invite("member", "Barbara", office);
  await addAlerts(owner, createVisitor(url, member), folder);
  await addDestination(owner, { kind: "webhook", name: "Hook", url: toTarget("/2") }, office);
  const shop = { reports: 900, issues: 230 };
  for (const body of createProject(shop, nowMs(), new SeededRandom("first")))
    await send(createVisitor(url), body, { query: { sentry_key: SERVER_KEY } });
  const officeKey = String(keys[0].key);
  for (const body of createProject({ reports: 120, issues: 45 }, nowMs(), new SeededRandom("2")))
    await send(createVisitor(url), body, { query: { sentry_key: officeKey } }, "/monitoring/2");
  const few = [0, 1, 2].map((n) => createEvent(`archived${n}`, { n, atMs: nowMs() }));
  await sendTo(started, few, archiveKey, { project: archive.slice(3) });
  await sendTo(started, few, goneKey, { project: gone.slice(3) });
  await set({ do: "archive-project" }, archive);
  await set({ do: "delete-project", confirm: "Gone" }, gone);
  const visitors = {
    ...{ owner: ownerCredentials, member },
    viewer: { authorization: `Bearer ${viewer}` },
    uploader: { authorization: `Bearer ${uploader}` },
  };
  return { visitors, projects: ["", office, mobile, archive], officeKey, mobileKey };
}

function findPerson(members: readonly { name: string; person: string }[], name: string): string {
  return members.find((one) => one.name === name)?.person ?? "";
}

/** Adds a passkey and recovery codes to the person, as a browser does. */
async function addCredentials(owner: Visitor, url: string): Promise<void> {
  const asked = await owner.request("/profile/passkeys/options", { method: "POST" });
  const challengeCookie = (asked.headers.get("set-cookie") ?? "").split(";", 1).join();
  const { challenge } = (await asked.json()) as { challenge: string };
  const { hostname } = new URL(url);
  const authenticator = await createAuthenticator(
    "-7",
    Uint8Array.from({ length: 16 }, (_, n) => n),
  );
  const response = authenticator.register({ origin: url, hostname, challenge });
  const body = JSON.stringify({ response, name: "Laptop" });
  const cookie = [owner.credentials.cookie, challengeCookie].join("; ");
  await owner.request("/profile/passkeys", {
    ...{ method: "POST", body },
    headers: { cookie, "content-type": "application/json" },
  });
  await owner.change("/profile", { do: "new-recovery-codes" });
}

const toTarget = (path: string, port = RECEIVER_PORT) => `http://127.0.0.1:${port}${path}`;

async function addDestination(owner: Visitor, fields: object, base = ""): Promise<string> {
  const path = `${base}/settings/alerts/destinations`;
  return (await owner.change(path, { do: "save", ...fields })).createdId;
}

/** Adds rules, destinations of all kinds and preferences. */
async function addAlerts(owner: Visitor, member: Visitor, folder: string): Promise<void> {
  const hook = await addDestination(owner, { kind: "webhook", name: "Hook", url: toTarget("/h") });
  const dead = { kind: "webhook", name: "Dead", url: toTarget("/dead", CLOSED_PORT) };
  const failing = await addDestination(owner, dead);
  const mail = await addDestination(owner, { kind: "email", name: "Ada", to: "ada@example.com" });
  for (const kind of ["slack", "discord", "teams", "google-chat", "rocket-chat"])
    await addDestination(owner, { kind, name: kind, url: toTarget(`/services/${kind}-x7Qa`) });
  await addDestination(owner, {
    kind: "ntfy",
    name: "ntfy",
    url: toTarget("/shop"),
    token: "tk_1",
  });
  const pager = { kind: "pagerduty", name: "pager", url: toTarget("") };
  const paged = await addDestination(owner, { ...pager, token: "a1".repeat(16) });
  const opsgenie = { kind: "opsgenie", name: "ops", url: toTarget("") };
  await addDestination(owner, { ...opsgenie, token: "3f2b8a1c-0000-4000-8000-1234567890ab" });
  const token = "123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAA";
  await addDestination(owner, { kind: "telegram", name: "tg", token, chatId: "-1001234567890" });
  const removed = await addDestination(owner, { kind: "slack", name: "gone", url: toTarget("/x") });
  const destinations = "/settings/alerts/destinations";
  await owner.submit(destinations, { do: "delete", id: removed });
  await owner.change(destinations, { do: "rotate", id: hook });
  await confirmAddresses(owner, folder, 1);
  await owner.change(destinations, { do: "summary", id: mail, every: "day" });
  const addRule = (name: string, fields: object) =>
    owner.change("/settings/alerts/rules", {
      ...{ do: "save", name, enabled: true, coolDownMs: 3_600_000 },
      ...fields,
    });
  await owner.change("/settings/alerts/rules", { do: "delete", id: "default" });
  await addRule("New issues", {
    ...{ "on.new-issue": true, "on.regressed": true, "on.escalating": true },
    ...{ [`to.${hook}`]: true, [`to.${mail}`]: true, [`to.${paged}`]: true, minTrust: "page" },
  });
  await addRule("Many", {
    ...{
      "on.new-in-release": true,
      "on.occurrences": true,
      "occurrences.count": 10,
      "occurrences.within": 24,
    },
    ...{ "on.users": true, "users.count": 3, [`to.${failing}`]: true, query: "env:production" },
  });
  await addRule("At work", {
    ...{ "on.new-issue": true, "on.user-feedback": true, "on.csp-violation": true },
    ...{ hours: true, from: "18:00", to: "19:00", timeZone: "UTC", coolDownMs: 0 },
    ...Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((day) => [`day.${day}`, true])),
    [`to.${hook}`]: true,
  });
  await addRule("Project", {
    ...{ "on.ingestion": true, "on.source-maps": true, "on.budget": true, "on.crash-free": true },
    ...{ "crash-free.percent": 99.5, [`to.${hook}`]: true },
  });
  await addRule("Off", { "on.new-issue": true, [`to.${hook}`]: true, enabled: false });
  await owner.change("/settings/repositories", { do: "issues", repository: "acme/shop" });
  await owner.change("/settings/alerts/test", { destination: hook });
  await member.change("/alerts/preferences", { do: "add-email", to: "grace@example.com" });
  await member.change("/alerts/preferences", {
    ...{ do: "add-push", name: "Firefox", endpoint: toTarget("/push") },
    ...{ p256dh: `B${"A".repeat(86)}`, auth: "A".repeat(22) },
  });
  await confirmAddresses(owner, folder, 2);
  const { destinations: own } = await member.get("/alerts/preferences.json");
  await member.change("/alerts/preferences", {
    ...{ do: "save", onlyAssigned: true, quiet: true, [`to.${own[0].id}`]: true },
    ...{ from: "22:00", to: "17:00", timeZone: "Europe/Berlin" },
  });
}

/** Opens the links of all confirmation mails, of which there are `count`, and confirms. */
async function confirmAddresses(visitor: Visitor, folder: string, count: number): Promise<void> {
  const mails = join(folder, "mail");
  const readLinks = () =>
    readdirSync(mails).flatMap((name) => {
      const text = name.endsWith(".txt") ? readFileSync(join(mails, name), "utf8") : "";
      return /\S+confirm-email\S+/.exec(text)?.[0] ?? [];
    });
  for (let n = 0; readLinks().length < count && n < 100; n++) await sleep(100);
  for (const link of readLinks()) {
    const { pathname, searchParams } = new URL(link);
    await visitor.request(pathname, { method: "POST", body: searchParams });
  }
}

/** The digests of a project's issues, the most frequent first. */
async function listDigests(visitor: Visitor, base = "", query = ""): Promise<readonly string[]> {
  const path = `${base}/issues.json?${new URLSearchParams({ q: query, sort: "count" })}`;
  const { issues } = await visitor.get(path);
  return issues.map(({ digest }: { digest: string }) => digest);
}

type Triaged = Awaited<ReturnType<typeof triage>>;

/** Sends reports of all formats and levels, uploads source maps, and triages. */
async function triage(started: StartedStore, { visitors, projects, mobileKey }: Begun) {
  const { url, nowMs } = started;
  const owner = createVisitor(url, visitors.owner);
  const member = createVisitor(url, visitors.member);
  const stranger = createVisitor(url);
  const page = { t: signPage(SERVER_KEY, "1", nowMs()) };
  const origin = { origin: "https://shop.example" };
  await sendCaptures(stranger, {
    server: { query: { sentry_key: SERVER_KEY } },
    browsers: [
      { query: page, headers: origin },
      { query: { sentry_key: KEY }, headers: fromNetwork(1) },
      { query: {}, headers: fromNetwork(2) },
    ],
  });
  // A leak of the server key, which the settings show.
  await sendTo(started, [], SERVER_KEY, { headers: origin }).catch(() => undefined);
  await sendOtlp(stranger, SERVER_KEY);
  await fetch(`http://127.0.0.1:${started.ports.get("till")}/open?token=0123456789abcdef`);
  const busy = Array.from({ length: 60 }, (_, n) => createEvent("busy", { n, atMs: nowMs() }));
  await sendTo(started, busy, SERVER_KEY);
  // As many chunks as are merged into one run of the catalog, and some more.
  for (let n = 0; n < 67; n++) {
    await sendTo(started, [createEvent("chunks", { n, atMs: nowMs() })], SERVER_KEY);
    await settleProject(owner, "/");
  }
  const known = createEvent("known", { atMs: nowMs(), release: "shop@4.4.0" });
  await sendTo(started, [known], SERVER_KEY);
  const browser = { platform: "javascript", request: { url: "https://shop.example/cart" } };
  const seen = Array.from({ length: 12 }, (_, n) =>
    createEvent(`seen${n % 4}`, { n, atMs: nowMs(), ...browser }),
  );
  await sendTo(started, seen, undefined, { query: page, headers: origin });
  // More new issues than one network may have in a day.
  const flood = Array.from({ length: 62 }, (_, n) =>
    createEvent(`flood${createWord(n)}`, { n, atMs: nowMs(), ...browser }),
  );
  for (let n = 0; n < flood.length; n += 20)
    await sendTo(started, flood.slice(n, n + 20), KEY, { headers: fromNetwork(9) });
  await sendForms(stranger, KEY, known.event_id);
  const personal = [0, 1, 2].map((n) =>
    createEvent("personal", {
      ...{ n, atMs: nowMs(), user: { id: "m", email: "erika.mustermann@mail.example" } },
      extra: { note: "from erika.mustermann@mail.example" },
    }),
  );
  await sendTo(started, personal, SERVER_KEY);
  const errors = await uploadMaps(createVisitor(url, visitors.uploader), owner);
  await sendTo(started, errors, SERVER_KEY);
  await owner.change(`${projects[1]}/sample`, {});
  const small = Array.from({ length: 24 }, (_, n) =>
    createEvent(`app${n % 6}`, { n, atMs: nowMs() }),
  );
  await sendTo(started, small, mobileKey, { project: String(projects[2]).slice(3) });

  const digests = await listDigests(owner);
  const pick = (n: number) => digests[n] ?? "";
  const find = async (code: string) => {
    const { hits } = await owner.get(`/lookup.json?q=${encodeURIComponent(code)}`);
    return String(hits[0]?.digest);
  };
  const decide = (n: number, fields: object, by = owner) =>
    by.change(`/d/${pick(n)}/state`, fields);
  const annotate = (n: number, fields: object, by = owner) =>
    by.change(`/d/${pick(n)}/annotations`, fields);
  await decide(0, { state: "resolved", release: "shop@5.0.0" });
  await decide(1, { state: "resolved", inNextRelease: true }, member);
  await decide(2, { state: "ignored", duration: "20d" });
  await decide(3, { state: "ignored", count: 500 }, member);
  await decide(4, { state: "muted" });
  await decide(5, { state: "muted" });
  await decide(5, { state: "open" });
  await decide(6, { state: "resolved" });
  const knownDigest = await find(known.event_id);
  const resolved = { state: "resolved", release: "shop@4.4.0" };
  await owner.change(`/d/${knownDigest}/state`, resolved);
  await annotate(7, { comment: "Only with **two** carts.\nSee https://wiki.example/carts" });
  await annotate(7, { comment: "I look at it: مارغريت" }, member);
  await annotate(7, { comment: "Wrong issue" });
  const { annotations } = await owner.get(`/d/${pick(7)}.json`);
  const wrong = annotations.activity.find(({ text }: { text?: string }) => text === "Wrong issue");
  await annotate(7, { deleteComment: wrong.id });
  await annotate(7, { assign: "Grace Hopper" });
  await annotate(8, { assign: "Ada Lovelace" }, member);
  await annotate(9, { assign: "Linus" });
  await annotate(9, { unassign: true });
  await annotate(10, { merge: [pick(11), pick(12), pick(13)] });
  await annotate(10, { split: pick(12) });
  await annotate(14, { mergeInto: pick(15) });
  await owner.submit("/issues/state", { digest: pick(16), do: "ignore" });
  const undo = await owner.submit("/issues/state", { matching: 'is:open "chat"', do: "resolve" });
  await owner.change("/undo", { undo });
  await owner.submit("/issues/state", { matching: 'is:open "forms"', do: "resolve-next" });
  await owner.change("/issues/state", { digest: digests.slice(20, 26), assign: "Grace Hopper" });
  await owner.change("/issues/state", { digest: [pick(30), pick(31)], do: "merge" });
  const seenDigest = await find(seen[0]?.event_id ?? "");
  await annotate(17, { splitByStack: true });
  await owner.change(`/d/${seenDigest}/annotations`, { splitByStack: true });
  const officeDigests = await listDigests(owner, projects[1]);
  await owner.change(`${projects[1]}/d/${officeDigests[3]}/state`, { state: "resolved" });
  const comment = { comment: "A comment in the second project" };
  await owner.change(`${projects[1]}/d/${officeDigests[4]}/annotations`, comment);
  await stranger.change(`/e/${pick(7)}`, { comment: "I paid twice." });

  const save = (name: string, query: string, sort: string) =>
    owner.change("/saved-views", { name, query, sort });
  await save("Mine", 'is:open assigned:"Grace Hopper"', "first");
  await save("Checkout", "is:open checkout", "last");
  await save("Deleted", "is:muted", "count");
  await owner.change("/saved-views", { name: "Deleted", delete: true });
  const feed = await owner.change("/settings/alerts/feeds", { do: "create", view: "Checkout" });
  await owner.change("/settings", {
    do: "set-keyless",
    keyless: "origins",
    origins: origin.origin,
  });
  const trace = (event: ReturnType<typeof createEvent>) => event.contexts.trace.trace_id;
  return {
    ...{ knownDigest, digests },
    paths: [new URL(feed.secrets[0]).pathname],
    lookups: [
      ...[known.event_id, trace(known), busy[3], busy[59]].map((one) =>
        typeof one === "string" ? one : (one?.event_id ?? ""),
      ),
      ...[trace(seen[2] as typeof known), "4183920571", "8f1c2d3e4f5a6b7c", pick(13), pick(12)],
      ...[pick(0).replace("-", "").toLowerCase(), "/cart/1000", "voucher of checkout"],
      ...["busy is not a function", "nothing that exists", `${pick(3).slice(0, -1)}!`],
    ],
  };
}

/** Sends later reports of known issues, so that some return, and changes more settings. */
async function receiveMore(started: StartedStore, begun: Begun, { knownDigest, digests }: Triaged) {
  const { url, nowMs } = started;
  const owner = createVisitor(url, begun.visitors.owner);
  const again = createEvent("known", { n: 1, atMs: nowMs(), release: "shop@5.0.0" });
  await sendTo(started, [again], SERVER_KEY);
  const server = { query: { sentry_key: SERVER_KEY } };
  for (const release of ["shop@5.0.0", "shop@5.0.0", "shop@4.4.0"])
    await send(createVisitor(url), createSessionBody(release), server);
  const dropped = readText(readCapture("sentry-browser.client-report"));
  await send(createVisitor(url), dropped, { query: { sentry_key: KEY } });
  const shop = { reports: 420, issues: 230 };
  for (const body of createProject(shop, nowMs(), new SeededRandom("later")))
    await send(createVisitor(url), body, { query: { sentry_key: SERVER_KEY } });
  const { decision } = await owner.get(`/d/${knownDigest}.json`);
  if (decision?.regressedAtMs === undefined) throw new Error("No issue has returned.");
  await owner.change(`/d/${digests[40]}/annotations`, { comment: "Seen again in 5.0.0" });
  const { messages } = await owner.get("/alerts.json");
  await owner.change("/alerts/read", { upTo: messages[3].id });
  await owner.change(`${begun.projects[2]}/rebuild`, {});
  const { settings } = await owner.get("/settings/alerts.json");
  const dead = settings.destinations.find(({ name }: { name: string }) => name === "Dead");
  await owner.change("/settings/alerts/destinations", { do: "enable", id: dead.id });
  await owner
    .request("/self-test/shell", { headers: { accept: "text/html" } })
    .catch(() => undefined);
}

/** Erases a text, an issue and a report, and leaves a preview. Resolves to the erasures' paths. */
async function erase(started: StartedStore, { visitors, projects }: Begun) {
  const owner = createVisitor(started.url, visitors.owner);
  const preview = async (text: string) => {
    const { preview: id } = await owner.change("/erase/preview", { text });
    await owner.get(`/erase/${id}.json`);
    return { id, path: `/erase/${id}.json` };
  };
  const text = "erika.mustermann@mail.example";
  const erased = await preview(text);
  await owner.change("/erase", { preview: erased.id, confirm: text });
  await owner.get(erased.path);
  const digests = await listDigests(owner, "", "is:open");
  await owner.change(`/d/${digests[30]}/erase`, { confirm: digests[30] });
  const { reports } = await owner.get(`/d/${digests[25]}.json`);
  await owner.change(`/d/${digests[25]}/erase`, { report: reports[0].id });
  const left = await preview("customer-3");
  const exported = await (await owner.request(`${projects[2]}/export`)).text();
  await owner.request(`${projects[1]}/import`, { method: "POST", body: exported });
  return [erased.path, left.path];
}

/** Waits until a destination may get no more messages now. */
async function deliver(started: StartedStore, { visitors }: Begun): Promise<void> {
  const owner = createVisitor(started.url, visitors.owner);
  let known = -1;
  await pollUntil("no message is sent", async () => {
    const before = known;
    await sleep(1_000);
    ({ delivered: known } = (await owner.get("/status.json")).alerts);
    return known === before;
  });
}

/**
 * Sends reports that stay in the rows of a shard, changes what can be undone, and starts jobs that
 * do not end. Resolves to the id that undoes the change of issues.
 */
async function sendLast(
  started: StartedStore,
  begun: Begun,
  { digests }: Triaged,
): Promise<string> {
  const { visitors, projects, mobileKey } = begun;
  const owner = createVisitor(started.url, visitors.owner);
  const atMs = started.nowMs();
  const known = Array.from({ length: 8 }, (_, n) => createEvent("busy", { n: 100 + n, atMs }));
  await sendTo(started, [...known, createEvent("local", { atMs })], SERVER_KEY);
  await pollUntil("the new issue is told", async () => {
    const { issues } = await owner.get("/issues.json?q=local");
    const { deliveries } = await owner.get("/settings/alerts.json");
    return deliveries.some(
      ({ digest, result }: { digest?: string; result: string }) =>
        digest === issues[0]?.digest && result === "delivered",
    );
  });
  await deliver(started, begun);
  const undo = await owner.submit("/issues/state", {
    digest: digests[33] ?? "",
    assign: "Ada Lovelace",
  });
  const { tokens } = await owner.get("/settings.json");
  const old = tokens.find(({ name }: { name: string }) => name === "old");
  await owner.submit("/settings", { do: "revoke-token", token: old.id });
  const path = "/settings/alerts/destinations";
  const { settings } = await owner.get("/settings/alerts.json");
  const unused = settings.destinations.find(({ name }: { name: string }) => name === "teams");
  await owner.submit(path, { do: "delete", id: unused.id });
  const app = createEvent("app1", { n: 200, atMs });
  await sendTo(started, [app], mobileKey, { project: String(projects[2]).slice(3) });
  const [confirm] = await listDigests(owner, projects[1], "is:open");
  await Promise.all([
    owner.change(`${projects[2]}/rebuild`, {}),
    owner.change(`${projects[1]}/d/${confirm}/erase`, { confirm }),
  ]);
  return undo ?? "";
}
