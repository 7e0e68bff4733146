/** A flood of invented errors through the public path, and what it must not hide or change. */
import { abortAllDurableObjects } from "cloudflare:test";
import { createHmac } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { KEYLESS_ID } from "#src/core/accounts/ingest-keys.ts";
import { parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { OTHER_ANONYMOUS_DIGEST } from "#src/core/issue/other-anonymous-reports.ts";
import { limits } from "#src/core/limits.ts";
import type { Digest } from "#src/core/report.ts";
import {
  encodePageToken,
  toClaimBytes,
  toKeyId,
  toPageId,
  toSignedBytes,
  toTokenMinutes,
} from "#src/core/trust/page-token-format.ts";
import { toSha256 } from "#support/accounts/memory-registry.ts";
import { pageTokens } from "#support/accounts/page-tokens.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { forgetIsolate, TEST_SERVER_KEY, testConfig, visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { NOW_MS, projectStore } from "#support/store/store.ts";

afterEach(async () => {
  await emptyStore();
  // It remembers the registry.
  forgetIsolate();
});

const SHOP = "https://shop.example";
const PUBLIC_KEY = `/monitoring?sentry_key=${testConfig.ingestKey}`;
const JSON_POST = {
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json" },
};
const OPEN = parseIssueQuery("is:open");

interface TestEvent {
  readonly type: string;
  readonly release?: string;
  /** How long ago it happened. */
  readonly ageMs?: number;
}

/** Sends events in one envelope from an address. */
async function send(
  path: string,
  address: string,
  events: readonly TestEvent[],
  headers: Readonly<Record<string, string>> = {},
) {
  const items = events.map(({ type, release, ageMs = 0 }) => {
    const frame = { filename: "app.js", function: type, lineno: 7, in_app: true };
    const exception = { values: [{ type, value: "failed", stacktrace: { frames: [frame] } }] };
    const timestamp = (readNowMs() - ageMs) / 1_000;
    const event = { exception, timestamp, release, platform: "javascript" };
    return `{"type":"event"}\n${JSON.stringify(event)}`;
  });
  const { response } = await visit(path, {
    method: "POST",
    body: ["{}", ...items].join("\n"),
    headers: { "cf-connecting-ip": address, ...headers },
    services: { pageTokens, nowMs: readNowMs },
  });
  return response;
}

/** The token of a page of the application, as its server signs it. */
function signShopPage(): string {
  const keyHash = Buffer.from(toSha256(TEST_SERVER_KEY), "hex");
  const claims = toClaimBytes({
    ...{ isShared: false, isOwn: false, isForVisitor: false },
    keyId: toKeyId(toSha256(TEST_SERVER_KEY)),
    minutes: toTokenMinutes(NOW_MS),
    pageId: toPageId("e44a7a5c00112233445566778899aabb"),
  });
  const bytes = toSignedBytes(claims, { project: "1", origin: SHOP });
  return encodePageToken(claims, createHmac("sha256", keyHash).update(bytes).digest());
}

const toName = (n: number) =>
  `Invented${String(n).replace(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "")}Error`;
/** Different errors, each of an own issue. */
const invent = (from: number, count: number, over: Partial<TestEvent> = {}) =>
  Array.from({ length: count }, (_, n) => ({ type: toName(from + n), ...over }));
const toAddress = (network: number) => `100.${64 + (network >> 8)}.${network & 255}.7`;
const listTypes = async (query = OPEN) =>
  (await projectStore.listIssues(query)).issues.map(({ type }) => type);

/** The facts of an issue that only its own level may change. */
async function readHistory(digest: Digest) {
  const issue = await projectStore.getFreshIssue(digest);
  if (issue === null) throw new Error("the issue is gone");
  const { type, message, firstSeenMs, firstRelease, release, days, hours, releases } = issue;
  const { state, trust, count, publicCount } = issue;
  const ownCount = count - publicCount;
  return {
    type,
    message,
    firstSeenMs,
    firstRelease,
    release,
    days,
    hours,
    releases,
    state,
    trust,
    ownCount,
  };
}

describe("3,000 errors from one network", () => {
  it("are one row, and change neither servers' issues nor the place of an outage", async () => {
    const server = `/monitoring?sentry_key=${TEST_SERVER_KEY}`;
    const names = ["CheckoutError", "PaymentError", "SearchError"];
    // Page and public reports of one of the errors come first, and claim an earlier time.
    const claim = { type: "CheckoutError", release: "evil@0", ageMs: 3_000_000 };
    await send(`/monitoring?t=${signShopPage()}`, "203.0.113.9", [claim], { origin: SHOP });
    await send(PUBLIC_KEY, "203.0.113.9", [claim]);
    await send(
      server,
      "192.0.2.1",
      names.map((type) => ({ type, release: "shop@2.0.0" })),
    );
    const before = (await projectStore.listIssues(parseIssueQuery("trust:server"))).issues;
    expect(before.map(({ type }) => type).sort()).toEqual(names);
    const histories = await Promise.all(before.map(({ digest }) => readHistory(digest)));

    for (let request = 0; request < 30; request++) {
      const over = { release: `evil@${request}`, ageMs: (request % 3) * 1_200_000 };
      const claims = names.map((type) => ({ type, ...over }));
      const events = [...claims, ...invent(request * 97, 97, over)];
      await send(PUBLIC_KEY, `198.51.100.${request}`, events);
    }

    for (const [n, { digest }] of before.entries())
      expect(await readHistory(digest)).toEqual(histories[n]);
    const flooded = await projectStore.listIssues(OPEN);
    expect(flooded.issues.map(({ type }) => type)).toEqual(expect.arrayContaining(names));
    expect(flooded.issues.filter(({ type }) => type.startsWith("Invented"))).toEqual([]);
    expect(flooded.issues.map(({ digest }) => digest)).not.toContain(OTHER_ANONYMOUS_DIGEST);
    const [flood, ...others] = flooded.floods ?? [];
    expect(others).toEqual([]);
    expect(flood).toMatchObject({ key: "configured", networks: 1 });
    expect(flood?.issues).toBeLessThanOrEqual(limits.maxNewIssuesPerNetworkAndDay);
    expect(flood?.issues).toBeGreaterThan(limits.maxNewIssuesPerNetworkAndDay - 5);
    expect(flood?.reports).toBeGreaterThan(2_890);
    const folded = await projectStore.listIssues(parseIssueQuery("is:folded"));
    expect(folded.total).toBe((flood?.issues ?? 0) + 1);

    for (let network = 0; network < 200; network++)
      await send(PUBLIC_KEY, toAddress(network), [{ type: "OutageError" }]);
    const { issues, floods } = await projectStore.listIssues(OPEN);
    const outage = issues.find(({ type }) => type === "OutageError");
    expect(outage).toMatchObject({ count: 200, trust: "public" });
    expect(outage?.networkCount).toBeGreaterThanOrEqual(limits.minUnfoldedNetworks);
    expect(floods?.length).toBe(1);

    const { body } = await visit("/issues");
    expect(body.split("Flood from browsers:").length).toBe(2);
    expect(body).toMatch(/Review .{0,20}\d+/);
    expect(body).toContain("Pause this key");
    expect(body).toContain("OutageError");
  }, 60_000);
});

describe("a flood", () => {
  it("folds no issue of five networks, of another key or of a page", async () => {
    await send(PUBLIC_KEY, "198.51.100.1", invent(0, 40));
    await send("/monitoring", "198.51.100.1", [{ type: "KeylessError" }]);
    for (let network = 0; network < 5; network++)
      await send(PUBLIC_KEY, toAddress(network), [{ type: "SpreadError" }]);
    for (let network = 0; network < 4; network++)
      await send(PUBLIC_KEY, toAddress(network), [{ type: "RareError" }]);
    expect((await listTypes()).sort()).toEqual(["KeylessError", "SpreadError"]);
    expect(await listTypes(parseIssueQuery("is:folded"))).toContain("RareError");
    // A search by words shows what the row hides.
    expect(await listTypes(parseIssueQuery("RareError"))).toEqual(["RareError"]);
  });

  it("counts no more than two networks of one IPv6 provider", async () => {
    await send(PUBLIC_KEY, "2001:db8:1::1", invent(0, 40));
    for (let site = 2; site < 60; site++)
      await send(PUBLIC_KEY, `2001:db8:${site.toString(16)}::1`, [{ type: "HoppingError" }]);
    expect(await listTypes()).toEqual([]);
    const [hopping] = (await projectStore.listIssues(parseIssueQuery("HoppingError"))).issues;
    expect(hopping).toMatchObject({ count: 58, networkCount: 2 });
    for (const address of ["198.51.100.1", "203.0.113.1", "2a00:1:2::1"])
      await send(PUBLIC_KEY, address, [{ type: "HoppingError" }]);
    expect(await listTypes()).toEqual(["HoppingError"]);
  });

  it("has its reports and networks after a restart", async () => {
    await send(PUBLIC_KEY, "198.51.100.1", invent(0, 60));
    await send(PUBLIC_KEY, "198.51.100.1", invent(60, 90));
    await send(PUBLIC_KEY, "203.0.113.1", invent(0, 1));
    await send(PUBLIC_KEY, "203.0.113.1", invent(200, 1));
    await projectStore.listIssues(OPEN);
    await abortAllDurableObjects();
    const [flood] = (await projectStore.listIssues(OPEN)).floods ?? [];
    expect(flood?.networks).toBe(2);
    expect(flood?.reports).toBeGreaterThan(130);
  });

  it("is none below its smallest number, and without known networks", async () => {
    await send(PUBLIC_KEY, "198.51.100.1", invent(0, limits.minFloodIssues - 1));
    expect((await projectStore.listIssues(OPEN)).floods).toBeUndefined();
    await emptyStore();
    await send(PUBLIC_KEY, "", invent(0, 60));
    const { floods, total } = await projectStore.listIssues(OPEN);
    expect([floods, total]).toEqual([undefined, 60]);
  });
});

describe("new issues of one network", () => {
  const max = limits.maxNewIssuesPerNetworkAndDay;

  it.each([
    ["IPv4", "198.51.100.1", "198.51.100.250", "198.51.101.1"],
    ["IPv6", "2001:db8:5:1::1", "2001:db8:5:ffff::9", "2001:db8:6:1::1"],
  ])("are limited by day (%s)", async (_, first, sameNetwork, other) => {
    await send(PUBLIC_KEY, first, invent(0, 40));
    await send(PUBLIC_KEY, sameNetwork, invent(100, 40));
    await send("/monitoring", other, [{ type: "OtherNetworkError" }]);
    await send(`/monitoring?sentry_key=${TEST_SERVER_KEY}`, first, [{ type: "ServerError" }]);
    const { total } = await projectStore.listIssues(parseIssueQuery("is:folded"));
    expect(total).toBe(max + 1);
    const rest = await projectStore.getFreshIssue(OTHER_ANONYMOUS_DIGEST);
    expect(rest?.count).toBe(80 - max);
    expect((await listTypes()).sort()).toEqual(["OtherNetworkError", "ServerError"]);
  });
});

describe("a resolved issue of a server", () => {
  it("reopens for public reports from three networks only", async () => {
    await send(`/monitoring?sentry_key=${TEST_SERVER_KEY}`, "192.0.2.1", [
      { type: "PaymentError" },
    ]);
    const [issue] = (await projectStore.listIssues(OPEN)).issues;
    const digest = issue?.digest ?? "";
    await projectStore.decide(digest, { state: "resolved" });
    const later = { type: "PaymentError", ageMs: -1_000 };
    const getState = async () => (await projectStore.getFreshIssue(digest))?.state;
    for (const address of ["198.51.100.1", "198.51.100.2", "203.0.113.1", "203.0.113.9"])
      await send(PUBLIC_KEY, address, [later]);
    expect(await getState()).toBe("resolved");
    await send(PUBLIC_KEY, "192.0.2.77", [later]);
    expect(await getState()).toBe("open");
    const { activity } = await projectStore.getAnnotations(digest);
    expect(activity.filter(({ action }) => action === "regressed").length).toBe(1);
  });
});

describe("a paused key", () => {
  const change = (action: string, key: string) =>
    visit("/settings", {
      ...JSON_POST,
      body: JSON.stringify({ do: action, key }),
    });

  it.each([
    ["the configured key", PUBLIC_KEY, "configured"],
    ["no key", "/monitoring", KEYLESS_ID],
  ])("refuses reports and counts them, until it is resumed: %s", async (_, path, key) => {
    expect((await change("pause-key", key)).response.status).toBeLessThan(300);
    const refused = await send(path, "198.51.100.1", [{ type: "PaymentError" }]);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ reason: "key-paused" });
    const server = `/monitoring?sentry_key=${TEST_SERVER_KEY}`;
    expect((await send(server, "192.0.2.1", [{ type: "ServerError" }])).status).toBe(200);
    expect(await listTypes()).toEqual(["ServerError"]);
    const { body } = await visit("/settings/audit.json");
    expect(JSON.parse(body).entries[0]).toMatchObject({ action: "pause-key" });
    await change("resume-key", key);
    expect((await send(path, "198.51.100.1", [{ type: "PaymentError" }])).status).toBe(200);
  });

  it("is a public key of the project", async () => {
    const add = { do: "add-key", kind: "server", name: "Shop" };
    const { body } = await visit("/settings", { ...JSON_POST, body: JSON.stringify(add) });
    const { createdId } = JSON.parse(body);
    expect((await change("pause-key", createdId)).response.status).toBe(404);
    expect((await change("pause-key", "unknown")).response.status).toBe(404);
  });
});
