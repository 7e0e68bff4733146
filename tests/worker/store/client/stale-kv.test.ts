import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createProjectStore } from "#src/store/client/project-store.ts";
import { toIssueKey, toIssueListKey } from "#src/store/kv/keys.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { eventually } from "#support/eventually.ts";
import { TEST_SERVER_KEY, visit } from "#support/http/visit.ts";
import { createMemoryLog } from "#support/reports/memory-log.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { createStaleKv } from "#support/store/stale-kv.ts";
import {
  bindings,
  getShard,
  listChunkKeys,
  NOW_MS,
  projectStore,
  uploadChunk,
  writeSnapshots,
} from "#support/store/store.ts";

afterEach(() => emptyStore());

const asJson = { headers: { accept: "application/json" } };
const NEXT_CODE = "2338823894";
/** Only reports of servers have receipts. */
const INGEST_PATH = `/monitoring?sentry_key=${TEST_SERVER_KEY}`;

/** A failed render, as Next.js reports it. */
const body = JSON.stringify({
  error: {
    name: "TypeError",
    message: "cart is undefined",
    digest: NEXT_CODE,
    stack: "TypeError: cart is undefined\n    at Cart (/srv/shop/app/cart/page.js:12:7)",
  },
  request: { path: "/cart", method: "GET", headers: {} },
  context: { routerKind: "App Router", routePath: "/cart", routeType: "render" },
});

/** Two locations that read one KV, each a minute behind, with a fixed clock. */
function createTwoLocations() {
  const clock = { nowMs: NOW_MS };
  const nowMs = () => clock.nowMs;
  const createLocation = () => {
    const kv = createStaleKv(bindings.KV, nowMs);
    const services = {
      projectStore: createProjectStore({ ...bindings, KV: kv }, { project: "1", shards: 1, nowMs }),
      nowMs,
    };
    return {
      kv,
      projectStore: services.projectStore,
      page: (path: string) => visit(path, { services }),
      json: async (path: string) => JSON.parse((await visit(path, { services, ...asJson })).body),
      report: async () => {
        const sent = await visit(INGEST_PATH, { method: "POST", body, services });
        return JSON.parse(sent.body) as { id: string; digest: string };
      },
    };
  };
  return { clock, a: createLocation(), b: createLocation() };
}

/** The digest that this report will have. */
async function predictDigest(): Promise<string> {
  const services = { reportWriter: createMemoryLog() };
  const { body: responseText } = await visit(INGEST_PATH, { method: "POST", body, services });
  return JSON.parse(responseText).digest;
}

describe("a digest that was requested in both locations before its first report", () => {
  let locations: ReturnType<typeof createTwoLocations>;
  let bothLocations: ReturnType<typeof createTwoLocations>["a"][];
  let id: string;
  let digest: string;

  beforeEach(async () => {
    locations = createTwoLocations();
    bothLocations = [locations.a, locations.b];
    digest = await predictDigest();
    for (const { page, json, kv } of bothLocations) {
      expect((await page(`/e/${digest}`)).body).not.toContain("Seen this week");
      expect(await json(`/lookup?q=${NEXT_CODE}`)).toMatchObject({ hits: [] });
      expect(await kv.get(toIssueKey("1", digest))).toBeNull();
      expect(await kv.get(toIssueListKey("1"))).toBeNull();
    }
    const sent = await locations.b.report();
    expect(sent.digest).toBe(digest);
    id = sent.id;
    // The snapshots are written, and neither location sees them.
    await eventually(async () => {
      expect(await bindings.KV.get(toIssueKey("1", digest))).not.toBeNull();
      expect(await bindings.KV.get(toIssueListKey("1"))).not.toBeNull();
    });
    for (const { kv } of bothLocations) {
      expect(await kv.get(toIssueKey("1", digest))).toBeNull();
      expect(await kv.get(toIssueListKey("1"))).toBeNull();
    }
  });

  it("has its page with the report, and its JSON, immediately", async () => {
    for (const { page, json } of bothLocations) {
      const { response, body: html, logged } = await page(`/d/${digest}`);
      expect([response.status, logged]).toEqual([200, []]);
      expect(html).toContain("cart is undefined");
      expect(html).toContain("page.js");
      expect(await json(`/d/${digest}`)).toMatchObject({ digest, count: 1, reports: [{ id }] });
      expect(await json(`/d/${digest}?report=${id}`)).toMatchObject({ id, digest });
    }
  });

  it("has its receipt immediately", async () => {
    for (const { page } of bothLocations) {
      expect((await page(`/e/${digest}`)).body).toContain("Seen this week");
      const { response } = await page(`/e/${NEXT_CODE}`);
      expect(response.headers.get("location")).toBe(`/e/${digest}`);
    }
  });

  it("is in the list immediately", async () => {
    for (const { page, json } of bothLocations) {
      expect((await page("/")).body).toContain(`/d/${digest}`);
      expect(await json("/")).toMatchObject({ total: 1, issues: [{ digest, count: 1 }] });
    }
  });

  it("is found immediately by digest, event id, framework code and words", async () => {
    for (const { json } of bothLocations) {
      for (const q of [digest, id, NEXT_CODE, "cart undefined"]) {
        const { hits } = await json(`/lookup?q=${encodeURIComponent(q)}`);
        expect(hits, q).toMatchObject([{ digest, count: 1 }]);
      }
    }
  });
});

it("a changed count is shown immediately, and the snapshots agree a minute later", async () => {
  const { clock, a, b } = createTwoLocations();
  const { digest } = await a.report();
  await eventually(async () => expect(await bindings.KV.get(toIssueListKey("1"))).not.toBeNull());
  await eventually(async () =>
    expect(await bindings.KV.get(toIssueKey("1", digest))).not.toBeNull(),
  );
  const bothLocations = [a, b];
  for (const createLocation of bothLocations)
    expect((await createLocation.projectStore.getIssue(digest))?.count).toBe(1);
  await b.report();
  for (const { page, json, projectStore: snapshots } of bothLocations) {
    expect((await snapshots.getIssue(digest))?.count, "the snapshot is stale").toBe(1);
    expect((await page(`/d/${digest}`)).body).toContain("2 times");
    expect(await json(`/d/${digest}`)).toMatchObject({ count: 2 });
    expect(await json("/")).toMatchObject({ issues: [{ digest, count: 2 }] });
  }
  await writeSnapshots();
  await eventually(async () => {
    expect((await bindings.KV.get(toIssueKey("1", digest), "json")) as unknown).toMatchObject({
      count: 2,
    });
  });
  for (const createLocation of bothLocations)
    expect((await createLocation.projectStore.getIssue(digest))?.count).toBe(1);
  clock.nowMs += 60_000;
  for (const createLocation of bothLocations)
    expect((await createLocation.projectStore.getIssue(digest))?.count).toBe(2);
});

it("a report that was looked up in KV before its upload is readable right after it", async () => {
  const { clock, a } = createTwoLocations();
  // So late that KV is read before the log.
  clock.nowMs = readNowMs() + 2 * 3_600_000;
  const { id, digest } = await a.report();
  const at = await a.projectStore.locateReport(id);
  expect(at?.digest).toBe(digest);
  const position = at?.position ?? "";
  expect((await a.projectStore.readReport({ position }))?.id).toBe(id);
  await getShard().flush();
  await uploadChunk();
  expect(await listChunkKeys()).toHaveLength(1);
  const { rows } = await getShard().getHealth();
  expect(rows, "the log has deleted its row").toBe(0);
  expect((await projectStore.readReport({ position }))?.id).toBe(id);
  expect((await a.projectStore.readReport({ position }))?.id).toBe(id);
});
