/**
 * Traces and Ray IDs: codes that name the request of a report. The catalogue keeps them as it keeps ids, so that a lookup finds the
 * report behind one, over the whole retention, without a row or a key a report.
 */
import type { LineFacts } from "./line-facts.ts";
import type { PlacedId } from "./packed-ids.ts";

/** What the reports of these lines can be found by beside their ids, as ids, with their lines. */
export function tracesOf(facts: readonly Pick<LineFacts, "codes">[]): readonly PlacedId[] {
  return facts.flatMap(({ codes }, line) =>
    codes.flatMap((code) => {
      const id = tracedId(code);
      return id === undefined ? [] : { id, line };
    }),
  );
}

/** A trace (32 hex characters) or a Ray ID (16, and where it was) as an id; undefined for what is neither. */
export function tracedId(code: string): string | undefined {
  const [, hex = ""] = /^([0-9a-f]{16}|[0-9a-f]{32})(?:-[A-Z]{3})?$/.exec(code) ?? [];
  if (hex === "" || /^0+$/.test(hex)) return undefined;
  return hex.padStart(32, "0");
}
