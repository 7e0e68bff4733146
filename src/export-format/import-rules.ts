/**
 * How exported values that may have been edited are read: by the schemas of what is stored, with
 * these rules. A wrong type is rejected with its path; long text and lists are truncated.
 */

import { isDigest } from "../core/grouping/parse-digest.ts";
import { limits } from "../core/limits.ts";
import { SCRUB_GROWTH } from "../core/report.ts";
import { fail, ok, type Result } from "../core/result.ts";
import {
  decodeStored,
  type ImportRules,
  Mismatch,
  type StoredSchema,
} from "../core/schema/stored-object.ts";
import { NETWORK_SKETCH } from "../core/stats/network-sketch.ts";
import { truncateJson, truncateText } from "../core/truncate.ts";
import { MAX_RFC3339_MS } from "../core/utc-time.ts";
import { REPORT_FORMATS } from "../ingest/formats.ts";

/** The expected value and its path: `frames[0].line`. */
export interface SchemaMismatch {
  readonly reason: "mismatch";
  /** Known member names only; empty for the value itself. */
  readonly path: string;
  readonly expected: string;
}

const matches = (pattern: RegExp) => (text: string) => pattern.test(text);
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==|[A-Za-z0-9+/]=))?$/;
const EXPECTED_ID = "32 lower-case hex characters";

const RULES: ImportRules = {
  limitText: truncateText,
  limitJson: (value) => truncateJson(value, JSON_LIMITS).value,
  maxTimeMs: MAX_RFC3339_MS,
  codes: {
    digest: [isDigest, "a valid digest"],
    id: [matches(/^[0-9a-f]{32}$/), EXPECTED_ID],
    reportId: [matches(/^(?!0+$)[0-9a-f]{32}$/), EXPECTED_ID],
    reportFormat: [(text) => REPORT_FORMATS.includes(text), `one of ${REPORT_FORMATS.join(", ")}`],
    /** The entry of one user, or a sketch of many (`core/hyperloglog.ts`). */
    userSketch: [matches(/^(?:[0-9a-f]{2}[0-9a-z]|[0-9a-z]{256})$/), "a user sketch"],
    networkSketch: [matches(NETWORK_SKETCH), "a sketch of networks"],
    senderKey: [matches(/^[\w-]{1,40}$/), "the id of a key"],
    base64: [matches(BASE64), "base64"],
  },
};
const JSON_LIMITS = { ...limits, maxStringChars: limits.maxStringChars * SCRUB_GROWTH };

/** The value as an import reads it: without unknown members, and with the others in their order. */
export function decodeImported<T>(
  schema: StoredSchema<T>,
  value: unknown,
): Result<T, SchemaMismatch> {
  const result = decodeStored(schema, value, RULES);
  if (!(result instanceof Mismatch)) return ok(result);
  const path = result.path.map(({ key }) => (typeof key === "number" ? `[${key}]` : `.${key}`));
  return failMismatch(result.message, path.join("").replace(/^\./, ""));
}

/** Rejects a value, or its member at `path`. */
export function failMismatch(expected: string, path = ""): Result<never, SchemaMismatch> {
  return fail({ reason: "mismatch", path, expected });
}
