// What storage returns is not what programs read: a member that no schema declares stays inside.

import { afterEach, beforeEach, expect, it } from "vitest";
import type { Services } from "#src/http/context.ts";
import { createAlertMessage } from "#support/alerts/messages.ts";
import { createTestServices, visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const DIGEST = "7F3K-Q2M9";
const CANARY = "CANARY-OF-STORAGE";

/** Members whose names are data, or that programs read as JSON of any shape. */
const OPEN_MEMBERS = ["tags", "mergedGroupings", "detail", "vars", "params", "data"];

/** A copy in which each object has a further member. */
function addCanary(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addCanary);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, one]) => {
    return [name, OPEN_MEMBERS.includes(name) ? one : addCanary(one)];
  });
  return { ...Object.fromEntries(members), canary: CANARY };
}

let canaries = 0;

/** Storage whose answers have further members. */
function withCanaries<T extends object>(storage: T): T {
  return new Proxy(storage, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return async (...args: unknown[]) => {
        canaries += 1;
        return addCanary(await Reflect.apply(method, target, args));
      };
    },
  });
}

const upload = {
  id: "b".repeat(40),
  uploadedMs: 1,
  state: "ready",
  files: 1,
  maps: 1,
  scriptsWithoutMap: 0,
  storedBytes: 9,
} as const;
const facts = {
  version: "1.4.0",
  createdMs: 1,
  deploys: [{ environment: "production" }],
  commits: [{ id: "c" }],
};
const place = {
  kind: "resolved",
  matchedBy: "release",
  file: "src/cart.ts",
  line: 2,
  column: 1,
  inApp: true,
} as const;

let services: Partial<Services> = {};

beforeEach(async () => {
  canaries = 0;
  const { alerts, sourceMaps, dataVersions } = createTestServices({ waitUntil: () => undefined });
  const frames = [{ file: "https://shop.example/app.js", line: 1, column: 2, inApp: true }];
  await log.append([
    createReport(1, {
      frames,
      causes: [{ type: "Error", message: "no price", frames }],
      release: "1.4.0",
      request: { url: "https://shop.example/cart", headers: [["accept", "*/*"]] },
      breadcrumbs: [{ message: "click", data: { a: 1 } }],
      attachments: [{ name: "a.txt", bytes: 1, text: "a" }],
      tags: [["plan", "free"]],
      userSketch: "1a2",
      aliases: ["2338823895"],
      grouping: { version: 1, parts: [{ role: "type", value: "TypeError" }] },
    }),
    createReport(2, { kind: "csp", type: "img-src", digest: "NN8A-S8H6" }),
  ]);
  await projectStore.decide(DIGEST, { state: "resolved" });
  await projectStore.annotate(DIGEST, { change: "comment", id: toReportId(9), text: "Fixed." });
  await projectStore.saveView("Open", { query: "is:open", sort: "last" });
  services = {
    projectStore: withCanaries(projectStore),
    alerts: withCanaries(
      replaceMethods(alerts, {
        readInbox: async () => ({
          messages: [createAlertMessage()],
          notices: [],
          unread: 1,
          unreadNotices: 0,
          isFailing: false,
        }),
      }),
    ),
    sourceMaps: withCanaries(
      replaceMethods(sourceMaps, {
        summarize: async () => ({
          ...{ uploads: [upload], storedBytes: 9, maxStoredBytes: 10 },
          failures: [{ atMs: 1, detail: "A chunk is missing." }],
        }),
        resolveStacks: async ({ stacks }) => stacks.map((stack) => stack.map(() => place)),
        listReleaseFacts: async () => [facts],
        getCoverage: async () => [{ file: "app.js", hasMap: true }],
        listFiles: async () => [{ url: "~/app.js", kind: "script", bytes: 9, problems: [] }],
      }),
    ),
    dataVersions: withCanaries(dataVersions),
  };
});

const STORED = { name: "1.4.0" };

it.each([
  ["/", { total: 2 }],
  ["/issues.json?q=", { issues: [{ digest: expect.any(String) }, {}] }],
  [`/d/${DIGEST}.json`, { reports: [{ causes: [{}] }], annotations: { activity: [{}, {}] } }],
  [`/d/${DIGEST}.json?report=${toReportId(1)}`, { resolvedFrames: [{ file: place.file }] }],
  ["/d/2338823895.json", { digest: DIGEST }],
  ["/d/0000-0000.json", { reason: "unknown-digest" }],
  [`/lookup.json?q=${DIGEST}`, { hits: [{ digest: DIGEST }] }],
  ["/releases.json", { releases: [{ ...STORED, facts: { version: "1.4.0" } }] }],
  ["/releases/1.4.0.json", { release: STORED, new: { issues: [{}] }, scripts: [{ hasMap: true }] }],
  ["/source-maps.json?script=https://shop.example/app.js", { uploads: [{}], check: { asked: {} } }],
  [`/source-maps/${upload.id}.json`, { files: [{ kind: "script" }] }],
  ["/settings/alerts.json", { settings: { rules: [{}] }, views: [{ name: "Open" }] }],
  ["/alerts.json", { messages: [{ issues: [{ digest: DIGEST }] }] }],
  ["/alerts/preferences.json", { preferences: { onlyAssigned: false } }],
  ["/status.json", { health: { shards: [{}] }, outcomes: expect.any(Array) }],
  ["/csp.json", { issues: [{ digest: "NN8A-S8H6" }] }],
])("%s has no member that only storage knows", async (path, expected) => {
  const { body } = await visit(path, { headers: { accept: "application/json" }, services });
  expect(canaries).toBeGreaterThan(0);
  expect(JSON.parse(body)).toMatchObject(expected);
  expect(body).not.toContain(CANARY);
  expect(body).not.toMatch(/[sS]ketch|"watermarks"|"position"/);
});
