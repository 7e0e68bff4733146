/** Rate limits count reports, and a body without a key is limited in reports and bytes. */
import { afterEach, describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import type { RateLimiters } from "#src/http/context.ts";
import { ORIGIN } from "#support/accounts/members.ts";
import { openLimiters, TEST_SERVER_KEY, testConfig, visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const PUBLIC = `/monitoring?sentry_key=${testConfig.ingestKey}`;
const SERVER = `/monitoring?sentry_key=${TEST_SERVER_KEY}`;
const ADDRESS = "2001:db8:5:1::1";

/** An envelope with events of different issues. */
function createEnvelope(count: number): string {
  const items = Array.from({ length: count }, (_, n) => {
    const exception = { values: [{ type: `Error${String.fromCharCode(97 + (n % 26))}${n}` }] };
    return `{"type":"event"}\n${JSON.stringify({ exception })}`;
  });
  return ["{}", ...items].join("\n");
}

/** Limits that count what they are charged; those of `max` refuse above it. */
function createCountingLimits(
  max: Partial<Record<"address" | "site" | "key" | "global", number>> = {},
) {
  const counts = { address: 0, site: 0, key: 0, global: 0 };
  const charge = (name: keyof typeof counts, count = 1) => {
    counts[name] += count;
    return Promise.resolve(counts[name] <= (max[name] ?? Number.POSITIVE_INFINITY));
  };
  const limiters: RateLimiters = {
    ...openLimiters,
    address: (_, count) => charge("address", count),
    site: (_limit, _site, count) => charge("site", count),
    key: (_key, _rate, count) => charge("key", count),
    global: (_trust, count) => charge("global", count),
  };
  return { counts, limiters };
}

async function send(path: string, body: BodyInit, limiters: RateLimiters = openLimiters) {
  const { response } = await visit(path, {
    method: "POST",
    body,
    headers: { "cf-connecting-ip": ADDRESS },
    origin: ORIGIN,
    services: { limiters },
  });
  return response;
}

const countIssues = async () => (await projectStore.listNewestIssues()).total;

describe("a rate limit counts the reports of a body", () => {
  it.each([
    ["with a public key", PUBLIC, 30, { address: 30, site: 30, key: 30, global: 30 }],
    ["with a server key, not by network", SERVER, 30, { address: 0, site: 0, key: 30, global: 30 }],
    ["without a key", "/monitoring", 7, { address: 7, site: 7, key: 7, global: 7 }],
    ["with one report", PUBLIC, 1, { address: 1, site: 1, key: 1, global: 1 }],
  ])("%s", async (_, path, reportCount, charged) => {
    const { counts, limiters } = createCountingLimits();
    expect((await send(path, createEnvelope(reportCount), limiters)).status).toBe(200);
    expect(counts).toEqual(charged);
    expect(await countIssues()).toBe(reportCount);
  });

  it.each(["address", "site", "key", "global"] as const)(
    "a body that exceeds the limit %s within its items is refused, and nothing is stored",
    async (name) => {
      const { limiters } = createCountingLimits({ [name]: 29 });
      const response = await send(PUBLIC, createEnvelope(30), limiters);
      expect(response.status).toBe(429);
      expect(response.headers.get("retry-after")).toBe("60");
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(await countIssues()).toBe(0);
    },
  );

  it("a network over its limit does not use up the global limit", async () => {
    const { counts, limiters } = createCountingLimits({ address: 50 });
    for (let n = 0; n < 5; n++) await send(PUBLIC, createEnvelope(30), limiters);
    expect(counts.global).toBe(30);
  });

  it("a large report counts by its size, except with a server key", async () => {
    const chars = 10 * limits.bytesPerCountedReport;
    const body = JSON.stringify({ message: "x", extra: { text: "y".repeat(chars) } });
    const withKey = createCountingLimits();
    await send(PUBLIC, body, withKey.limiters);
    expect(withKey.counts.address).toBe(11);
    const fromServer = createCountingLimits();
    await send(SERVER, body, fromServer.limiters);
    expect(fromServer.counts.key).toBe(1);
  });

  it("a body causes at most as many calls as the limit", async () => {
    const { counts, limiters } = createCountingLimits();
    const record = {
      attributes: [{ key: "exception.type", value: { stringValue: "TypeError" } }],
    };
    const logRecords = Array.from({ length: 1_000 }, () => record);
    const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
    expect((await send(`/v1/logs?sentry_key=${TEST_SERVER_KEY}`, body, limiters)).status).toBe(200);
    expect(counts.key).toBe(limits.maxCountedReportsPerBody);
  });
});

describe("a body without a key", () => {
  it(`is limited to ${limits.maxReportsPerKeylessBody} reports; the others are dropped`, async () => {
    const { counts, limiters } = createCountingLimits();
    const response = await send("/monitoring", createEnvelope(100), limiters);
    expect(response.status).toBe(200);
    expect(await countIssues()).toBe(limits.maxReportsPerKeylessBody);
    expect(counts.address).toBe(limits.maxReportsPerKeylessBody);
  });

  it("is limited in bytes", async () => {
    const body = JSON.stringify({ message: "x".repeat(limits.maxKeylessBodyBytes) });
    const response = await send("/monitoring", body);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ reason: "too-large" });
    // The same with a key is limited by item.
    expect((await send(PUBLIC, createEnvelope(100))).status).toBe(200);
  });

  it("shares a limit of 6,000 reports per minute, separate from that of every key", async () => {
    const charges: unknown[] = [];
    const key: RateLimiters["key"] = async (...charged) => charges.push(charged) > 0;
    await send("/monitoring", createEnvelope(3), { ...openLimiters, key });
    expect(charges).toEqual([["", 6_000, 3]]);
  });

  it("has a lower limit than one with a public key, which admits the bursts of browsers and SDKs", async () => {
    const { counts, limiters } = createCountingLimits();
    await send(PUBLIC, createEnvelope(100), limiters);
    expect(counts.address).toBe(limits.maxReportsPerPublicBody);
  });
});
