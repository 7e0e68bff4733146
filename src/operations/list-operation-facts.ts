/** The table of operations for programs that call them, derived from `OPERATIONS`. */
import * as v from "valibot";
import type { MemberFacts, OperationFacts } from "../core/operation-facts.ts";
import { getMemberType } from "./inputs.ts";
import type { Operation } from "./operation.ts";
import { OPERATIONS } from "./operations.ts";
import { toNode } from "./provenance.ts";

export function listOperationFacts(): readonly OperationFacts[] {
  return OPERATIONS.map(toFacts);
}

function toFacts({ name, summary, route, input }: Operation): OperationFacts {
  const [method = "", path = ""] = route.split(" ");
  const members = Object.entries(input.entries).map(([member, schema]) => ({
    name: member,
    type: toType(getMemberType(input, member), schema),
    isRequired: schema.type !== "optional",
    about: describe(schema) ?? member,
  }));
  return { name, summary, method, path, members };
}

function toType(type: string | undefined, schema: v.GenericSchema): MemberFacts["type"] {
  const { wrapped = schema } = schema as { readonly wrapped?: object };
  switch (type) {
    case "number":
    case "boolean":
      return type;
    case "array":
      return toNode(wrapped as v.GenericSchema).item?.type === "string" ? "list" : "json";
    case "strict_object":
      return "json";
    default:
      return "text";
  }
}

/** Valibot does not look for the description in what `optional` wraps. */
function describe(schema: object): string | undefined {
  const { wrapped = schema } = schema as { readonly wrapped?: object };
  return v.getDescription(wrapped as v.GenericSchema);
}
