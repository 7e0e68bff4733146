import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { bundle } from "../bundle.ts";
import { readEnvelope } from "../envelope.ts";
import { openErrata } from "../errata.ts";
import { openSite, type Site } from "../site.ts";
import { startWorker } from "../workerd.ts";

const errata = openErrata();
let proxy: Site;
let workerd: Miniflare;

beforeAll(async () => {
  proxy = await openSite((path) => ({ forwardTo: `${errata.url}${path}` }));
  const dsn = errata.serverDsn.replace(/@[^/]+/, `@127.0.0.1:${proxy.port}`);
  const contents = await bundle("worker.ts", "worker");
  workerd = await startWorker(contents, dsn);
});
afterAll(async () => {
  await workerd?.dispose();
  await proxy?.close();
});

describe("@sentry/cloudflare in workerd, by the DSN of servers", () => {
  it("sends an error in a fetch handler with the failed request", async () => {
    const failingUrl = "http://stock.example/hammer";
    expect((await workerd.dispatchFetch(failingUrl)).status).toBe(500);
    const id = await eventually(() => {
      const events = proxy.forwarded.map(({ body }) => readEnvelope(body));
      const event = events.find((envelope) => envelope?.items.includes("event"));
      expect(event?.id).toMatch(/^[0-9a-f]{32}$/);
      return event?.id ?? "";
    });
    expect(proxy.forwarded.map(({ status }) => status)).toEqual(proxy.forwarded.map(() => 200));

    const { title, report } = await errata.find(id);
    expect(title).toBe("RangeError: there is no hammer in this shop");
    expect(report).toMatchObject({
      id,
      trust: "server",
      side: "server",
      format: "sentry",
      release: "stock@3",
      environment: "staging",
      request: { method: "GET", url: failingUrl },
    });
    expect(report.frames[0]).toMatchObject({ function: "stockOf", inApp: true });
    const breadcrumb = { category: "stock", message: "asked for /hammer" };
    expect(report.breadcrumbs).toContainEqual(expect.objectContaining(breadcrumb));
  });
});
