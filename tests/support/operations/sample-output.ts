/** Values of the schemas of outputs, for tests of everything that derives from these schemas. */
import * as v from "valibot";
import type { Trust } from "#src/core/trust/trust.ts";
import type { SchemaNode } from "#src/operations/provenance.ts";
import { isReported } from "#src/operations/trust-floor.ts";

/** Every reported text of a sample. */
export const CANARY = "CANARY";

/** A value of a schema with all members, each object with this level, and each option once. */
export function createSampleOutput(node: SchemaNode, trust: Trust): unknown {
  const { wrapped, item, items, entries, value, options = [] } = node;
  const of = (one: SchemaNode) => createSampleOutput(one, trust);
  if (node.type !== "record" && isReported(node)) return CANARY;
  if (wrapped) return of(wrapped);
  if (item?.type === "variant") return item.options?.map((one) => of(one as SchemaNode));
  if (item) return [of(item)];
  if (items) return items.map(of);
  if (value) return { [isReported(node) ? CANARY : "name"]: of(value) };
  if (node.type === "variant") return of(options[0] as SchemaNode);
  if (entries)
    return Object.fromEntries(
      Object.entries(entries).map(([name, one]) => [name, name === "trust" ? trust : of(one)]),
    );
  if (v.getMetadata(node as never)["x-time"] === "iso-8601") return "2026-11-21T17:00:00.000Z";
  return (
    { number: 1, boolean: true, literal: node.literal, picklist: options[0] }[node.type] ?? "text"
  );
}
