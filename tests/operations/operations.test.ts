import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { list } from "#src/core/schema/stored-object.ts";
import type { InputSchema } from "#src/operations/operation.ts";
import { OPERATIONS } from "#src/operations/operations.ts";
import {
  byErrata,
  type Mark,
  reported,
  reportedJson,
  type SchemaNode,
  selectDeclared,
  toNode,
} from "#src/operations/provenance.ts";

const ALL = OPERATIONS.map((operation) => [operation.name, operation] as const);

/** Types of values without a text of their own, and of objects whose members are all declared. */
const CLOSED = ["number", "boolean", "literal", "picklist", "null"];

/**
 * The paths of texts without an author, of reported texts without a level, and of objects that may
 * have other members.
 */
function findUnmarked(node: SchemaNode, path = "", hasTrust = false): readonly string[] {
  const { wrapped, item, items, entries, key, value, options = [] } = node;
  if (wrapped) return findUnmarked(wrapped, path, hasTrust);
  if (item) return findUnmarked(item, `${path}[]`, hasTrust);
  if (items) return items.flatMap((one, n) => findUnmarked(one, `${path}[${n}]`, hasTrust));
  if (value && typeof key === "object")
    return [
      ...findUnmarked(key, `${path}{key}`, hasTrust),
      ...findUnmarked(value, `${path}{}`, hasTrust),
    ];
  if (node.type === "variant")
    return options.flatMap((one) =>
      typeof one === "string" ? [] : findUnmarked(one, path, hasTrust),
    );
  if (node.type === "strict_object" && entries) {
    const isLevel = hasTrust || entries.trust?.type === "picklist";
    return Object.entries(entries).flatMap(([name, one]) =>
      findUnmarked(one, `${path}.${name}`, isLevel),
    );
  }
  if (CLOSED.includes(node.type)) return [];
  const mark: Partial<Mark> = v.getMetadata(node as never);
  const author = mark["x-written-by"];
  if (author === "reported" && !hasTrust && mark["x-trust"] === undefined) return [path];
  return author === undefined || !["string", "unknown"].includes(node.type) ? [path] : [];
}

/** A value of a schema, each of whose objects has a further member. */
function createSample(node: SchemaNode): unknown {
  const { wrapped, item, items, entries, value, options = [] } = node;
  if (wrapped) return createSample(wrapped);
  if (item) return [createSample(item)];
  if (items) return items.map(createSample);
  if (value) return { name: createSample(value) };
  if (node.type === "variant" && typeof options[0] === "object") return createSample(options[0]);
  if (entries) {
    const members = Object.entries(entries).map(([name, one]) => [name, createSample(one)]);
    return { ...Object.fromEntries(members), internal: "INTERNAL" };
  }
  if (node.type === "literal") return node.literal;
  if (node.type === "picklist") return options[0];
  return { number: 1, boolean: true }[node.type] ?? "text";
}

describe("the operations", () => {
  it("have names and routes of their own", () => {
    for (const facts of [OPERATIONS.map(({ name }) => name), OPERATIONS.map(({ route }) => route)])
      expect(facts).toEqual([...new Set(facts)]);
  });

  it("have one text for each kind of message", () => {
    const texts = new Map<string, string>();
    for (const [kind, text] of OPERATIONS.flatMap(({ messages = {} }) => Object.entries(messages)))
      expect([kind, texts.set(kind, texts.get(kind) ?? text).get(kind)]).toEqual([kind, text]);
  });

  it.each(ALL)(
    "%s has a consistent definition",
    (_, { effect, route, input, canUndo, output, ...facts }) => {
      const [, method, path = ""] = /^(GET|POST|PUT|DELETE) (\/[\w/{}-]+)$/.exec(route) ?? [];
      expect(facts.name).toMatch(/^[a-z][A-Za-z]+\.[a-zA-Z]+$/);
      // A read with a long input is a POST.
      if (method !== "POST") expect(method === "GET").toBe(effect === "read");
      expect(facts.summary).toMatch(/^[A-Z].*\.$/);
      for (const [, name = ""] of path.matchAll(/\{(\w+)\}/g))
        expect(input.entries[name]?.type, `{${name}} is required`).toBe("string");
      if (canUndo) expect(toNode(output).entries).toHaveProperty("change");
      expect(facts.reasons).toContain("invalid-input");
    },
  );

  it.each(ALL)("%s says of each member of its input what it expects", (_, { input }) => {
    for (const [name, text] of describeMembers(input)) expect(text, name).toMatch(/^[a-z1'"]/);
  });

  it.each(ALL)("%s says of each text in its output who wrote it", (_, { output }) => {
    expect(findUnmarked(toNode(output))).toEqual([]);
  });

  it.each(ALL)(
    "%s has a value that fits its output, without undeclared members",
    (_, { output }) => {
      const sample = createSample(toNode(output));
      expect(JSON.stringify(sample)).toContain("INTERNAL");
      const selected = selectDeclared(toNode(output), sample);
      expect(v.safeParse(output, selected).issues).toBeUndefined();
      expect(JSON.stringify(selected)).not.toContain("INTERNAL");
    },
  );
});

function describeMembers({ entries }: InputSchema) {
  return Object.entries(entries).map(([name, entry]) => {
    const { wrapped }: { readonly wrapped?: v.GenericSchema } = entry as never;
    return [name, v.getDescription(wrapped ?? (entry as v.GenericSchema))] as const;
  });
}

it.each([
  ["a text without an author", v.strictObject({ a: v.string(), b: byErrata("") }), [".a"]],
  ["an open object", v.object({ a: byErrata("") }), [""]],
  ["reported text without a level", v.strictObject({ a: list(reported("")) }), [".a[]"]],
  [
    "names that nobody declares",
    v.strictObject({ a: v.record(v.string(), v.number()) }),
    [".a{key}"],
  ],
  [
    "a value of any shape",
    v.strictObject({ a: v.optional(v.unknown()), b: v.any() }),
    [".a", ".b"],
  ],
  ["reported JSON without a level", v.strictObject({ a: reportedJson }), [".a"]],
  [
    "a schema that nobody knows",
    v.strictObject({ a: v.union([byErrata(""), v.number()]) }),
    [".a"],
  ],
])("%s is found in an output", (_, schema, paths) => {
  expect(findUnmarked(toNode(schema))).toEqual(paths);
});
