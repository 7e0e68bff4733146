// What a token reads of reported text: as text only what a server sent.

import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { list, valuesByName, variant } from "#src/core/schema/stored-object.ts";
import { TRUST_LEVELS, type Trust } from "#src/core/trust/trust.ts";
import { OPERATIONS } from "#src/operations/operations.ts";
import {
  byErrata,
  byMember,
  reported,
  reportedByAnyone,
  reportedJson,
  toNode,
  trustLevel,
} from "#src/operations/provenance.ts";
import { applyTrustFloor, hasReportedText } from "#src/operations/trust-floor.ts";
import { CANARY, createSampleOutput } from "#support/operations/sample-output.ts";

const withhold = (writtenBy: Trust) => ({ withheld: true, writtenBy, ask: `trust=${writtenBy}` });

/** The value of an object with this level, at a floor. */
function floorOf(schema: v.GenericSchema, value: unknown, floor: Trust, maxChars = 100) {
  return applyTrustFloor(toNode(schema), value, { floor, maxChars });
}

const issue = v.strictObject({
  trust: trustLevel,
  digest: byErrata(),
  count: v.number(),
  message: v.optional(reported()),
});

describe("reported text", () => {
  it.each([
    ["server", "server", "boom"],
    ["server", "public", "boom"],
    ["page", "server", withhold("page")],
    ["page", "page", { text: "boom", writtenBy: "page" }],
    ["page", "public", { text: "boom", writtenBy: "page" }],
    ["public", "server", withhold("public")],
    ["public", "page", withhold("public")],
    ["public", "public", { text: "boom", writtenBy: "public" }],
  ] as const)("of a %s report, at the floor %s", (trust, floor, message) => {
    const value = { trust, digest: "7F3K-Q2M9", count: 3, message: "boom" };
    expect(floorOf(issue, value, floor)).toEqual({ ...value, message });
  });

  it("that is quoted is cut, and says so", () => {
    const value = { trust: "public", digest: "", count: 1, message: "é".repeat(50) };
    const { message } = floorOf(issue, value, "public", 10) as { message: { text: string } };
    expect(message).toEqual({ text: `${"é".repeat(9)}…`, writtenBy: "public", isCut: true });
  });

  it("has the level of the nearest object that has one", () => {
    const schema = v.strictObject({ trust: trustLevel, reports: list(issue), title: reported() });
    const inner = { digest: "", count: 1, message: "boom" };
    const value = {
      trust: "server",
      title: "boom",
      reports: [
        { ...inner, trust: "public" },
        { ...inner, trust: "server" },
      ],
    };
    expect(floorOf(schema, value, "server")).toMatchObject({
      title: "boom",
      reports: [{ message: withhold("public") }, { message: "boom" }],
    });
  });

  it.each([
    ["without a level around it", v.strictObject({ a: reported() }), { a: "boom" }],
    [
      "whose level is not stored",
      v.strictObject({ trust: v.optional(trustLevel), a: reported() }),
      { a: "boom" },
    ],
    [
      "that any report may have written",
      v.strictObject({ trust: trustLevel, a: reportedByAnyone("A release") }),
      { trust: "server", a: "boom" },
    ],
    ["without an author", v.strictObject({ a: v.string() }), { a: "boom" }],
  ])("%s counts as public", (_, schema, value) => {
    expect(floorOf(schema, value, "page")).toMatchObject({ a: withhold("public") });
  });

  it("in JSON of any shape is quoted as JSON", () => {
    const schema = v.strictObject({ trust: trustLevel, detail: v.optional(reportedJson) });
    const detail = { name: ["boom"] };
    expect(floorOf(schema, { trust: "server", detail }, "server")).toMatchObject({ detail });
    expect(floorOf(schema, { trust: "page", detail }, "server")).toMatchObject({
      detail: withhold("page"),
    });
    expect(floorOf(schema, { trust: "page", detail }, "page")).toMatchObject({
      detail: { text: '{"name":["boom"]}', writtenBy: "page" },
    });
  });

  it("is withheld with the names of a record that reports chose", () => {
    const tags = valuesByName(reported(), v.number());
    const schema = v.strictObject({ trust: trustLevel, tags });
    const value = { trust: "public", tags: { boom: 1 } };
    expect(floorOf(schema, value, "server")).toMatchObject({ tags: withhold("public") });
    expect(floorOf(schema, value, "public")).toMatchObject({ tags: { text: '{"boom":1}' } });
    const trusted = { ...value, trust: "server" };
    expect(floorOf(schema, trusted, "server")).toEqual(trusted);
  });
});

it("text of members and of Errata stays as it is", () => {
  const schema = v.strictObject({
    trust: trustLevel,
    parts: list(
      variant("kind", [
        v.strictObject({ kind: v.literal("a"), by: byMember(), text: reported() }),
        v.strictObject({ kind: v.literal("b"), id: v.nullable(byErrata()) }),
      ]),
    ),
  });
  const parts = [
    { kind: "a", by: "Ada", text: "boom" },
    { kind: "b", id: null },
  ];
  expect(floorOf(schema, { trust: "page", parts }, "server")).toEqual({
    trust: "page",
    parts: [{ kind: "a", by: "Ada", text: withhold("page") }, parts[1]],
  });
});

/** Every text in a value, except those in quotes. */
function listTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  if ("writtenBy" in value) return [];
  return [...Object.keys(value), ...Object.values(value).flatMap(listTexts)];
}

describe.each(TRUST_LEVELS.filter((level) => level !== "server"))(
  "a report of trust %s",
  (trust) => {
    it.each(OPERATIONS.map((one) => [one.name, toNode(one.output)] as const))(
      "has no text outside of a quote in %s",
      (_, node) => {
        const sample = createSampleOutput(node, trust);
        expect(listTexts(sample).includes(CANARY)).toBe(hasReportedText(node));
        for (const floor of TRUST_LEVELS) {
          const shown = applyTrustFloor(node, sample, { floor, maxChars: 20 });
          expect(listTexts(shown)).not.toContain(CANARY);
          if (floor === "server") expect(JSON.stringify(shown)).not.toContain(CANARY);
        }
      },
    );
  },
);
