import { runInDurableObject } from "cloudflare:test";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createApp } from "#src/app.ts";
import { signValue } from "#src/auth/signed-value.ts";
import { PAGE_COSTS } from "#src/docs/page-costs.ts";
import { SETTINGS_PAGES } from "#src/http/desk/settings-pages.ts";
import { createMembers, ORIGIN, OWN_PAGE, type Proof } from "#support/accounts/members.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { expectConsoleError } from "#support/console.ts";
import { CountingWorker } from "#support/http/counting-worker.ts";
import {
  ALIAS,
  DIGESTS,
  PAGE_REQUESTS,
  type PageRequest,
  SERVER_KEY,
} from "#support/http/page-requests.ts";
import { skipPauses } from "#support/http/skip-pauses.ts";
import { createReport } from "#support/reports/reports.ts";
import { createThrowingFrame, runAlarm, uploadBuild } from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import {
  bindings,
  getIndex,
  getShard,
  log,
  projectStore,
  uploadChunk,
} from "#support/store/store.ts";

skipPauses();

/**
 * The calls for sample data depend on random data, those that remove self-tests on their number;
 * passkeys need an authenticator.
 */
const UNCOUNTED = [
  // These read no storage.
  "GET /P/:project/R/:digest",
  "GET /R/:digest",
  "GET /docs/search",
  "GET /opensearch.xml",
  "POST /connect",
  "POST /profile/passkeys",
  "POST /sample",
  "POST /sample/remove",
  "POST /self-test/remove",
  "POST /sign-in/invitation",
  "POST /sign-in/passkey",
];

const FAILS_ON_PURPOSE = "a page whose render fails";
const KEY = "0123456789abcdef0123456789abcdef";
const countingWorker = new CountingWorker({
  ERRATA_KEY: KEY,
  ERRATA_SERVER_KEY: SERVER_KEY,
  // Visitors can ask to be told of a fix. The mails are sent by objects without them.
  EMAIL: { send: async () => ({ messageId: "m1" }) },
  ERRATA_MAIL_FROM: "errata@errata.example",
});
let proof: Proof;

beforeAll(async () => {
  const { deployer, change, registry } = await createMembers();
  await change(deployer, { do: "create-project", name: "Second" });
  const { secret } = await registry.readCopy();
  const session = deployer.kind === "session" ? deployer.id : "";
  proof = { cookie: `__Host-errata-session=${signValue("session", session, secret)}` };
  const {
    known,
    twoSides,
    uncopied: withoutSnapshot,
    into,
    merged,
    violation,
    erased,
    many,
    mapped,
    traced,
  } = DIGESTS;
  const file = { bytes: 2, name: "a.txt", type: "text/plain", text: "ok" };
  const request = { url: "https://shop.example/cart", route: "/cart" };
  const policy = { originalPolicy: "img-src 'self'" };
  await log.append([
    createReport(1, {
      digest: known,
      attachments: [file],
      release: "1.4.0",
      request,
      aliases: [ALIAS],
    }),
    createReport(2, { digest: twoSides, request }),
    createReport(3, { digest: twoSides, isLinked: true, side: "browser" }),
    createReport(4, { digest: withoutSnapshot }),
    createReport(5, { digest: into }),
    createReport(6, { digest: merged }),
    createReport(7, { digest: violation, kind: "csp", type: "img-src", detail: policy }),
    createReport(8, { digest: erased }),
    createReport(9, {
      digest: mapped,
      message: "mapped",
      frames: [{ ...createThrowingFrame("app"), inApp: true }],
    }),
    createReport(10, { digest: traced, message: "traced", traceId: "a".repeat(32) }),
    ...Array.from({ length: 10 }, (_, n) =>
      createReport(20 + n, { digest: many, message: "many" }),
    ),
  ]);
  await uploadBuild("app");
  // The alarm marks the project in the registry, whose copy decides whether a page asks for maps.
  await runAlarm();
  await getShard().flush();
  await projectStore.annotate(into, { change: "merge", from: [merged] });
  await getIndex().waitUntilIdle();
  await uploadChunk();
  for (const digest of [withoutSnapshot, merged]) await bindings.KV.delete(`issue/1/${digest}`);
});

afterAll(() => emptyStore());

