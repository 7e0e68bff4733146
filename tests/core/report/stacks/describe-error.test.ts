import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { describeError } from "#src/core/report/stacks/describe-error.ts";

const trap = () => {
  throw new Error("trap");
};
const throwingGetters = Object.defineProperties(
  {},
  {
    name: { get: trap, enumerable: true },
    message: { get: trap, enumerable: true },
    stack: { get: trap, enumerable: true },
    cause: { get: trap, enumerable: true },
    digest: { get: trap, enumerable: true },
  },
);
const throwingProxy = new Proxy(
  {},
  { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap },
);
const revocable = Proxy.revocable({}, {});
revocable.revoke();
class PaymentFailed extends Error {
  override get name() {
    return "PaymentFailed";
  }
}

describe("describeError", () => {
  const cases: { name: string; thrown: unknown; type: string; message: string }[] = [
    { name: "an error", thrown: new TypeError("no cart"), type: "TypeError", message: "no cart" },
    { name: "an error without a message", thrown: new Error(), type: "Error", message: "" },
    {
      name: "an error whose class has a getter for its name",
      thrown: new PaymentFailed("declined"),
      type: "PaymentFailed",
      message: "declined",
    },
    {
      name: "an error of another realm",
      thrown: runInNewContext('new RangeError("far")'),
      type: "RangeError",
      message: "far",
    },
    {
      name: "a DOMException",
      thrown: new DOMException("gone", "AbortError"),
      type: "AbortError",
      message: "gone",
    },
    { name: "a string", thrown: "out of stock", type: "String", message: "out of stock" },
    { name: "a number", thrown: 404, type: "Number", message: "404" },
    { name: "a BigInt", thrown: 7n, type: "BigInt", message: "7" },
    { name: "a symbol", thrown: Symbol("x"), type: "Symbol", message: "Symbol(x)" },
    { name: "null", thrown: null, type: "Null", message: "" },
    { name: "undefined", thrown: undefined, type: "Undefined", message: "" },
    { name: "a function", thrown: trap, type: "Function", message: "" },
    {
      name: "a frozen object",
      thrown: Object.freeze({ code: 7 }),
      type: "Object",
      message: '{"code":7}',
    },
    {
      name: "an object with a person's name",
      thrown: { name: "Jane" },
      type: "Object",
      message: '{"name":"Jane"}',
    },
    {
      name: "an object with a message",
      thrown: { name: "Declined", message: "card" },
      type: "Declined",
      message: "card",
    },
    { name: "an array", thrown: [1, "a"], type: "Array", message: '[1,"a"]' },
    { name: "a response", thrown: new Response("x"), type: "Response", message: "{}" },
    {
      name: "an instance, by its built-in kind and not by a name that bundlers change",
      thrown: new (class Coupon {
        code = "X";
      })(),
      type: "Object",
      message: '{"code":"X"}',
    },
    {
      name: "an object whose getters throw",
      thrown: throwingGetters,
      type: "Object",
      message: "{}",
    },
    { name: "a proxy whose traps throw", thrown: throwingProxy, type: "Object", message: "{}" },
    { name: "a revoked proxy", thrown: revocable.proxy, type: "Object", message: "{}" },
  ];
  for (const { name, thrown, type, message } of cases) {
    it(`describes ${name}`, () =>
      expect(describeError(thrown)).toMatchObject({ type, message, truncated: [] }));
  }

  it("reads the frames of the stack, newest first", () => {
    const { stack, frames } = describeError(new Error("here"));
    expect(stack).toContain("Error: here");
    expect(frames[0]).toMatchObject({
      file: expect.stringContaining("describe-error.test.ts"),
      inApp: true,
    });
  });

  it("reads no frames from a message that quotes a stack", () => {
    const { frames } = describeError(new Error("inner\n    at fake (/srv/fake.js:1:1)"));
    expect(frames.some((frame) => frame.function === "fake")).toBe(false);
  });

  it("keeps `digest` only if it is a non-empty string", () => {
    expect(describeError({ digest: "2338823894" }).digest).toBe("2338823894");
    expect(describeError({ digest: 5 })).not.toHaveProperty("digest");
    expect(describeError({ digest: "" })).not.toHaveProperty("digest");
  });

  it("truncates a message of a megabyte and keeps the frames after it", () => {
    const described = describeError(new Error("m".repeat(1024 * 1024)));
    expect(described.message).toHaveLength(limits.maxMessageChars);
    expect(described.frames[0]?.file).toContain("describe-error.test.ts");
    expect(described.stack?.length).toBeLessThanOrEqual(limits.maxStackChars);
    expect(described.truncated).toEqual(["message"]);
  });

  it("lists what it truncated", () => {
    const error = Object.assign(new Error("x"), { name: "N".repeat(300) });
    error.stack = `Error: x\n${"    at f (/srv/cart.js:1:1)\n".repeat(2_000)}`;
    expect(describeError(error).truncated).toEqual(["type", "stack", "frames"]);
  });

  describe("causes", () => {
    const causes = (thrown: unknown) =>
      describeError(thrown).causes.map(({ type, message }) => `${type}: ${message}`);

    it("are listed outermost first", () => {
      const root = new TypeError("root");
      expect(causes(new Error("a", { cause: new Error("b", { cause: root }) }))).toEqual([
        "Error: b",
        "TypeError: root",
      ]);
    });

    it("may be values that are not errors", () => {
      expect(causes(new Error("a", { cause: "why" }))).toEqual(["String: why"]);
    });

    it("include the errors of an AggregateError", () => {
      expect(causes(new AggregateError([new Error("one"), "two"], "all"))).toEqual([
        "Error: one",
        "String: two",
      ]);
    });

    it("are listed once if they form a cycle", () => {
      const a = new Error("a");
      const b = new Error("b", { cause: a });
      a.cause = b;
      expect(causes(a)).toEqual(["Error: b"]);
    });

    it("are truncated at the limit", () => {
      const described = describeError(
        new AggregateError(Array.from({ length: 1_000 }, (_, i) => new Error(`${i}`))),
      );
      expect(described.causes).toHaveLength(limits.maxCauses);
      expect(described.truncated).toEqual(["causes"]);
    });

    it("have frames of their own", () => {
      const cause = Object.assign(new Error("b"), {
        stack: "Error: b\n    at f (/srv/cart.js:1:2)",
      });
      expect(describeError(new Error("a", { cause })).causes[0]?.frames).toEqual([
        { function: "f", file: "/srv/cart.js", line: 1, column: 2, inApp: true },
      ]);
    });
  });

  it("never throws and stays within the limits for any value", () => {
    const long = fc.constantFrom("x".repeat(100_000), "a\n    at f (/a.js:1:1)");
    const thrown = fc.oneof(
      fc.anything({
        withBigInt: true,
        withNullPrototype: true,
        withSparseArray: true,
        withTypedArray: true,
      }),
      fc.record(
        {
          name: fc.oneof(fc.anything(), long),
          message: fc.oneof(fc.anything(), long),
          stack: fc.oneof(fc.anything(), long),
          cause: fc.anything(),
          errors: fc.anything(),
          digest: fc.oneof(fc.anything(), long),
        },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(thrown, (value) => {
        const described = describeError(value);
        expect(described.type.length).toBeLessThanOrEqual(limits.maxTypeChars);
        expect(described.message.length).toBeLessThanOrEqual(limits.maxMessageChars);
        expect((described.stack ?? "").length).toBeLessThanOrEqual(limits.maxStackChars);
        expect((described.digest ?? "").length).toBeLessThanOrEqual(limits.maxStringChars);
        expect(described.causes.length).toBeLessThanOrEqual(limits.maxCauses);
      }),
    );
  });
});
