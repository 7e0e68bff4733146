/** A request to each operation of `/api/v1`, and the check of its answer against `/openapi.json`. */

import { expect, vi } from "vitest";
import type { Actor } from "#src/core/accounts/actors.ts";
import { API_PATH } from "#src/core/accounts/project-path.ts";
import type { RegistryChange } from "#src/core/accounts/registry-changes.ts";
import type { Destination } from "#src/core/alerts/destinations/destinations.ts";
import { DEFAULT_RULE } from "#src/core/alerts/rule.ts";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { listPathMembers } from "#src/core/operation-facts.ts";
import { createOpenApi } from "#src/http/api/openapi.ts";
import type { Operation } from "#src/operations/operation.ts";
import { parseRoute, takesQuery } from "#src/operations/operation.ts";
import { OPERATIONS } from "#src/operations/operations.ts";
import { createRegistryClient } from "#src/store/accounts/registry-client.ts";
import { toSha256 } from "#support/accounts/memory-registry.ts";
import { createWebhook } from "#support/alerts/alert-steps.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { createThrowingFrame, uploadBuild } from "#support/source-maps/uploads.ts";
import { bindings, getIndex, getShard, log, projectStore, storage } from "#support/store/store.ts";
import { type CheckedSchema, findMismatches } from "./check-schema.ts";

/** The issues of `storeIssues`. */
export const DIGESTS = {
  whole: "7F3K-Q2M9",
  other: digestFromHash(new Uint8Array(32).fill(1)),
  erased: digestFromHash(new Uint8Array(32).fill(2)),
} as const;
const { whole, other, erased } = DIGESTS;

/** The report of `DIGESTS.whole` with most members. */
const REPORT_ID = toReportId(1);
const RELEASE = "1.4.0";
/** A destination of alerts that leads to an agent. */
const AGENT_ID = "e".repeat(32);

/** Ids that only the store knows. */
export interface StoredIds {
  /** The id of an upload of source maps. */
  readonly upload: string;
  /** The id of a change that can be undone. */
  readonly change: string;
  /** The id of a connection to a tracker that does not answer. */
  readonly tracker: string;
  /** The ids of what owners set up. */
  readonly key: string;
  readonly rotated: string;
  readonly token: string;
  readonly invitation: string;
  readonly person: string;
  /** The id of a removal that can be undone. */
  readonly removal: string;
  /** The id of a preview of an erasure. */
  readonly preview: string;
}

const TRACKER = {
  kind: "github",
  project: "acme/shop",
  baseUrl: "https://tracker.example.com",
  token: "ghp_0123456789",
} as const;

/** Lets no tracker answer until the result is called. Tests have no network. */
export function stopTrackers(): () => void {
  const spy = vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("no network"));
  return () => spy.mockRestore();
}

/** Stores issues whose answers have most members, and an upload of source maps. */
export async function storeIssues(): Promise<StoredIds> {
  const frames = [{ ...createThrowingFrame("app"), inApp: true }];
  const request = { url: "https://shop.example/cart", route: "/cart", headers: [["a", "b"]] };
  await log.append([
    createReport(1, {
      digest: whole,
      release: RELEASE,
      environment: "production",
      frames,
      request: { ...request, method: "GET", userAgent: "a browser" } as never,
      causes: [{ type: "Error", message: "cause", frames }],
      tags: [["tenant", "acme"]],
      breadcrumbs: [{ message: "clicked", atMs: Date.UTC(2026, 10, 21), data: { a: 1 } }],
      attachments: [{ name: "a.txt", type: "text/plain", bytes: 2, text: "ok" }],
      aliases: ["NEXT_1234"],
      detail: { a: ["b"] },
      componentStack: "\n    at Cart (https://shop.example/assets/app.js:1:20)",
      response: { status: 200, isSilent200: true },
      level: "warning",
      grouping: { version: 1, parts: [{ role: "type", value: "TypeError" }] },
    }),
    createReport(2, { digest: whole, trust: "public", side: "browser", message: "public" }),
    createReport(3, { digest: other, trust: "page", side: "browser", message: "page" }),
    createReport(5, {
      digest: digestFromHash(new Uint8Array(32).fill(3)),
      kind: "csp",
      side: "browser",
      trust: "page",
      type: "script-src-elem",
      blockedUri: "https://shop.example/own.js",
      request,
    } as never),
    createReport(4, { digest: erased, trust: "public", side: "browser", tags: [["a", "b"]] }),
  ]);
  const { state } = await uploadBuild("app", { release: RELEASE });
  if (state !== "ok") throw new Error(`upload: ${state}`);
  await getShard().flush();
  await getIndex().waitUntilIdle();
  const change = "c".repeat(32);
  await projectStore.decide(whole, { by: "Ada", state: "resolved", inNextRelease: true }, change);
  await projectStore.annotate(whole, { change: "comment", id: "d".repeat(32), text: "seen" });
  const { settings } = createWebhook(AGENT_ID);
  const agent = { id: AGENT_ID, name: "Robot", settings: { ...settings, kind: "agent" } };
  await storage.alerts.saveDestination(agent as Destination, "https://errata.example");
  // The object of alerts sends the same to the index, a moment later.
  const agents = [{ id: AGENT_ID, name: "Robot", dailyCap: 5 }];
  await getIndex().setAlertRules({ version: 1, rules: [DEFAULT_RULE], agents });
  const [first] = (await storage.sourceMaps.summarize()).uploads;
  const saved = await storage.alerts.saveTracker(undefined, TRACKER, "https://errata.example");
  const tracker = saved.ok ? saved.value.tracker.id : "";
  await storage.projectStore.saveView("fed", { query: "is:open", sort: "last" });
  const preview = "e".repeat(32);
  await storage.projectAdmin.previewErasure(preview, "nobody@example.com");
  await vi.waitFor(
    async () => expect((await storage.projectAdmin.getErasure(preview))?.found).toBeDefined(),
    { timeout: 20_000, interval: 50 },
  );
  return { upload: first?.id ?? "", change, preview, tracker, ...(await storeSettings()) };
}

