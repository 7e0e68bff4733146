/**
 * Who wrote each text of an output. The mark is metadata of the schema, so that it travels with the
 * schema to programs, and everything that treats text by its author (quotes, erasure) reads it
 * there.
 */
import * as v from "valibot";
import type { FieldType } from "../core/schema/form.ts";
import { TRUST_LEVELS, type Trust } from "../core/trust/trust.ts";

/** `reported`: whoever sent the report. `member`: a person of the team. `errata`: the product. */
type Author = "reported" | "member" | "errata";

/** The metadata of a text, or of a value of any shape, in an output. */
export interface Mark {
  readonly "x-written-by": Author;
  /** The level of reported text that is not of the level in `trust` of the object around it. */
  readonly "x-trust"?: Trust;
}

/** A schema of such texts; `about` where the name of the member does not say what it is. */
type TextSchema = (about?: string) => v.GenericSchema<string>;

function textBy(mark: Mark): TextSchema {
  const text = v.pipe(v.string(), v.metadata({ ...mark }));
  return (about) => (about === undefined ? text : v.pipe(text, v.description(about)));
}

/**
 * Text that an attacker may have written. The nearest object around it has its level in the member
 * `trust`.
 */
export const reported = textBy({ "x-written-by": "reported" });
/** Text that reports of any level may have written, whatever the level of the object around it. */
export const reportedByAnyone = textBy({ "x-written-by": "reported", "x-trust": "public" });
/** JSON of any shape in a report. */
export const reportedJson = v.pipe(v.unknown(), v.metadata({ "x-written-by": "reported" }));
/** Text by a person of the team: names, comments, queries, builds. */
export const byMember = textBy({ "x-written-by": "member" });
/** Ids, times, addresses and sentences of the product. */
export const byErrata = textBy({ "x-written-by": "errata" });
/** The member `trust`: how the sender of the reported text beside it was authenticated. */
export const trustLevel = v.picklist(TRUST_LEVELS);

/**
 * A time: Unix time in ms, in a member whose name ends in `Ms`. `/api/v1` shows it as ISO 8601, in a
 * member without that ending.
 */
export const time = v.pipe(v.number(), v.metadata({ "x-time": "unix-ms" }));

/** A time as ISO 8601 in UTC. */
export const isoTime = v.pipe(
  v.string(),
  v.metadata({ "x-written-by": "errata", "x-time": "iso-8601" }),
);

/** True for the schema of a `time`, also an optional one. */
export function isTime(node: SchemaNode): boolean {
  const marked = node.pipe?.some(({ metadata }) => metadata?.["x-time"] === "unix-ms");
  return marked === true || (node.wrapped !== undefined && isTime(node.wrapped));
}

/** What the schemas of outputs are made of. Any other schema fails the test of provenance. */
export interface SchemaNode {
  readonly type: string;
  readonly entries?: Readonly<Record<string, SchemaNode>>;
  readonly item?: SchemaNode;
  readonly items?: readonly SchemaNode[];
  readonly key?: SchemaNode | string;
  readonly value?: SchemaNode;
  readonly wrapped?: SchemaNode;
  readonly options?: readonly SchemaNode[] | readonly string[];
  readonly literal?: unknown;
  readonly pipe?: readonly { readonly metadata?: Readonly<Record<string, unknown>> }[];
}

/**
 * What a schema says about its values: the description, who wrote them, whether it is a time, and
 * what programs send as the field of a form.
 */
export function readFacts(node: SchemaNode): Partial<Mark> & {
  readonly description?: string | undefined;
  readonly "x-time"?: "unix-ms" | "iso-8601";
  readonly "x-type"?: FieldType;
} {
  const schema = node as unknown as v.GenericSchema;
  return { ...v.getMetadata(schema), description: v.getDescription(schema) };
}

/** The description of a member, also of an optional one: Valibot does not look inside it. */
export function readDescription(node: SchemaNode): string | undefined {
  return readFacts(node.wrapped ?? node).description;
}

/** The schema as its parts. */
export function toNode(schema: v.GenericSchema): SchemaNode {
  return schema as unknown as SchemaNode;
}

/**
 * A copy with only the members that the schema declares. It validates nothing: stored data of
 * earlier versions must stay readable.
 */
export function selectDeclared(node: SchemaNode, value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  const { entries, item, items, value: memberSchema, wrapped } = node;
  if (wrapped !== undefined) return selectDeclared(wrapped, value);
  if (Array.isArray(value)) {
    if (item !== undefined) return value.map((one) => selectDeclared(item, one));
    return items?.map((one, n) => selectDeclared(one, value[n])) ?? value;
  }
  if (memberSchema !== undefined)
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, selectDeclared(memberSchema, one)]),
    );
  if (node.type === "variant") {
    const option = findVariantOption(node, value);
    return option === undefined ? undefined : selectDeclared(option, value);
  }
  if (entries === undefined) return value;
  const selected: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(entries)) {
    const member: unknown = Reflect.get(value, name);
    if (member !== undefined) selected[name] = selectDeclared(schema, member);
  }
  return selected;
}

/** The option of a variant whose literal the value has. */
export function findVariantOption(
  { key, options = [] }: SchemaNode,
  value: object,
): SchemaNode | undefined {
  if (typeof key !== "string") return undefined;
  const discriminator: unknown = Reflect.get(value, key);
  return options.find((option): option is SchemaNode => {
    const member = typeof option === "object" ? option.entries?.[key] : undefined;
    return (
      member?.literal === discriminator ||
      member?.options?.some((one) => one === discriminator) === true
    );
  });
}
