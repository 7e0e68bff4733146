/**
 * Traces and Ray IDs: codes that name the request of a report. The catalogue keeps them as it keeps ids, so that a lookup finds the
 * report behind one, over the whole retention, without a row or a key a report.
 */
import type { LineInfo } from "./line-info.ts";
import type { IdAtLine } from "./packed-ids.ts";

/** What the reports of these lines can be found by beside their ids, as ids, with their lines. */
export function extractTraceIds(
  infos: readonly Pick<LineInfo, "traceCodes">[],
): readonly IdAtLine[] {
  return infos.flatMap(({ traceCodes }, line) =>
    traceCodes.flatMap((code) => {
      const id = toTraceId(code);
      return id === undefined ? [] : { id, line };
    }),
  );
}

/** A trace (32 hex characters) or a Ray ID (16, and where it was) as an id; undefined for what is neither. */
export function toTraceId(code: string): string | undefined {
  const [, hex = ""] = /^([0-9a-f]{16}|[0-9a-f]{32})(?:-[A-Z]{3})?$/.exec(code) ?? [];
  if (hex === "" || /^0+$/.test(hex)) return undefined;
  return hex.padStart(32, "0");
}
