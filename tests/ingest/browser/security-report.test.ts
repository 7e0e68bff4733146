/** Reports of removed security features are counted, and nothing of them is stored. */
import { describe, expect, it } from "vitest";
import { toBytes } from "#support/bytes.ts";
import { ingestBytes } from "#support/reports/ingest-bytes.ts";
import { createMemoryLog } from "#support/reports/memory-log.ts";
import { createProcessingOptions } from "#support/reports/processing-options.ts";

const HOST = { "date-time": "2026-01-01T00:00:00Z", hostname: "shop.example", port: 443 };

async function send(body: unknown) {
  const log = createMemoryLog();
  const ingested = await ingestBytes(toBytes(JSON.stringify(body)), {
    ...createProcessingOptions(),
    writer: log,
  });
  return { ingested, log };
}

describe("a report of a removed security feature", () => {
  it.each([
    ["expect-ct-report", { "expect-ct-report": HOST }],
    ["expect-ct-report", { "expect-ct-report": null }],
    ["expect-staple-report", { "expect-staple-report": { ...HOST, "response-status": "MISSING" } }],
    [
      "xss-report",
      { "xss-report": { "request-url": "https://shop.example/", "request-body": "" } },
    ],
    ["hpkp-report", { ...HOST, "served-certificate-chain": [], "known-pins": ["pin-sha256=x"] }],
  ])("is counted as %s: %j", async (item, body) => {
    const { ingested, log } = await send(body);
    expect(ingested).toEqual({
      ok: true,
      value: { format: "security-report", outcomes: [{ outcome: "counted", item }] },
    });
    expect(log.reports.size).toBe(0);
  });

  it("is not an object that only has a host", async () => {
    const { ingested } = await send(HOST);
    expect(ingested).toMatchObject({ ok: false, reason: "unknown-format" });
  });
});
