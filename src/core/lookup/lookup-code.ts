/** The codes that a lookup follows. */
import type { DigestCorrection } from "../grouping/parse-digest.ts";
import { type ReportCode, SHORT_EVENT_CHARS } from "../report/report-codes.ts";
import type { Digest, ReportId } from "../report.ts";
import type { ErrorName } from "./error-names.ts";
import type { ForeignCode } from "./foreign-formats.ts";

/** A code that leads, or would lead, to an error. */
export type LookupCode =
  | { readonly kind: "digest"; readonly digest: Digest }
  /**
   * Looks like a digest, but its check character does not match, or it is one character too short
   * or too long. `corrections` is ranked and may be empty.
   */
  | {
      readonly kind: "misread";
      readonly read: string;
      readonly corrections: readonly DigestCorrection[];
    }
  /**
   * A Sentry event id or any UUID. It may also be a trace id, so an alias with the same characters
   * follows.
   */
  | { readonly kind: "report-id"; readonly id: ReportId }
  /** A foreign code in the spelling of `normalizeAlias`. */
  | { readonly kind: "alias"; readonly alias: string }
  /** A framework signal that is not a failure: `NEXT_REDIRECT`. */
  | { readonly kind: "control-flow"; readonly name: string }
  /** An id of another system, of which more is known than its text. */
  | { readonly kind: "request"; readonly foreign: ForeignCode }
  /** The name of an error in place of a page: `ERR_CONNECTION_REFUSED`. */
  | { readonly kind: "error-name"; readonly error: ErrorName }
  /** The beginning of an event id: at least eight hex digits. */
  | { readonly kind: "short-id"; readonly prefix: string }
  /** An email address, or the id or name of a user, in the spelling of `normalizePerson`. */
  | { readonly kind: "person"; readonly person: string };

/** The code by which the logs find the reports of a lookup code; undefined for other codes. */
export function toReportCode(code: LookupCode): ReportCode | undefined {
  switch (code.kind) {
    case "request":
      return { kind: "request", text: code.foreign.id };
    case "short-id":
      return { kind: "event", text: code.prefix.slice(0, SHORT_EVENT_CHARS) };
    case "person":
      return { kind: "person", text: code.person };
    default:
      return undefined;
  }
}

/** The text by which a code is the same as another. */
export function formatCodeKey(code: LookupCode): string {
  switch (code.kind) {
    case "digest":
      return `digest ${code.digest}`;
    case "misread":
      return `misread ${code.read}`;
    case "report-id":
      return `report-id ${code.id}`;
    case "alias":
      return `alias ${code.alias}`;
    case "control-flow":
      return `control-flow ${code.name}`;
    case "request":
      return `request ${code.foreign.id}`;
    case "error-name":
      return `error-name ${code.error.name}`;
    case "short-id":
      return `short-id ${code.prefix}`;
    case "person":
      return `person ${code.person}`;
  }
}

/**
 * True for letters mixed with digits and for capitals only, which distinguish a code from a word.
 */
export function isCodeLike(text: string): boolean {
  return /[A-Za-z]/.test(text) && (/\d/.test(text) || text === text.toUpperCase());
}

/** 32 bits in decimal, as Next.js creates them with `string-hash`. */
export function isNextDigest(text: string): boolean {
  return /^\d{1,10}$/.test(text) && Number(text) <= 0xffffffff;
}
