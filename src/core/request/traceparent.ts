/** The header `traceparent`, which carries a trace from caller to callee (W3C Trace Context § 3.2). */
import { parseHexId } from "../decode/as-type.ts";

/** The trace id of a `traceparent`. Undefined if it is invalid. */
export function parseTraceparent(traceparent: string | null | undefined): string | undefined {
  return parseHexId(/^[\da-f]{2}-([\da-f]{32})-/.exec(traceparent ?? "")?.[1]);
}
