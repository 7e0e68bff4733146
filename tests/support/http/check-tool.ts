/** Compares structured content with the schema of its tool. */
import type { JsonSchema } from "#src/http/api/json-schema.ts";
import { toOutputSchema } from "#src/http/mcp/json-schema.ts";
import type { Tool } from "#src/http/mcp/tools.ts";
import { toNode } from "#src/operations/provenance.ts";
import { findMismatches } from "./check-schema.ts";

/** The paths of structured content that do not fit. */
export function findToolMismatches(tool: Tool, value: unknown): readonly string[] {
  const { $defs, ...schema } = toOutputSchema(toNode(tool.operation.output), tool);
  // The names of the schemas of tools are elsewhere than those of `/openapi.json`.
  const rename = (one: unknown): JsonSchema =>
    JSON.parse(JSON.stringify(one).replaceAll("#/$defs/", "#/components/schemas/"));
  const named = Object.entries($defs as object).map(([name, one]) => [name, rename(one)]);
  return findMismatches(rename(schema), value, Object.fromEntries(named));
}
