import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { insertParams } from "#src/ingest/decode/message-params.ts";

describe("a log message", () => {
  const rows: readonly (readonly [template: string, params: unknown, message: string])[] = [
    ["User %s was not found in %s", ["ada", "eu"], "User ada was not found in eu"],
    ["%(user)s in %(region)s", { user: "ada", region: "eu" }, "ada in eu"],
    ["%(user)s in %(region)s", [{ user: "ada", region: "eu" }], "ada in eu"],
    ["%2$s before %1$s", ["b", "a"], "a before b"],
    ["%d of %.2f, %5d, %-3s, %ld, %zu", [1, 2.5, 3, "x", 4, 5], "1 of 2.5, 3, x, 4, 5"],
    ["100%% of %s", ["all"], "100% of all"],
    ["{} and {}", ["a", "b"], "a and b"],
    ["{1} and {0}", ["a", "b"], "b and a"],
    ["{user} in {region}", { user: "ada", region: "eu" }, "ada in eu"],
    ["{User} in {Region}, {User}", ["ada", "eu"], "ada in eu, ada"],
    ["{0:N2} {total:N2} {name!r} {@order} {$x} {y,10}", ["a", "b"], "a a b {@order} {$x} {y,10}"],
    ["{@order} {total:N2}", { order: { id: 7 }, total: 2 }, '{"id":7} 2'],
    ["{{literal}} {x}", { x: 1 }, "{literal} 1"],
    ["%s", [null], "null"],
    ["%s %s", ["only one"], "only one %s"],
    ["%(missing)s", { other: 1 }, "%(missing)s"],
    ["nothing to insert", ["x"], "nothing to insert"],
    ["%s", undefined, "%s"],
    ["%s", [], "%s"],
    ["%s", {}, "%s"],
    ["%s", "text", "%s"],
    ["%s", [{ __proto__: null, a: [1, 2] }], '{"a":[1,2]}'],
    ["{constructor} {toString}", { x: 1 }, "{constructor} {toString}"],
  ];
  it.each(rows)("%j with %j is %j", (template, params, message) => {
    expect(insertParams(template, params)).toBe(message);
  });

  it("ends after the limit, however often the template repeats a parameter", () => {
    const template = "{0}".repeat(limits.maxMessageChars / 3);
    const message = insertParams(template, ["x".repeat(1_000)]);
    expect(message.length).toBeLessThan(2 * limits.maxMessageChars + template.length);
  });

  it("is text for any template and parameters", () => {
    const parts = ["%", "s", "(", ")", "{", "}", "0", "$", "a", ":", " "];
    const template = fc.array(fc.constantFrom(...parts)).map((list) => list.join(""));
    fc.assert(
      fc.property(template, fc.anything(), (text, params) => {
        expect(typeof insertParams(text, params)).toBe("string");
      }),
    );
  });
});
