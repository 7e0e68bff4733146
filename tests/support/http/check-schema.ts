/** Compares a value with a JSON Schema (2020-12), as far as `/openapi.json` uses it. */
import { type JsonSchema, toRef } from "#src/http/api/json-schema.ts";

/** A schema in the document. */
export type CheckedSchema = JsonSchema & { readonly allOf?: readonly CheckedSchema[] };

type Schemas = Readonly<Record<string, CheckedSchema>>;

const REF_START = toRef("").$ref ?? "";

/** The keywords that `findMismatches` knows; annotations say nothing about a value. */
const KEYWORDS = new Set([
  ...["$ref", "type", "format", "enum", "const", "pattern", "anyOf", "allOf"],
  ...["minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"],
  ...["properties", "required", "additionalProperties", "items", "prefixItems"],
  ...["description", "default", "x-written-by", "x-trust"],
]);

/**
 * The paths of a value that do not fit, with what was expected. Objects may have only the members
 * that the schema names, although the document allows others: they may be added later. Throws for a
 * keyword that it does not know.
 */
export function findMismatches(
  schema: CheckedSchema,
  value: unknown,
  schemas: Schemas,
  path = "",
): readonly string[] {
  const unknown = Object.keys(schema).find((keyword) => !KEYWORDS.has(keyword));
  if (unknown !== undefined) throw new Error(`Unknown keyword ${unknown} at ${path}`);
  const { $ref, allOf, anyOf } = schema;
  if ($ref !== undefined) return findMismatches(getNamed($ref, schemas), value, schemas, path);
  if (allOf !== undefined) return findMismatches(mergeParts(schema, schemas), value, schemas, path);
  if (anyOf !== undefined) {
    const tried = anyOf.map((one) => findMismatches(one, value, schemas, path));
    return tried.some(({ length }) => length === 0) ? [] : (tried.toSorted(byLength)[0] ?? []);
  }
  return [...checkValue(schema, value, path), ...checkMembers(schema, value, schemas, path)];
}

function byLength(a: readonly string[], b: readonly string[]): number {
  return b.length - a.length;
}

function getNamed(ref: string, schemas: Schemas): CheckedSchema {
  const named = schemas[ref.slice(REF_START.length)];
  if (!ref.startsWith(REF_START) || named === undefined) throw new Error(`Unknown schema ${ref}`);
  return named;
}

/** One object with the members of all parts. */
function mergeParts({ allOf = [], ...own }: CheckedSchema, schemas: Schemas): CheckedSchema {
  const parts = [...allOf.map(({ $ref = "" }) => getNamed($ref, schemas)), own];
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

function checkValue(schema: CheckedSchema, value: unknown, path: string): readonly string[] {
  const { type, format, pattern, minimum, maximum } = schema;
  const size = typeof value === "string" || Array.isArray(value) ? value.length : 0;
  const min = schema.minLength ?? schema.minItems ?? 0;
  const max = schema.maxLength ?? schema.maxItems ?? Number.POSITIVE_INFINITY;
  const fits: readonly (readonly [boolean, string])[] = [
    [type === undefined || [type].flat().some((one) => hasType(value, one)), `${type}`],
    [schema.enum === undefined || schema.enum.includes(value), `one of ${schema.enum}`],
    [schema.const === undefined || schema.const === value, `${schema.const}`],
    [format === undefined || isDateTime(value), `${format}`],
    [pattern === undefined || new RegExp(pattern, "u").test(String(value)), `${pattern}`],
    [size >= min && size <= max, `${min} to ${max}`],
    [minimum === undefined || Number(value) >= minimum, `at least ${minimum}`],
    [maximum === undefined || Number(value) <= maximum, `at most ${maximum}`],
  ];
  return fits.flatMap(([isFitting, expected]) =>
    isFitting ? [] : [`${path}: expected ${expected}`],
  );
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** RFC 3339, in UTC, as JavaScript writes it. */
function isDateTime(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value)) && value.endsWith("Z");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function checkMembers(
  schema: CheckedSchema,
  value: unknown,
  schemas: Schemas,
  path: string,
): readonly string[] {
  const { properties = {}, required = [], additionalProperties: other, type } = schema;
  if (Array.isArray(value))
    return value.flatMap((one, n) => {
      const item = schema.prefixItems?.[n] ?? schema.items ?? {};
      return item === false
        ? [`${path}[${n}]: expected no item`]
        : findMismatches(item, one, schemas, `${path}[${n}]`);
    });
  if (!isObject(value) || type !== "object") return [];
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  return [
    ...missing.map((name) => `${path}.${name}: expected a value`),
    ...Object.entries(value).flatMap(([name, one]) => {
      const member = Object.hasOwn(properties, name) ? properties[name] : other;
      return typeof member === "object"
        ? findMismatches(member, one, schemas, `${path}.${name}`)
        : [`${path}.${name}: not in the schema`];
    }),
  ];
}