/**
 * What must be so at the time of a request: the sender of alerts, which has no agent, tells the index
 * its rules again when it takes alerts.
 */
export const PREPARATIONS: Readonly<Record<string, () => Promise<void>>> = {
  "issues.handOff": async () => {
    const agents = [{ id: AGENT_ID, name: "Robot", dailyCap: 5 }];
    await getIndex().setAlertRules({ version: 1, rules: [DEFAULT_RULE], agents });
  },
};

/** Sets up keys, a token, an invitation and a person in the first project. */
async function storeSettings() {
  const registry = createRegistryClient(
    { ...bindings },
    { nowMs: readNowMs, waitUntil: (work) => void work.catch(() => undefined) },
  );
  const project = "1";
  const make = async (change: object, actor: Actor | null = { kind: "local" }) => {
    const made = await registry.applyChange(actor, { project, ...change } as RegistryChange);
    if (!made.ok) throw new Error(`${JSON.stringify(change)}: ${made.reason}`);
    return made.value;
  };
  const create = async (change: object) => (await make(change)).createdId ?? "";
  const addKey = { do: "add-key", kind: "public", name: "shop", origins: [] };
  const removal = "b".repeat(32);
  const addToken = { do: "add-token", role: "viewer", name: "ci" };
  await make({ do: "revoke-token", token: await create(addToken), undoId: removal });
  // A project keeps an owner.
  for (const [name, role] of [
    ["Olga", "owner"],
    ["Grace", "viewer"],
  ]) {
    const { secrets: [code = ""] = [] } = await make({ do: "invite", role });
    await make({ do: "sign-in-with-code", hash: toSha256(code), name, userAgent: "" }, null);
  }
  const { people } = await registry.readCopy();
  return {
    key: await create(addKey),
    rotated: await create({ ...addKey, name: "old" }),
    token: await create(addToken),
    invitation: await create({ do: "invite", role: "viewer" }),
    person: people.find(({ name }) => name === "Grace")?.id ?? "",
    removal,
  };
}

const DESTINATION = { id: "on-call" };

