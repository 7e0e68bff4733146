import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatData, listContexts } from "#src/core/report/contexts.ts";
import type { Json } from "#src/core/report.ts";

describe("listContexts", () => {
  it("the user comes first, then the server, each context, and extra data", () => {
    const detail = {
      extra: { attempt: 3, empty: null },
      contexts: {
        cart: { type: "cart", items: [1, 2], total: "9.90" },
        runtime: { name: "node" },
        nothing: {},
      },
      user: { id: "u42", plan: { paid: true } },
      platform: "node",
    };
    expect(listContexts({ detail })).toEqual([
      {
        name: "user",
        pairs: [
          ["id", "u42"],
          ["plan", '{"paid":true}'],
        ],
        isSystem: false,
      },
      { name: "server", pairs: [["runtime", "node"]], isSystem: false },
      {
        name: "cart",
        pairs: [
          ["items", "[1,2]"],
          ["total", "9.90"],
        ],
        isSystem: false,
      },
      { name: "runtime", pairs: [["name", "node"]], isSystem: true },
      { name: "extra", pairs: [["attempt", "3"]], isSystem: false },
    ]);
  });

  it("where the event happened comes before the contexts", () => {
    const detail = {
      contexts: { cart: { items: 1 } },
      extra: { type: "gift" },
      thread: { id: 7, name: "worker-3" },
      mechanism: { meta: { signal: { number: 11 } } },
      template: { filename: "cart.html", lineno: 3 },
      transaction: "shop.tasks.bill",
      logger: "shop",
    };
    const groups = listContexts({ detail });
    expect(groups.map(({ name }) => name)).toEqual([
      ...["event", "thread", "mechanism", "template", "cart", "extra"],
    ]);
    expect(groups.find(({ name }) => name === "extra")?.pairs).toEqual([["type", "gift"]]);
  });

  it("data of a breadcrumb is one line", () => {
    expect(formatData({ type: "x", plan: { paid: true } })).toBe('type: x, plan: {"paid":true}');
    expect(formatData([1, "a"])).toBe('[1,"a"]');
  });

  it("a report without such members has no groups", () => {
    for (const detail of [undefined, "text", ["user"], 1, { user: "u42", contexts: [] }] as const)
      expect(listContexts(detail === undefined ? {} : { detail })).toEqual([]);
  });

  it("groups are bounded and values are text for any input", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (user, contexts) => {
        const groups = listContexts({ detail: { user, contexts } as Json });
        expect(groups.length).toBeLessThanOrEqual(24);
        for (const { pairs } of groups) {
          expect(pairs.length).toBeGreaterThan(0);
          for (const [, value] of pairs) expect(typeof value).toBe("string");
        }
      }),
    );
  });
});
