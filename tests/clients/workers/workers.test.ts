// The adapter for Workers in a real Worker with Durable Objects, a Workflow, a queue, and a service.

import { once } from "node:events";
import { createServer } from "node:net";
import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen } from "../../../.tools/local/port.ts";
import type { Report } from "../../../src/core/report.ts";
import { eventually } from "../../support/eventually.ts";
import { openErrata } from "../errata.ts";
import { readReports } from "../frameworks/app.ts";
import { openSite, type Site } from "../site.ts";
import { startWorkers } from "./workers.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const TRACED = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };

/** Where miniflare takes mails for the Worker. */
const MAIL = "/cdn-cgi/local/email";

const errata = openErrata();
let site: Site;
let shop: Miniflare;
let logged: readonly string[];

beforeAll(async () => {
  site = await openSite((path, { traceparent }) => ({
    body: path === "/trace" ? String(traceparent) : "<p>web",
  }));
  ({ shop, logged } = await startWorkers(errata.serverDsn, `http://127.0.0.1:${site.port}`));
});
afterAll(async () => {
  await shop?.dispose();
  await site?.close();
});

const get = (path: string, headers: Record<string, string> = TRACED) =>
  shop.dispatchFetch(`http://shop.example${path}`, { headers });
const getTiming = async (path: string) => (await get(path)).headers.get("server-timing");

/** The digests that the Workers have logged with a message, once there are some. */
const findLogged = (message: string) =>
  eventually(() => {
    const lines = logged.filter((line) => line.includes(message));
    const digests = lines.flatMap((line) => /digest: '([^']+)'/.exec(line)?.[1] ?? []);
    expect(digests, message).not.toEqual([]);
    return digests;
  });

/** The server's reports of the issue whose digest the log has. */
async function findReports(message: string, server = 1): Promise<readonly Report[]> {
  const [digest = ""] = await findLogged(message);
  return readReports(errata, digest, { server });
}

const toTags = ({ tags = [] }: Report) => Object.fromEntries(tags);

describe("a failure of a handler", () => {
  const requests = [
    { path: "/thrown", type: "TypeError", message: "no price" },
    { path: "/later", type: "TypeError", message: "no price, later" },
    { path: "/text", type: "String", message: "no tea" },
    { path: "/frozen", type: "RangeError", message: "this error is frozen" },
  ];
  it.each(requests)("of a request is thrown again, and has one report: $path", async (expected) => {
    const response = await get(`${expected.path}?token=secret`);
    expect(response.status).toBe(500);
    expect(await response.text()).toContain(expected.message);
    const [report] = await findReports(`'${expected.message}'`);
    expect(report).toMatchObject({
      type: expected.type,
      message: expected.message,
      side: "server",
      trust: "server",
      traceId: TRACE,
      release: "shop@1",
      request: { method: "GET", url: `http://shop.example${expected.path}?token=[removed]` },
      response: { status: 500 },
    });
    expect(report && toTags(report)).toMatchObject({ trigger: "fetch" });
  });

  const others = [
    {
      what: "a cron",
      message: "the nightly job failed",
      tags: { trigger: "scheduled", cron: "30 3 * * *" },
      cause: async () => (await shop.getWorker()).scheduled({ cron: "30 3 * * *" }),
    },
    {
      what: "a batch",
      message: "cannot print on paper",
      tags: { trigger: "queue", queue: "prints" },
      cause: () => get("/send"),
    },
    {
      what: "an alarm",
      message: "the alarm failed",
      tags: { trigger: "alarm", entrypoint: "Cart", retry: "0" },
      cause: () => get("/arm"),
    },
    {
      what: "a Workflow",
      message: "the card was declined",
      tags: { trigger: "workflow", entrypoint: "Order", method: "run" },
      cause: () => get("/order"),
    },
    {
      what: "a mail",
      message: "cannot read the mail",
      tags: { trigger: "email" },
      cause: () =>
        shop.dispatchFetch(`http://shop.example${MAIL}?from=ada@a.example&to=bob@b.example`, {
          method: "POST",
          body: "From: ada@a.example\r\nTo: bob@b.example\r\nMessage-ID: <1@a.example>\r\n\r\nHi",
        }),
    },
  ];
  it.each(others)("of $what has one report", async ({ message, tags, cause }) => {
    await Promise.resolve(cause()).catch(() => undefined);
    const reports = await findReports(message, message === "the alarm failed" ? 2 : 1);
    expect(toTags(reports.at(-1) as Report)).toMatchObject(tags);
  });

  it("of a WebSocket has one report, and the socket stays open", async () => {
    const { webSocket } = await get("/socket", { upgrade: "websocket" });
    const echoed = new Promise((resolve) => {
      webSocket?.addEventListener("message", ({ data }) => resolve(data), { once: true });
    });
    webSocket?.accept();
    webSocket?.send("hello");
    expect(await echoed).toBe("echo hello");
    const [report] = await findReports("cannot keep the message");
    expect(report && toTags(report)).toMatchObject({ trigger: "websocket", entrypoint: "Room" });
    webSocket?.close();
  });

  it("of an alarm that is retried again and again is one report more", async () => {
    const message = "the alarm of Cart fails and is retried again and again";
    const issues = await eventually(async () => {
      const found = await errata.json(`/issues?q=${encodeURIComponent("RunawayAlarm")}`);
      const { issues } = found as { readonly issues: readonly object[] };
      expect(issues).toHaveLength(1);
      return issues;
    });
    expect(issues).toMatchObject([{ type: "RunawayAlarm", message, count: 1 }]);
    await findReports("the alarm failed", 2);
  });

  it("is none if a framework throws to redirect", async () => {
    await get("/redirect");
    expect(
      logged.filter((line) => line.includes("NEXT_REDIRECT") && line.includes("report:")),
    ).toEqual([]);
  });
});