/** An input of each operation that succeeds after `storeIssues`, in an order in which all do. */
export const INPUTS: Readonly<Record<string, (ids: StoredIds) => object>> = {
  "issues.list": () => ({ query: "is:resolved", sort: "count" }),
  "issues.listAll": () => ({ query: "is:resolved", sort: "users" }),
  "issues.values": () => ({ key: "release", text: "1" }),
  "issues.newest": () => ({}),
  "overview.get": () => ({}),
  "issues.get": () => ({ digest: whole }),
  "issues.investigate": () => ({ digest: whole }),
  "reports.source": () => ({ digest: whole, report: REPORT_ID, lines: 3 }),
  "reports.get": () => ({ digest: whole, report: REPORT_ID }),
  "issues.lookUp": () => ({ text: whole }),
  "reports.live": () => ({ text: "price" }),
  "releases.list": () => ({}),
  "releases.get": () => ({ name: RELEASE }),
  "releases.describe": () => ({ name: RELEASE, commits: [{ id: "abcdef1", message: "Start" }] }),
  "releases.compare": () => ({ base: RELEASE, release: RELEASE }),
  "sourceMaps.list": () => ({ script: "https://shop.example/assets/app.js:1:20" }),
  "sourceMaps.get": ({ upload }) => ({ id: upload }),
  "alerts.settings": () => ({}),
  "alerts.list": () => ({}),
  "alerts.listAll": () => ({}),
  "inbox.list": () => ({}),
  "inbox.listAll": () => ({}),
  "inbox.markRead": () => ({ noticesUpTo: "ntc_1_1", alertsUpTo: "msg_1_1" }),
  "alerts.preferences": () => ({}),
  "policies.list": () => ({}),
  "policies.try": () => ({ policy: "script-src 'self'" }),
  "status.get": () => ({}),
  "whoami.get": () => ({}),
  "changes.undo": ({ change }) => ({ change }),
  "issues.decide": () => ({ digest: whole, state: "snoozed", duration: "7d" }),
  "issues.decideMany": () => ({ digests: [whole, other], state: "open" }),
  "issues.assign": () => ({ digest: whole }),
  "issues.assignMany": () => ({ query: "is:open" }),
  "issues.comment": () => ({ digest: whole, comment: "The price is missing." }),
  "issues.handOff": () => ({ digest: whole, destination: AGENT_ID }),
  "issues.reportFix": () => ({ digest: whole, kind: "proposed", url: "https://github.com/a/b/5" }),
  "issues.deleteComment": () => ({ digest: whole, comment: "d".repeat(32) }),
  "issues.merge": () => ({ digest: whole, from: [other] }),
  "issues.split": () => ({ digest: whole, split: other }),
  "issues.mergeMany": () => ({ digests: [whole, other] }),
  "views.save": () => ({ name: "mine", query: "is:open" }),
  "views.delete": () => ({ name: "mine" }),
  "repositories.save": () => ({ id: "a", url: "https://github.com/acme/shop" }),
  "repositories.get": () => ({}),
  "owners.save": () => ({ rules: "path:src/** -> @acme/cart" }),
  "repositories.remove": () => ({ id: "a" }),
  "issues.splitByStack": () => ({ digest: whole }),
  "issues.groupTogether": () => ({ digest: whole }),
  "trackers.list": () => ({}),
  "trackers.save": () => TRACKER,
  "trackers.check": ({ tracker }) => ({ tracker }),
  "trackers.rotateSecret": ({ tracker }) => ({ tracker }),
  "trackers.sendAgain": ({ tracker }) => ({ tracker }),
  "issues.previewTrackerIssue": () => ({ digest: whole }),
  "issues.linkTracker": () => ({ digest: whole, url: "https://issues.example.com/1" }),
  "issues.unlinkTracker": () => ({ digest: whole }),
  "issues.createTrackerIssue": ({ tracker }) => ({ digest: whole, tracker }),
  "trackers.remove": ({ tracker }) => ({ tracker }),
  "views.list": () => ({}),
  "views.createFeed": () => ({ view: "fed" }),
  "views.revokeFeed": () => ({ view: "fed" }),
  "alerts.saveDestination": () => ({
    ...DESTINATION,
    name: "On call",
    kind: "email",
    settings: { to: "ada@example.com, bob@example.com" },
  }),
  "alerts.saveRule": () => ({
    id: "new-issues",
    name: "New issues",
    triggers: [{ kind: "new-issue" }],
    query: "is:open",
    workingHours: { days: [1, 2], from: 540, to: 1_020, timeZone: "Europe/Berlin" },
  }),
  "alerts.checkQuery": () => ({ query: "release:1.4" }),
  "alerts.deleteRule": () => ({ id: "new-issues" }),
  "alerts.enableDestination": () => DESTINATION,
  "alerts.setSummary": () => ({ ...DESTINATION, every: "week" }),
  "alerts.rotateSecret": () => DESTINATION,
  "alerts.test": () => DESTINATION,
  "alerts.sendAgain": () => ({ message: "none" }),
  "alerts.sendWaiting": () => DESTINATION,
  "alerts.deleteDestination": () => DESTINATION,
  "alerts.restoreDestination": () => ({ removal: "a".repeat(32) }),
  "alerts.setRepository": () => ({ repository: "acme/shop" }),
  "projects.get": () => ({}),
  "keys.list": () => ({}),
  "members.list": () => ({}),
  "invitations.list": () => ({}),
  "tokens.list": () => ({}),
  "audit.list": () => ({ from: "1000" }),
  "projects.create": () => ({ name: "Third" }),
  "projects.rename": () => ({ name: "Shop" }),
  "projects.archive": () => ({}),
  "projects.reopen": () => ({}),
  "projects.setKeyless": () => ({ keyless: "origins", origins: ["https://shop.example"] }),
  "projects.setNoiseRules": () => ({ extension: true, injected: false }),
  "keys.create": () => ({ kind: "server", name: "api", perMinute: 600 }),
  "keys.change": ({ key }) => ({ key, name: "shop", origins: ["https://shop.example"] }),
  "keys.rotate": ({ rotated }) => ({ key: rotated, overlapHours: 2 }),
  "keys.pause": ({ key }) => ({ key }),
  "keys.resume": ({ key }) => ({ key }),
  "keys.revoke": ({ key }) => ({ key }),
  "invitations.create": () => ({ role: "viewer" }),
  "invitations.withdraw": ({ invitation }) => ({ invitation }),
  "members.setRole": ({ person }) => ({ person, role: "member" }),
  "members.remove": ({ person }) => ({ person }),
  "tokens.create": () => ({ name: "ci", role: "uploader", expiresInDays: 30 }),
  "tokens.revoke": ({ token }) => ({ token }),
  "removals.undo": ({ removal }) => ({ undo: removal }),
  "projects.delete": () => ({ confirm: "another name" }),
  "erasures.preview": () => ({ text: "ada@example.com" }),
  "erasures.get": ({ preview }) => ({ preview }),
  "erasures.start": ({ preview }) => ({ preview, confirm: "nobody@example.com", reports: 0 }),
  "projects.rebuild": () => ({}),
  "sourceMaps.delete": ({ upload }) => ({ id: upload }),
  "reports.erase": () => ({ digest: whole, report: REPORT_ID }),
  "issues.erase": () => ({ digest: erased, confirm: erased }),
  "projects.eraseData": () => ({ confirm: "erase everything" }),
};

