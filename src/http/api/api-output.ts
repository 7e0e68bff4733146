/**
 * The output of an operation as `/api/v1` has it: times are ISO 8601 and their names have no ending
 * `Ms`. Derived from the schema of the output.
 */
import { formatRfc3339 } from "../../core/utc-time.ts";
import { findVariantOption, isTime, type SchemaNode } from "../../operations/provenance.ts";

/** The name of a member in the API. */
export function toApiName(name: string, node: SchemaNode): string {
  return isTime(node) ? name.replace(/Ms$/, "") : name;
}

/** The value in the API. Members that the schema does not declare were removed before. */
export function toApiValue(node: SchemaNode, value: unknown): unknown {
  if (typeof value === "number" && isTime(node)) return formatRfc3339(value);
  if (value === null || typeof value !== "object") return value;
  const { entries, item, items, value: memberSchema, wrapped } = node;
  if (wrapped !== undefined) return toApiValue(wrapped, value);
  if (Array.isArray(value)) {
    if (item !== undefined) return value.map((one) => toApiValue(item, one));
    return items?.map((one, n) => toApiValue(one, value[n])) ?? value;
  }
  if (memberSchema !== undefined)
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, toApiValue(memberSchema, one)]),
    );
  if (node.type === "variant") {
    const option = findVariantOption(node, value);
    return option === undefined ? value : toApiValue(option, value);
  }
  if (entries === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const member = entries[name];
      return member === undefined
        ? [name, one]
        : [toApiName(name, member), toApiValue(member, one)];
    }),
  );
}