describe("an error that the Worker captures", () => {
  it("has the digest in the response and in Server-Timing", async () => {
    const response = await get("/captured");
    const digest = await response.text();
    expect(response.status).toBe(500);
    expect(response.headers.get("server-timing")).toContain(`errata-digest;desc="${digest}"`);
    const [report] = await readReports(errata, digest, { server: 1 });
    expect(report).toMatchObject({ request: { route: "/captured" }, traceId: TRACE });
    expect(report && toTags(report)).toMatchObject({ how: "handled", plan: "gold" });
  });

  it("has one report if it is thrown as well", async () => {
    await get("/captured-and-thrown");
    await findReports("captured, then thrown");
    expect(await findLogged("captured, then thrown")).toHaveLength(1);
  });
});

describe("a failure of an object or a service behind the Worker", () => {
  const cases = [
    { path: "/object", message: "the cart does not answer", entrypoint: "Cart", trigger: "fetch" },
    {
      path: "/object-rpc",
      message: "the cart is empty",
      entrypoint: "Cart",
      trigger: "object-rpc",
    },
    { path: "/service-rpc", message: "there is no hammer", entrypoint: "Stock", trigger: "rpc" },
  ];
  it.each(cases)("is counted once, with the report of its caller: $path", async (expected) => {
    const { message, entrypoint, trigger } = expected;
    expect((await get(expected.path)).status).toBe(500);
    const reports = await findReports(message, 2);
    const digests = await findLogged(message);
    expect(new Set(digests).size).toBe(1);
    const { count, linkedCount } = (await errata.json(`/d/${digests[0]}`)) as Record<
      string,
      number
    >;
    expect({ count, linkedCount }).toEqual({ count: 1, linkedCount: 1 });
    const [inner] = reports.filter((report) => !report.isLinked);
    const [caller] = reports.filter((report) => report.isLinked);
    expect(inner && toTags(inner)).toMatchObject({ entrypoint, trigger });
    expect(caller).toMatchObject({
      traceId: TRACE,
      request: { url: `http://shop.example${expected.path}` },
    });
  });

  it("has the trace of the request if it was called by fetch", async () => {
    const reports = await findReports("the cart does not answer", 2);
    expect(reports.map(({ traceId }) => traceId)).toEqual([TRACE, TRACE]);
  });

  it("is none if the object handles it", async () => {
    expect(await (await get("/object-handled")).text()).toBe("0");
    expect(logged.filter((line) => line.includes("handled in the object"))).toEqual([]);
  });

  it("is shown by the page that the service answers with, and the Worker passes on", async () => {
    const response = await get("/service");
    expect(response.status).toBe(503);
    const digest = (await response.text()).replace("<p>", "");
    expect(response.headers.get("server-timing")).toMatch(
      new RegExp(`^errata-digest;desc="${digest}", errata-trace;desc="${TRACE}", errata-token;`),
    );
    await readReports(errata, digest, { server: 1 });
  });
});