function createRequest({ route, path, body, accept, status }: PageRequest): Request {
  const isForm = typeof body === "string";
  return new Request(new URL(path, ORIGIN), {
    redirect: "manual",
    method: route.slice(0, route.indexOf(" ")),
    headers: {
      ...proof,
      "cf-connecting-ip": "192.0.2.1",
      "x-sentry-auth": `Sentry sentry_key=${KEY}`,
      ...(accept && { accept }),
      ...(status === 101 && { upgrade: "websocket" }),
      ...(body !== undefined && {
        ...OWN_PAGE,
        "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json",
      }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
}

/** Sends a request while the copy of the registry is fresh. */
async function visitWithFreshRegistry(request: PageRequest) {
  const nowMs = readNowMs();
  const { laterMs } = request;
  if (laterMs !== undefined) vi.spyOn(Date, "now").mockReturnValue(nowMs + laterMs);
  try {
    await countingWorker.visit(
      createRequest({ route: "GET /projects", path: "/projects", status: 200 }),
    );
    return await countingWorker.visit(createRequest(request));
  } finally {
    vi.restoreAllMocks();
  }
}

it("every row of the table is measured", () => {
  expect(PAGE_COSTS.map(({ page }) => page)).toEqual(Object.keys(PAGE_REQUESTS));
});

it("every route has a row, apart from settings pages, which are seldom opened", () => {
  const app = createApp();
  const routes = app.routes.filter(({ method, path }) => method !== "ALL" && !/^\/p\//.test(path));
  const counted = Object.values(PAGE_REQUESTS).flatMap((ways) => ways.map(({ route }) => route));
  const names = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  const seldom = SETTINGS_PAGES.flatMap(({ path }) => [`GET ${path}`, `GET ${path}.json`]);
  const left = [...names].filter((name) => ![...counted, ...seldom].includes(name));
  expect(left.sort()).toEqual(UNCOUNTED);
});

describe.each(PAGE_COSTS)("$page: $before, then $after", ({ page: row, before, after }) => {
  it.each(PAGE_REQUESTS[row] ?? [])("$route, $path", async (request) => {
    if (row === FAILS_ON_PURPOSE) expectConsoleError();
    expect(
      await visitWithFreshRegistry(request),
      `src/docs/page-costs.ts, ${row}: correct the row, or the code`,
    ).toEqual({ status: request.status, before, after });
  });
});

/** A page waits for a newer copy of the registry than one of this age. */
const OLD_COPY_MS = 31_000;

it.each([
  ["ERRATA_KEY", KEY, OLD_COPY_MS],
  // The first report has refreshed the copy.
  ["ERRATA_SERVER_KEY", SERVER_KEY, 2 * OLD_COPY_MS],
])("a report with %s refreshes an old registry after the response", async (_, key, laterMs) => {
  const [{ body } = { body: "" }] = PAGE_REQUESTS["sending reports"] ?? [];
  await visitWithFreshRegistry({ route: "GET /projects", path: "/projects", status: 200 });
  vi.spyOn(Date, "now").mockReturnValue(readNowMs() + laterMs);
  const sent = { method: "POST", body: JSON.stringify(body) };
  const request = new Request(`${ORIGIN}/monitoring?sentry_key=${key}`, sent);
  const { status, before, after } = await countingWorker.visit(request);
  vi.restoreAllMocks();
  expect([status, after]).toEqual([200, "1 KV read, 1 registry"]);
  expect(before).toMatch(/^1 log, \d limit$/);
});

it("the log sends a report to the index with one RPC, after the response", async () => {
  const calls: string[] = [];
  const PROJECT_INDEX = new Proxy(bindings.PROJECT_INDEX, {
    get: (target, name) => {
      calls.push(String(name));
      return Reflect.get(target, name).bind(target);
    },
  });
  await getShard().flush();
  await runInDurableObject(getShard(), (instance) => {
    Object.assign(instance, { env: { ...bindings, PROJECT_INDEX } });
  });
  const [request] = PAGE_REQUESTS["sending reports"] ?? [];
  if (request !== undefined)
    await visitWithFreshRegistry({ ...request, body: { ...(request.body as object), again: 1 } });
  await getShard().flush();
  expect(calls).toEqual(["getByName"]);
});
