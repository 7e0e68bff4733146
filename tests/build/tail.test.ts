// Runs a real Worker in workerd with the built Errata as its tail consumer.

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { serve } from "../../.tools/local/serve.ts";

const SHOP = `
  export default {
    async fetch(request) {
      try {
        priceOf(null);
      } catch (error) {
        console.error("Checkout failed:", error);
        if (request.url.endsWith("/thrown")) throw error;
        return new Response("sorry", { status: 500 });
      }
    },
  };
  function priceOf(item) {
    return item.price;
  }
`;

let served: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  const shop = { name: "shop", script: SHOP, isTailed: true };
  served = await serve({ isLocalOpen: true, neighbors: [shop] });
});
afterAll(() => served?.stop());

const json = async (path: string) => {
  const headers = { accept: "application/json" };
  return (await fetch(`${served.url}${path}`, { headers })).json();
};

describe("errors that another Worker throws or logs", () => {
  it("become an issue that counts an error once per invocation", async () => {
    const shop = `http://127.0.0.1:${served.ports.get("shop")}`;
    const headers = { "cf-ray": "8f1c2d3e4f5a6b7c-AMS" };
    await fetch(`${shop}/logged?token=0123456789abcdef`, { headers });
    expect((await fetch(`${shop}/thrown`, { headers })).status).toBe(500);
    const [issue] = await vi.waitFor(
      async () => {
        const { issues } = (await json("/")) as { issues: { digest: string; count: number }[] };
        expect(issues).toMatchObject([{ type: "TypeError", count: 2 }]);
        return issues;
      },
      { timeout: 20_000, interval: 50 },
    );
    const { reports } = (await json(`/d/${issue?.digest}`)) as { reports: object[] };
    expect(reports).toMatchObject([
      { format: "tail", request: { url: expect.stringMatching(/\/thrown$/) } },
      {
        format: "tail",
        rayId: "8f1c2d3e4f5a6b7c-AMS",
        request: { method: "GET", url: expect.stringContaining("/logged?token=[removed]") },
        frames: [{ function: "priceOf" }, { function: "Object.fetch" }],
      },
    ]);
  });
});