describe("the trace of a request", () => {
  it.each(["/trace/object", "/trace/service", "/trace/web"])("goes to %s", async (path) => {
    expect(await (await get(path)).text()).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
  });

  it("does not replace one that the Worker sets", async () => {
    expect(await (await get("/trace/own")).text()).toBe("own");
  });

  it("is new for a request without one", async () => {
    const traces = await Promise.all(
      [1, 2].map(async () => (await get("/data", {})).headers.get("server-timing")),
    );
    for (const trace of traces) expect(trace).toMatch(/^errata-trace;desc="[0-9a-f]{32}"$/);
    expect(new Set(traces).size).toBe(2);
  });
});

describe("the issue of a failure", () => {
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  const traceparent = `00-${trace}-b7ad6b7169203331-01`;

  it("tells what the same request caused in the object, in the Worker, and in the browser", async () => {
    const timing = (await get("/page", { traceparent })).headers.get("server-timing") ?? "";
    const token = /errata-token;desc="([^"]+)"/.exec(timing)?.[1];
    await get("/object-traced", { traceparent });
    const [digest = ""] = await findLogged("the cart is closed");
    const error = { type: "TypeError", message: "the page has no cart", trace, how: "uncaught" };
    const sent = await fetch(`${errata.url}/monitoring?t=${token}`, {
      method: "POST",
      headers: { origin: "http://shop.example" },
      body: JSON.stringify({ ...error, errata: 1, url: "http://shop.example/page" }),
    });
    expect(sent.status).toBe(202);
    const story = await eventually(async () => {
      const page = await (await fetch(`${errata.url}/d/${digest}`)).text();
      const [, section = ""] = /Same trace<\/h2>(.*?)<\/section>/s.exec(page) ?? [];
      expect(section.match(/<li\b/g)).toHaveLength(3);
      return section;
    });
    for (const part of ["Cart · fetch", "the cart is closed", "the page has no cart"])
      expect(story).toContain(part);
  });
});

describe("a response without a failure", () => {
  const page = `errata-trace;desc="${TRACE}", errata-token;desc="`;
  it("tells a page its trace and its token, and data its trace", async () => {
    expect(await getTiming("/page")).toMatch(new RegExp(`^${page}[\\w-]{35}"$`));
    expect(await getTiming("/data")).toBe(`errata-trace;desc="${TRACE}"`);
  });

  it.each(["/web", "/proxied"])(
    "has one trace and one token if it was fetched: %s",
    async (path) => {
      const timing = (await getTiming(path)) ?? "";
      expect(timing).toMatch(new RegExp(`^${page}[\\w-]{35}"$`));
    },
  );

  it.each([
    ["/file", "bytes"],
    ["/missing", "not here"],
  ])("is unchanged if it is neither: %s", async (path, body) => {
    const response = await get(path);
    expect(response.headers.get("server-timing")).toBeNull();
    expect(await response.text()).toBe(body);
  });

  it("is a stream as before", async () => {
    expect(await (await get("/stream")).text()).toBe("first second");
  });
});

describe("an Errata that does not answer", () => {
  it("keeps no visitor waiting, and changes no response", async () => {
    const silent = createServer();
    const port = await listen(silent, 0, "127.0.0.1");
    const connected = once(silent, "connection");
    const dsn = `http://errata_server_${"0".repeat(32)}@127.0.0.1:${port}/1`;
    const workers = await startWorkers(dsn, `http://127.0.0.1:${site.port}`);
    const visit = (path: string) => workers.shop.dispatchFetch(`http://shop.example${path}`);
    const thrown = await visit("/thrown");
    expect(thrown.status).toBe(500);
    expect(await thrown.text()).toContain("no price");
    await connected;
    expect(await (await visit("/page")).text()).toBe("<p>fine");
    await workers.shop.dispose();
    silent.close();
  });
});
