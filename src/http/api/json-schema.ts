/**
 * The schemas of operations as JSON Schema (2020-12), as `/api/v1` has them: times are ISO 8601, and
 * reported text may be withheld or quoted. The build writes them to `/openapi.json`; the arguments of
 * tools of MCP derive from those of inputs.
 */
import type { InputSchema } from "../../operations/operation.ts";
import {
  type Mark,
  readDescription,
  readFacts,
  type SchemaNode,
  toNode,
} from "../../operations/provenance.ts";
import { isReported } from "../../operations/trust-floor.ts";
import { toApiName } from "./api-output.ts";

/** The part of JSON Schema that schemas of operations use. */
export interface JsonSchema extends Partial<Mark> {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: "date-time";
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema | false;
  readonly prefixItems?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
}

/** A member of an input. */
export interface InputMember {
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Where the schemas with names are. */
const COMPONENTS = "#/components/schemas/";

/** A reference to a schema with a name. */
export function toRef(name: string): JsonSchema {
  return { $ref: COMPONENTS + name };
}

/** What is in place of reported text, and of reported values of other types. */
const REPLACED = [toRef("WithheldText"), toRef("QuotedText")];

/** The schemas to which those of outputs refer, besides `names`. */
export const REPORTED_TEXT: JsonSchema = {
  description: "Text of a report: as text, withheld or quoted",
  anyOf: [{ type: "string" }, ...REPLACED],
};

/** The members of an input, by name. A description completes "Expected …". */
export function toInputMembers(input: InputSchema): Readonly<Record<string, InputMember>> {
  return Object.fromEntries(
    Object.entries(toNode(input).entries ?? {}).map(([name, node]) => {
      const schema = { description: readDescription(node), ...toInputSchema(node) };
      return [name, { schema, isRequired: node.type !== "optional" }];
    }),
  );
}

/** A step of a pipe: a schema, or a rule with what it requires. */
interface Step {
  readonly kind: string;
  readonly type: string;
  readonly requirement?: unknown;
}

function listSteps({ pipe = [] }: SchemaNode): readonly Step[] {
  const steps = pipe as unknown as readonly (Step & SchemaNode)[];
  return steps.flatMap((step) => (step.pipe === undefined ? [step] : listSteps(step)));
}

/** The rules before the first transformation: later ones are about another value. */
function listRules(node: SchemaNode): readonly Step[] {
  const steps = listSteps(node);
  const at = steps.findIndex(({ kind }) => kind === "transformation");
  return at < 0 ? steps : steps.slice(0, at);
}

function toInputSchema(node: SchemaNode & { readonly default?: unknown }): JsonSchema {
  if (node.wrapped !== undefined)
    return { ...toInputSchema(node.wrapped), ...(node.default !== undefined && toDefault(node)) };
  const isList = node.type === "array";
  const rules = listRules(node).map((step): JsonSchema => {
    const { type, requirement } = step;
    if (requirement instanceof RegExp) return { pattern: requirement.source };
    if (typeof requirement !== "number") return type === "integer" ? { type } : {};
    if (type === "min_length")
      return isList ? { minItems: requirement } : { minLength: requirement };
    if (type === "max_length")
      return isList ? { maxItems: requirement } : { maxLength: requirement };
    if (type === "min_value") return { minimum: requirement };
    return type === "max_value" ? { maximum: requirement } : {};
  });
  return Object.assign({}, toInputType(node), ...rules);
}

function toInputType({ type, options = [], item, entries, ...node }: SchemaNode): JsonSchema {
  if (type === "picklist") return { type: "string", enum: options };
  if (entries !== undefined) return toInputObject(entries);
  if (type === "record") return { type: "object", additionalProperties: { type: "string" } };
  if (type !== "unknown") return { type, ...(item && { items: toInputSchema(item) }) };
  // A form has it as a text, too.
  const sent = readFacts({ type, ...node })["x-type"];
  return sent === "list"
    ? { type: "array", items: { type: "string" } }
    : { type: sent ?? "object" };
}

function toInputObject(entries: Readonly<Record<string, SchemaNode>>): JsonSchema {
  const members = Object.entries(entries);
  return {
    type: "object",
    properties: Object.fromEntries(members.map(([name, one]) => [name, toInputSchema(one)])),
    required: members.flatMap(([name, { type }]) => (type === "optional" ? [] : [name])),
    additionalProperties: false,
  };
}

function toDefault(node: { readonly default?: unknown }): JsonSchema {
  return { default: node.default };
}

/**
 * The schema of an output. Nodes in `names` are references to them. Objects are open, because members
 * may be added.
 */
export function toOutputSchema(
  node: SchemaNode,
  names: ReadonlyMap<SchemaNode, string> = new Map(),
): JsonSchema {
  const name = names.get(node);
  return name === undefined ? describe(node, names) : toRef(name);
}

/** The schema of a node, also of one that has a name. */
export function describe(node: SchemaNode, names: ReadonlyMap<SchemaNode, string>): JsonSchema {
  const { description } = readFacts(node);
  const schema = describeValue(node, names);
  return description === undefined ? schema : { ...schema, description };
}

function describeValue(node: SchemaNode, names: ReadonlyMap<SchemaNode, string>): JsonSchema {
  const of = (one: SchemaNode) => toOutputSchema(one, names);
  const { type, wrapped, item, items, entries, value, options = [] } = node;
  const marks = readFacts(node);
  if (marks["x-time"] !== undefined) return { type: "string", format: "date-time" };
  if (wrapped !== undefined)
    return type === "nullable" ? { anyOf: [of(wrapped), { type: "null" }] } : of(wrapped);
  if (entries !== undefined) return describeObject(entries, names);
  if (item !== undefined) return { type: "array", items: of(item) };
  if (items !== undefined)
    return {
      type: "array",
      prefixItems: items.map(of),
      items: false,
      minItems: items.length,
      maxItems: items.length,
    };
  if (value !== undefined) {
    const record = { type: "object", additionalProperties: of(value) };
    return isReported(node) ? { anyOf: [record, ...REPLACED] } : record;
  }
  switch (type) {
    case "variant":
      return { anyOf: options.flatMap((one) => (typeof one === "object" ? [of(one)] : [])) };
    case "picklist":
      return { type: "string", enum: options };
    case "literal":
      return { const: node.literal };
    case "string":
      return isReported(node)
        ? { ...toRef("ReportedText"), ...pickMarks(marks) }
        : { type, ...pickMarks(marks) };
    case "unknown":
      return { description: "JSON of a report: as sent, withheld or quoted", ...pickMarks(marks) };
    default:
      return { type };
  }
}

function pickMarks(marks: Partial<Mark>): Partial<Mark> {
  const { "x-written-by": author, "x-trust": trust } = marks;
  return { ...(author && { "x-written-by": author }), ...(trust && { "x-trust": trust }) };
}

function describeObject(
  entries: Readonly<Record<string, SchemaNode>>,
  names: ReadonlyMap<SchemaNode, string>,
): JsonSchema {
  // A time may be there in both forms, which have the same name here.
  const members = Object.entries(entries).map(
    ([name, node]) => [toApiName(name, node), node] as const,
  );
  const required = members.filter(([, { type }]) => type !== "optional").map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(
      members.map(([name, node]) => [name, toOutputSchema(node, names)]),
    ),
    required: [...new Set(required)],
  };
}
