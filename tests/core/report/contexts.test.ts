import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listContexts } from "#src/core/report/contexts.ts";
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
