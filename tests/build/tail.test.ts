// Runs real Workers in workerd, of which the built Errata is the tail consumer, or to which it is
// bound.

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { serve } from "../../.tools/local/serve.ts";

const SHOP = `
  import { DurableObject } from "cloudflare:workers";
  export class Cart extends DurableObject {
    fetch() {
      throw new RangeError("the cart is empty");
    }
    fill() {
      return this.ctx.storage.setAlarm(1);
    }
    async alarm() {
      await this.ctx.storage.setAlarm(1);
      console.error("the alarm rang");
    }
  }
  export default {
    async fetch(request, { Cart }) {
      const { pathname } = new URL(request.url);
      if (pathname === "/object") return Cart.getByName("a").fetch(request);
      if (pathname === "/alarm") return new Response(await Cart.getByName("b").fill());
      if (pathname === "/retries") {
        for (let n = 0; n < 40; n++) console.error("try " + n + " failed");
        return new Response("gave up");
      }
      try {
        priceOf(null);
      } catch (error) {
        console.error("Checkout failed:", error);
        if (pathname === "/thrown") throw error;
        return new Response("sorry", { status: 500 });
      }
    },
  };
  function priceOf(item) {
    return item.price;
  }
`;

const DESK = `
  export default {
    async fetch(request, { ERRATA }) {
      const { pathname } = new URL(request.url);
      if (pathname === "/fetch") return ERRATA.fetch("https://errata.example/monitoring", request);
      const error = new TypeError("no price");
      error.code = "E_PRICE";
      const captured = await ERRATA.capture(pathname === "/text" ? "no tea" : error, {
        request: { method: "GET", url: request.url, headers: request.headers },
        route: "/cart/:id",
        status: 503,
        tags: { plan: "gold" },
        reports: "ignored",
      });
      return Response.json(captured);
    },
  };
`;

let served: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  const neighbors = [
    { name: "shop", script: SHOP, isTailed: true, objects: ["Cart"] },
    { name: "desk", script: DESK, isBound: true },
  ];
  served = await serve({ isLocalOpen: true, neighbors });
});
afterAll(() => served?.stop());

const json = async (path: string) => {
  const headers = { accept: "application/json" };
  return (await fetch(`${served.url}${path}`, { headers })).json();
};
const toUrl = (worker: string, path: string) =>
  `http://127.0.0.1:${served.ports.get(worker)}${path}`;

interface FoundIssue {
  readonly digest: string;
  readonly type: string;
  readonly message: string;
  readonly count: number;
}

const listIssues = async () => ((await json("/")) as { issues: FoundIssue[] }).issues;

/** The issue of a type, once it has this many reports. */
const findIssue = (type: string, count: number) =>
  vi.waitFor(
    async () => {
      const issues = await listIssues();
      const issue = issues.find((one) => one.type === type);
      expect(issue, issues.map((one) => one.type).join()).toMatchObject({ count });
      return issue as FoundIssue;
    },
    { timeout: 20_000, interval: 50 },
  );
const readReports = async (digest: string) =>
  ((await json(`/d/${digest}`)) as { reports: { tags: readonly (readonly string[])[] }[] }).reports;

describe("errors that another Worker throws or logs", () => {
  it("become an issue that counts an error once per invocation", async () => {
    const headers = { "cf-ray": "8f1c2d3e4f5a6b7c-AMS" };
    await fetch(toUrl("shop", "/logged?token=0123456789abcdef"), { headers });
    expect((await fetch(toUrl("shop", "/thrown"), { headers })).status).toBe(500);
    const { digest } = await findIssue("TypeError", 2);
    expect(await readReports(digest)).toMatchObject([
      { format: "tail", request: { url: expect.stringMatching(/\/thrown$/) } },
      {
        format: "tail",
        rayId: "8f1c2d3e4f5a6b7c-AMS",
        request: { method: "GET", url: expect.stringContaining("/logged?token=[removed]") },
        frames: [{ function: "priceOf" }, { function: "Object.fetch" }],
      },
    ]);
  });

  it("of an object and of its caller are one story: both have the trace", async () => {
    const trace = "0af7651916cd43dd8448eb211c80319c";
    const headers = { traceparent: `00-${trace}-b7ad6b7169203331-01` };
    await fetch(toUrl("shop", "/object"), { headers });
    const issues = await vi.waitFor(
      async () => {
        const found = (await listIssues()).filter(({ type }) => type === "RangeError");
        expect(found).toHaveLength(2);
        return found;
      },
      { timeout: 20_000, interval: 50 },
    );
    const [first = "", second = ""] = issues.map((issue) => issue.digest);
    for (const [digest, other] of [
      [first, second],
      [second, first],
    ] as const) {
      expect(await readReports(digest)).toMatchObject([{ traceId: trace }]);
      const page = await (await fetch(`${served.url}/d/${digest}`)).text();
      const [, story = ""] = page.split("Same trace");
      expect(story).toContain(`/d/${other}?report=`);
      expect(story).toContain("Cart · fetch");
    }
  });
});

describe("loops of another Worker", () => {
  it("an alarm that sets itself again and again is one report, and none of its log lines", async () => {
    await fetch(toUrl("shop", "/alarm"));
    const { message } = await findIssue("RunawayAlarm", 1);
    expect(message).toContain("the alarm of Cart runs again and again");
  });

  it("an error line that an invocation logs again and again is one report", async () => {
    await fetch(toUrl("shop", "/retries"));
    const { message } = await findIssue("LogLoop", 1);
    expect(message).toBe("console.error repeats: try * failed");
  });
});

describe("a Worker with a service binding to Errata", () => {
  it("passes an error by RPC, and gets its digest at once", async () => {
    const response = await fetch(toUrl("desk", "/cart/7"), { headers: { "cf-ray": "8f1c" } });
    const { ok, value } = (await response.json()) as { ok: boolean; value: { digest: string } };
    expect(ok).toBe(true);
    const [report] = await readReports(value.digest);
    expect(report).toMatchObject({
      ...value,
      type: "TypeError",
      message: "no price",
      trust: "server",
      side: "server",
      request: { method: "GET", url: toUrl("desk", "/cart/7"), route: "/cart/:id" },
      response: { status: 503 },
      detail: { error: { code: "E_PRICE" } },
    });
    expect(report?.tags).toEqual(
      expect.arrayContaining([
        ["how", "handled"],
        ["plan", "gold"],
      ]),
    );
  });

  it("may pass a value of any type", async () => {
    const response = await fetch(toUrl("desk", "/text"));
    const { value } = (await response.json()) as { value: { digest: string } };
    expect(await readReports(value.digest)).toMatchObject([{ message: "no tea" }]);
  });

  it("reaches the paths of Errata with the same binding", async () => {
    const body = JSON.stringify({ errata: 1, how: "caught", type: "Error", message: "by fetch" });
    const response = await fetch(toUrl("desk", "/fetch"), { method: "POST", body });
    expect(response.status).toBe(202);
  });
});
