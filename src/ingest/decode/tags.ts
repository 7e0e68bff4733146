/** Tags of a parsed report. */
import { limits } from "../../core/limits.ts";
import type { Truncations } from "./truncations.ts";

type ReportTag = readonly [name: string, value: string];

/** The pairs that have a value, in order, within the limits. Undefined if there are none. */
export function createTags(
  pairs: readonly (readonly [name: string, value: string | undefined])[],
  truncations: Truncations,
): readonly ReportTag[] | undefined {
  const defined = pairs.filter((pair): pair is ReportTag => pair[1] !== undefined);
  const limited = truncations.takeFirst("tags", defined, limits.maxTags);
  return limited.length === 0
    ? undefined
    : limited.map(([name, value]) => [
        truncations.limitString("tags", name) ?? "",
        truncations.limitString("tags", value) ?? "",
      ]);
}
