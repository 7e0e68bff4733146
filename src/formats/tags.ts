/** Tags as a draft has them. */
import { limits } from "../core/limits.ts";
import type { Cuts } from "./cuts.ts";

type Tag = readonly [name: string, value: string];

/** The pairs that have a value, in their order and within the limits. Undefined when there are none. */
export function tagsOf(
  pairs: readonly (readonly [name: string, value: string | undefined])[],
  cuts: Cuts,
): readonly Tag[] | undefined {
  const told = pairs.filter((pair): pair is Tag => pair[1] !== undefined);
  const text = (value: string) => cuts.text("tags", value, limits.maxStringChars) ?? "";
  const kept = cuts.first("tags", told, limits.maxTags);
  return kept.length === 0 ? undefined : kept.map(([name, value]) => [text(name), text(value)]);
}
