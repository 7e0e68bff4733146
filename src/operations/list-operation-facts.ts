/** The table of operations for programs that call them, derived from `OPERATIONS`. */
import type { MemberFacts, OperationFacts } from "../core/operation-facts.ts";
import { type Operation, parseRoute } from "./operation.ts";
import { OPERATIONS } from "./operations.ts";
import { readDescription, readFacts, type SchemaNode, toNode } from "./provenance.ts";
import { hasReportedText } from "./trust-floor.ts";

export function listOperationFacts(): readonly OperationFacts[] {
  return OPERATIONS.map(toFacts);
}

function toFacts(operation: Operation): OperationFacts {
  const { name, summary, input } = operation;
  const members = Object.entries(input.entries).map(([member, schema]) => {
    const node = toNode(schema);
    const isRequired = node.type !== "optional";
    return { name: member, type: toType(node), isRequired, about: readDescription(node) ?? member };
  });
  const hasReports = hasReportedText(toNode(operation.output)) || undefined;
  return { name, summary, ...parseRoute(operation), members, hasReports };
}

function toType({ wrapped, ...whole }: SchemaNode): MemberFacts["type"] {
  const node = wrapped ?? whole;
  const type = readFacts(node)["x-type"] ?? node.type;
  switch (type) {
    case "list":
      return "list";
    case "number":
    case "boolean":
      return type;
    case "array":
      return node.item?.type === "string" ? "list" : "json";
    case "record":
    case "strict_object":
      return "json";
    default:
      return "text";
  }
}
