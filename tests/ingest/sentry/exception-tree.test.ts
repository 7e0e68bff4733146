import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildErrorTree, type ErrorNode } from "#src/core/errors/error-tree.ts";
import { limits } from "#src/core/limits.ts";
import { parseSentryEvent } from "#src/ingest/sentry/sentry-event.ts";
import { orderExceptions } from "#src/ingest/sentry/sentry-exception.ts";
import { getReport } from "#support/reports/parsed-items.ts";

interface Linked {
  readonly id?: number;
  readonly parent?: number;
  readonly isGroup?: boolean;
}

function createException(value: string, { id, parent, isGroup }: Linked = {}) {
  const mechanism = { type: "x", exception_id: id, parent_id: parent, is_exception_group: isGroup };
  return { type: "E", value, ...(id !== undefined && { mechanism }) };
}

function parse(values: readonly object[]) {
  return getReport(parseSentryEvent({ platform: "python", exception: { values } }));
}

/** `root(a(b) c)` */
function toText({ error, children }: ErrorNode): string {
  return `${error.message}${children.length > 0 ? `(${children.map(toText).join(" ")})` : ""}`;
}

describe("the exceptions of an event as a tree", () => {
  const trees = [
    {
      name: "without ids, each is the cause of the next one",
      values: [createException("c"), createException("b"), createException("a")],
      tree: "a(b(c))",
    },
    {
      name: "with ids, members of a group",
      values: [
        createException("m2", { id: 3, parent: 0 }),
        createException("c", { id: 2, parent: 1 }),
        createException("m1", { id: 1, parent: 0 }),
        createException("group", { id: 0, isGroup: true }),
      ],
      tree: "group(m1(c) m2)",
    },
    {
      name: "a parent that comes after its child in the chain",
      values: [
        createException("m", { id: 1, parent: 2 }),
        createException("c", { id: 2, parent: 0 }),
        createException("a", { id: 0 }),
      ],
      tree: "a(c(m))",
    },
    {
      name: "the thrown one is first in the list",
      values: [
        createException("a", { id: 0 }),
        createException("b", { id: 1, parent: 0 }),
        createException("c", { id: 2, parent: 1 }),
      ],
      tree: "a(b(c))",
    },
    {
      name: "unknown parents",
      values: [createException("b", { id: 5, parent: 9 }), createException("a", { id: 0 })],
      tree: "a(b)",
    },
    {
      name: "rings",
      values: [
        createException("c", { id: 2, parent: 1 }),
        createException("b", { id: 1, parent: 2 }),
        createException("a", { id: 0 }),
      ],
      tree: "a(b c)",
    },
    {
      name: "one that is its own parent",
      values: [createException("b", { id: 0, parent: 0 }), createException("a")],
      tree: "a(b)",
    },
  ];
  it.each(trees)("$name: $tree", ({ values, tree }) => {
    expect(toText(buildErrorTree(parse(values)))).toBe(tree);
  });

  it("names a parent only if it is not the error before", () => {
    const { causes } = parse(trees[1]?.values ?? []);
    expect(causes?.map(({ message, parent }) => [message, parent])).toEqual([
      ["m1", undefined],
      ["c", undefined],
      ["m2", 0],
    ]);
  });

  it("keeps the outermost of a long chain and the innermost, and says that some are missing", () => {
    const values = Array.from({ length: 200 }, (_, n) => createException(String(199 - n)));
    const { message, causes, truncated } = parse(values);
    expect(message).toBe("0");
    expect(causes?.map((cause) => cause.message)).toEqual(
      ["1", "2", "3", "4", "5", "6", "7", "199"].slice(-limits.maxCauses),
    );
    expect(truncated).toEqual(["causes"]);
  });

  it("keeps the members of a group before their causes", () => {
    const members = Array.from({ length: 5 }, (_, n) => [
      createException(`m${n}`, { id: 10 + n, parent: 0 }),
      createException(`c${n}`, { id: 20 + n, parent: 10 + n }),
    ]).flat();
    const { causes = [] } = parse([...members.reverse(), createException("group", { id: 0 })]);
    expect(causes).toHaveLength(limits.maxCauses);
    for (let n = 0; n < 5; n++) expect(causes.map(({ message }) => message)).toContain(`m${n}`);
  });

  it("has every exception once, below the root, whatever the ids are", () => {
    const id = fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined });
    const list = fc.array(fc.record({ id, parent: id }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(list, fc.integer({ min: 1, max: 14 }), (links, max) => {
        const values = links.map(({ id: own, parent }, n) => ({
          value: String(n),
          mechanism: { exception_id: own, parent_id: parent },
        }));
        const ordered = orderExceptions(values, max);
        expect(ordered).toHaveLength(Math.min(values.length, max));
        expect(new Set(ordered.map(({ exception }) => exception)).size).toBe(ordered.length);
        for (const [at, { parent }] of ordered.entries())
          expect(parent).toBeLessThan(Math.max(at, 1));
      }),
    );
  });

  const groups = [
    { type: "ExceptionGroup", isGroup: true },
    { type: "System.AggregateException", isGroup: true },
    { type: "AggregateError", isGroup: true },
    { type: "io.reactivex.exceptions.CompositeException", isGroup: true },
    { type: "ExceptionGroupError", isGroup: undefined },
    { type: "E", isGroup: undefined },
  ];
  it.each(groups)("$type is a group: $isGroup", ({ type, isGroup }) => {
    const { causes, ...report } = parse([{ type }, { type }]);
    expect([report.isGroup, causes?.[0]?.isGroup]).toEqual([isGroup, isGroup]);
  });
});
