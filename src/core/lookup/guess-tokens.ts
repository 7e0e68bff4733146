/**
 * Ids of reports and requests without a label that is known, and codes that stand against the words
 * around them, as when neighboring elements of a page are copied. Pure, and linear in the length of
 * the text.
 *
 *     bei mir steht 4fd27c9b   Ray 9a4c7e1f0b2d8365   Digest: 2749163058Try again
 */
import { readDigest } from "../grouping/parse-digest.ts";
import { normalizeRequestId, SHORT_EVENT_CHARS } from "../report/report-codes.ts";
import { readUlidTime } from "./code-times.ts";
import { findForeignCodes } from "./foreign-formats.ts";
import { isNextDigest, type LookupCode } from "./lookup-code.ts";

const MAX_OF_KIND = 4;

/** The possible codes, the most certain first. */
export function guessTokens(text: string): readonly LookupCode[] {
  const unbroken = text.replace(/[ \t]*\r?\n[ \t]*/g, "");
  const whole = text.length <= MAX_SPACED_CHARS ? text.replace(/[^\dA-Za-z]/g, "") : "";
  return [
    ...toDigestCodes(whole),
    ...[...new Set([text, unbroken])].flatMap((one) => [
      ...take(one, /[\dA-Z]{4}-[\dA-Z]{4}/g, ([code]) => toDigestCodes(code.replace("-", ""))),
      ...take(one, /(?<!\d)\d{7,10}(?!\d)/g, ([alias]) =>
        isNextDigest(alias) ? [{ kind: "alias", alias }] : [],
      ),
    ]),
    ...findForeignCodes(unbroken.replace(/ ?([.-]) ?/g, "$1")).map(
      (foreign): LookupCode => ({ kind: "request", foreign }),
    ),
    ...take(text, UUIDS, ([uuid]) => toReportCodes(uuid.replaceAll("-", "").toLowerCase())),
    // The word before an id may end with a hex digit, as in `eventId`.
    ...take(text, /[\da-f]{32,36}/g, ([run]) =>
      [run.slice(-32), run.slice(0, 32)].flatMap(toReportCodes),
    ),
    // With characters too many, too few or misread, an event id still begins as it does.
    ...take(text, DAMAGED_IDS, ([run]) => [
      { kind: "short-id", prefix: run.slice(0, SHORT_EVENT_CHARS).toLowerCase() },
    ]),
    ...take(text, /(?<![\da-f])(?=[\da-f]*\d)[\da-f]{16}(?![\da-f])/g, ([alias]) => [
      { kind: "alias", alias },
    ]),
    ...take(text, SHORT_IDS, ([prefix]) => [{ kind: "short-id", prefix }]),
    ...take(text, ULIDS, ([run]) => {
      const ulid = run.replace(/o/gi, "0").replace(/[il]/gi, "1");
      return readUlidTime(ulid) === undefined ? [] : toRequestCodes(ulid);
    }),
    // Marks of emphasis are no part of an id.
    ...take(text.replace(/(?<![\dA-Za-z])_+|_+(?![\dA-Za-z_])/g, " "), REQUEST_IDS, ([id]) =>
      toRequestCodes(id),
    ),
  ];
}

const UUIDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
/** Not of 32 characters, or with `B` for 8 between small letters. */
const DAMAGED_IDS =
  /(?<![\dA-Za-z])(?=[\da-f]*B|[\da-f]{30,31}(?![\da-f])|[\da-f]{33})[\da-fB]{30,34}(?![\dA-Za-z])/g;
/** With a digit and a letter, and not the beginning of a UUID. */
const SHORT_IDS =
  /(?<![\dA-Za-z-])(?=[\da-f]*\d)(?=\d*[a-f])[\da-f]{8}(?![\dA-Za-z]|-[\da-f]{4}-)/g;
/** A ULID has no I, L, O and U; the first two and O are read as digits. */
const ULIDS = /(?<![\dA-Za-z])[0-7ILO][\dA-TV-Z]{25}(?![\dA-Za-z])/gi;
/** A longer text has words besides a code. */
const MAX_SPACED_CHARS = 32;
/**
 * Letters and digits, perhaps with a prefix: `req_8Kd0sPq2LmX`. Of hex digits only, or with the form
 * of a digest, it is another code.
 */
const REQUEST_IDS =
  /(?<![\w.-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])(?![\da-fA-F-]+(?![\w-])|\w{4}-\w{4}(?![\w-]))[\dA-Za-z][\w-]{6,62}[\dA-Za-z](?![\dA-Za-z-])/g;

function take(
  text: string,
  pattern: RegExp,
  read: (match: RegExpExecArray) => readonly LookupCode[],
): readonly LookupCode[] {
  const found: LookupCode[] = [];
  for (const match of text.matchAll(pattern)) {
    found.push(...read(match));
    if (found.length >= MAX_OF_KIND) break;
  }
  return found;
}

function toDigestCodes(chars: string): readonly LookupCode[] {
  const digest = readDigest(chars);
  return digest === undefined ? [] : [{ kind: "digest", digest }];
}

function toReportCodes(id: string): readonly LookupCode[] {
  return [
    { kind: "report-id", id },
    { kind: "alias", alias: id },
  ];
}

function toRequestCodes(code: string): readonly LookupCode[] {
  const id = normalizeRequestId(code);
  return id === undefined ? [] : [{ kind: "request", foreign: { format: "request", code, id } }];
}