/** The status of a request of `INPUTS` that cannot succeed in the first project. */
export const STATUSES: Readonly<Record<string, number>> = {
  "projects.archive": 409,
  "projects.reopen": 409,
  "projects.delete": 409,
  "alerts.sendAgain": 404,
  "alerts.rotateSecret": 404,
};

/** The operation with this name. */
export function getOperation(name: string): Operation {
  const found = OPERATIONS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`No operation ${name}`);
  return found;
}

/** A request to an operation of a project; `trust` is the parameter of this name. */
export function createApiRequest(
  operation: Operation,
  input: object,
  { project = "1", trust }: { readonly project?: string; readonly trust?: string } = {},
) {
  const { method, path } = parseRoute(operation);
  const inPath = listPathMembers(path);
  const members = Object.entries(input);
  const others = members.filter(([name]) => !inPath.includes(name));
  const isRead = takesQuery(operation);
  const query = new URLSearchParams(isRead ? others.map(([name, one]) => [name, `${one}`]) : []);
  if (trust !== undefined) query.set("trust", trust);
  const filled = members.reduce((text, [name, one]) => {
    const isInPath = inPath.includes(name);
    return isInPath ? text.replace(`{${name}}`, encodeURIComponent(`${one}`)) : text;
  }, path);
  const base = project === "1" ? API_PATH : `/p/${project}${API_PATH}`;
  const search = query.size === 0 ? "" : `?${query}`;
  return {
    path: base + filled + search,
    method,
    ...(others.length > 0 && !isRead && { body: JSON.stringify(Object.fromEntries(others)) }),
    headers: { "content-type": "application/json" },
  };
}

const DOCUMENT = createOpenApi();
const SCHEMAS: Readonly<Record<string, CheckedSchema>> = DOCUMENT.components.schemas;

interface DocumentedResponse {
  readonly content?: Readonly<Record<string, { readonly schema: CheckedSchema }>>;
}

/** How a response differs from those that the document describes; empty if it does not. */
export function findContractMismatches(
  operation: Operation,
  { status, headers }: Response,
  json: unknown,
): readonly string[] {
  const { method, path } = parseRoute(operation);
  const documented = DOCUMENT.paths[path]?.[method.toLowerCase()] as {
    readonly responses: Readonly<Record<number, DocumentedResponse>>;
  };
  const response = documented.responses[status];
  if (response === undefined) return [`${status} is not in the document`];
  const type = headers.get("content-type") ?? "";
  const schema = response.content?.[type]?.schema;
  if (schema !== undefined) return findMismatches(schema, json, SCHEMAS);
  return json === null ? [] : [`${status} has no content of type ${type}`];
}
