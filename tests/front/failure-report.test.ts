import { describe, expect, it } from "vitest";
import { parseDsn } from "#src/adapters/dsn.ts";
import { createFailureReport, FailureSender } from "#src/front/failure-report.ts";
import { parseReporterBody } from "#src/ingest/browser/errata-reporter.ts";
import { getReport } from "#support/reports/parsed-items.ts";
import { NOW_MS } from "#support/reports/processing-options.ts";

const DSN = parseDsn("https://errata_server_00112233445566778899aabbccddeeff@errata.example/1");
const FAILURE = {
  type: "HTTP 500",
  message: "The request failed with status 500",
  aliases: ["2338823894"],
  isOfSite: false,
};
const TRACE = "0af7651916cd43dd8448eb211c80319c";

function createReport(failure = {}) {
  return createFailureReport(
    { ...FAILURE, ...failure },
    {
      request: {
        method: "GET",
        url: "https://shop.example/cart/7?token=0123456789abcdef0123456789abcdef",
        headers: new Headers({ "cf-ray": "8f1c2d3e4f5a6b7c-FRA", cookie: "session=secret" }),
      },
      response: { status: 500, headers: new Headers({ server: "nginx", age: "3" }) },
      route: "/cart/*",
      trace: TRACE,
      nowMs: NOW_MS,
    },
  );
}

describe("the report of a failed page", () => {
  it("has what the front knows, without a stack of the front and without secrets", () => {
    const report = createReport();
    const parsed = getReport(parseReporterBody(report)[0]);
    expect(parsed).toMatchObject({
      side: "server",
      type: "HTTP 500",
      message: "The request failed with status 500",
      frames: [],
      aliases: ["2338823894"],
      traceId: TRACE,
      rayId: "8f1c2d3e4f5a6b7c-FRA",
      response: { status: 500 },
      request: { method: "GET", route: "/cart/*" },
    });
    expect(parsed.tags).toEqual([
      ["how", "front"],
      ["server", "nginx"],
      ["age", "3"],
    ]);
    expect(JSON.stringify(report)).not.toMatch(/session=secret|0123456789abcdef0123/);
  });

  it("has the route of the whole site, or the digest that the application gave it", () => {
    expect(createReport({ isOfSite: true }).route).toBe("/*");
    expect(createReport({ digest: "7F3K-Q2M9" }).digest).toBe("7F3K-Q2M9");
  });
});

describe("the reports of the front", () => {
  /** A sender, and the bodies that Errata received. */
  function createSender(respond: () => Response | Promise<Response> = () => new Response("{}")) {
    const bodies: { dropped?: number; reports: unknown[]; release?: string }[] = [];
    const clock = { ms: NOW_MS };
    const sender = new FailureSender({
      dsn: DSN ?? expect.fail("no DSN"),
      shared: { release: "shop@3", environment: undefined },
      nowMs: () => clock.ms,
      fetch: async (url, init) => {
        expect(url).toBe(DSN?.ingestUrl);
        bodies.push(JSON.parse(String(init.body)));
        return respond();
      },
    });
    return { sender, bodies, clock };
  }

  it("are sent one by one, and parse as one report each", async () => {
    const { sender, bodies } = createSender();
    await sender.send(createReport());
    expect(bodies).toMatchObject([{ errata: 1, release: "shop@3" }]);
    expect(bodies[0]).not.toHaveProperty("dropped");
    expect(parseReporterBody(bodies[0])).toMatchObject([{ report: { release: "shop@3" } }]);
  });

  it("are at most 60 a minute, and the others are counted", async () => {
    const { sender, bodies, clock } = createSender();
    for (let n = 0; n < 100; n++) await sender.send(createReport());
    expect(bodies).toHaveLength(60);
    clock.ms += 60_000;
    await sender.send(createReport());
    expect(bodies.at(-1)).toMatchObject({ dropped: 40 });
  });

  it.each<[string, () => Response | Promise<Response>]>([
    ["refuses them", () => new Response(null, { status: 500 })],
    ["limits them", () => new Response(null, { status: 429 })],
    ["is not there", () => Promise.reject(new Error("no network"))],
  ])("pause for five seconds if Errata %s", async (_, respond) => {
    let isDown = true;
    const { sender, bodies, clock } = createSender(() => (isDown ? respond() : new Response("{}")));
    await sender.send(createReport());
    await sender.send(createReport());
    clock.ms += 4_999;
    await sender.send(createReport());
    expect(bodies).toHaveLength(1);
    isDown = false;
    clock.ms += 1;
    await sender.send(createReport());
    expect(bodies.slice(1)).toMatchObject([{ dropped: 3 }]);
    await sender.send(createReport());
    expect(bodies.at(-1)).not.toHaveProperty("dropped");
  });
});
