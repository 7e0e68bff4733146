/**
 * The code of a failure that only the browser saw, and for which no server created a digest. The
 * browser derives it from the id of its report, so that a screenshot leads to the error. It has the
 * form of a digest: the first 32 bits of the id, which are the same at every trust level, and three
 * zeros.
 */
import { ALPHABET, digestFromHash } from "../grouping/encode-digest.ts";
import type { Digest, Report, ReportId } from "../report.ts";

/** The part of the id that is in the code: 8 hex digits. */
const ID_CHARS = 8;
/** The bits of the code after them. */
const PADDING = 8;
/**
 * Makes 16 hex digits of the id's part. The log finds reports by such ids as by the Ray ID of their
 * request (`store/kv/trace-ids.ts`); the prefix distinguishes them.
 */
const LOCATOR_PREFIX = "e44a7c0d";

/** The code, from the id with which the browser sent the report: 32 hex digits. */
export function toReportCode(id: ReportId): Digest {
  const bytes = Array.from({ length: ID_CHARS / 2 }, (_, n) =>
    Number.parseInt(id.slice(2 * n, 2 * n + 2), 16),
  );
  return digestFromHash(Uint8Array.from(bytes));
}

/** The locator of a report that has a code; undefined for all others. */
export function getReportLocator(
  report: Pick<Report, "id" | "format" | "kind">,
): string | undefined {
  const hasCode = report.format === "reporter" && report.kind === "error";
  return hasCode ? LOCATOR_PREFIX + report.id.slice(0, ID_CHARS) : undefined;
}

/** The locator of a code in the form of a digest; undefined for a digest that is not a code. */
export function parseReportCode(digest: Digest): string | undefined {
  const letters = [...digest.replace("-", "")].slice(0, -1);
  const value = letters.reduce(
    (sum, letter) => sum * ALPHABET.length + ALPHABET.indexOf(letter),
    0,
  );
  if (value % PADDING !== 0) return undefined;
  return LOCATOR_PREFIX + (value / PADDING).toString(16).padStart(ID_CHARS, "0");
}

/** The text that a stored report with this trace ID, Ray ID or locator contains. */
export function toStoredText(code: string): string {
  return code.startsWith(LOCATOR_PREFIX) && code.length === 2 * ID_CHARS
    ? code.slice(ID_CHARS)
    : code;
}
