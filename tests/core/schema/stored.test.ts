import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineStored, Unreadable } from "#src/core/schema/stored.ts";

interface Rules {
  readonly v: number;
  readonly perHour: number;
  readonly note?: string;
}

const RULES = defineStored<Rules>({
  name: "the rules",
  version: 3,
  writes: 2,
  schema: v.looseObject({ v: v.number(), perHour: v.number(), note: v.optional(v.string()) }),
  up: {
    1: ({ perMinute, ...rest }) => ({ ...rest, perHour: Number(perMinute) * 60 }),
    2: ({ comment, ...rest }) => ({ ...rest, ...(comment === undefined ? {} : { note: comment }) }),
  },
  down: {
    3: ({ note, ...rest }) => ({ ...rest, ...(note === undefined ? {} : { comment: note }) }),
  },
});

describe("a stored value", () => {
  it("of an older version is upgraded step by step", () => {
    expect(RULES.parse({ v: 1, perMinute: 2 })).toEqual({ v: 3, perHour: 120 });
    expect(RULES.parse({ v: 2, perHour: 5, comment: "x" })).toEqual({
      v: 3,
      perHour: 5,
      note: "x",
    });
  });

  it("is written in the version that the release before reads", () => {
    expect(JSON.parse(RULES.encode({ v: 3, perHour: 5, note: "x" }))).toEqual({
      v: 2,
      perHour: 5,
      comment: "x",
    });
  });

  it("keeps the members of later versions, in both directions", () => {
    const stored = { v: 2, perHour: 5, later: { a: [1] } };
    expect(RULES.parse(stored)).toMatchObject({ later: { a: [1] } });
    expect(JSON.parse(RULES.encode(RULES.parse(stored)))).toEqual(stored);
  });

  it("of a later version is unreadable, which is not missing", () => {
    expect(RULES.decode({ v: 4, perHour: 5 })).toEqual({ kind: "newer", version: 4 });
    expect(() => RULES.parse({ v: 4 })).toThrow(Unreadable);
    expect(() => RULES.parse({ v: 4 })).toThrow("the rules was written by a later release");
  });

  it("of an older version that is not valid is damaged, and its message quotes nothing", () => {
    const damaged = RULES.decode({ v: 2, perHour: "secret" });
    expect(damaged).toEqual({ kind: "damaged", problem: "perHour is not valid." });
  });

  it("of the current version is trusted where only this code writes it, and checked elsewhere", () => {
    const value = { v: 3, perHour: "five" };
    expect(RULES.decode(value)).toEqual({ kind: "ok", value });
    expect(RULES.check(value)).toMatchObject({ kind: "damaged" });
  });

  it("that is anything else is damaged", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const isVersioned = typeof value === "object" && value !== null && "v" in value;
        if (!isVersioned) expect(RULES.decode(value)).toMatchObject({ kind: "damaged" });
      }),
    );
  });

  it("cannot skip a version: a missing step would lose every member", () => {
    const broken = defineStored({ name: "x", version: 2, schema: v.looseObject({}) });
    expect(() => broken.decode({ v: 1 })).toThrow("no step from version 1");
  });
});
