/**
 * The body of an issue: everything that lists do not show, as compressed JSON. Body and columns are
 * the whole issue. Most bodies have one report, and three quarters of them are names of members, so
 * a dictionary has these. Pure.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type Issue, issueSummarySchema } from "../../../core/issue/issue.ts";
import type { Digest } from "../../../core/report.ts";
import { Unreadable } from "../../../core/schema/stored.ts";
import { isTrusted } from "../../../core/trust/trust.ts";
import { ISSUE_JSON } from "../../kv/stored-json.ts";
import { type IssueColumns, toIssueSummary } from "./issue-columns.ts";

/** Below SQLite's 2 MB per row for all characters, even if they do not compress. */
const MAX_BODY_CHARS = 500_000;
/**
 * The dictionaries of bodies, by number from 1. A stored body can only be read with the one that it
 * was written with, so a dictionary is never edited: a better one is added, and written one release
 * after it can be read.
 */
const DICTIONARIES = [
  `"mergedGroupings":{"mergedDigests":["splitOff":["role":"fingerprint","role":"route",` +
    `"role":"template","role":"package","role":"file","of":"member"},"of":"cause"},` +
    `"publicUserSketch":"trustedAliasCount":,"serverAliasCount":` +
    `"kind":"csp","blockedUri":"inline","linkedCount":"assignee":"isSilent200":true,"noise":"` +
    `{"v":1,"silent200Count":0,"latestReports":[{"id":"0123456789abcdef","digest":"` +
    `","isLinked":true,"trust":"public","trust":"page","side":"server","isLinked":false,` +
    `"trust":"server","position":"2026112117/0.00000000:","kind":"error","side":"browser",` +
    `"atMs":179,"type":"TypeError","message":"Cannot read properties of undefined (reading '` +
    `')","culprit":" · ","route":"/","url":"https://","release":"1.0.0",` +
    `"environment":"production","browser":"Chrome 14"}],"aliases":[],"days":[["2026-11-2",1]],` +
    `"asOfMs":179,"firstRelease":"","hours":[["20261121",1]],"userSketch":"` +
    `${"0".repeat(64)}","releases":{"values":[["",1,179,179]],"otherCount":0},` +
    `"environments":{"values":[["production",1,179,179]],"otherCount":0},` +
    `"browsers":{"values":[["Chrome 14",1,179,179]],"otherCount":0},` +
    `"pages":{"values":[["/",1,179,179]],"otherCount":0},` +
    `"grouping":{"version":1,"parts":[{"role":"type","value":"Error"},{"role":"message",` +
    `"value":"*"},{"role":"function","value":"#"}]},` +
    `"stacks":{"values":[{"stack":"1:@\\n1:","release":"","place":{"file":"src/","line":1,` +
    `"function":""},"count":1,"lastMs":179}],"otherCount":0},` +
    `"tags":{"":{"values":[["",1,179,179]],"otherCount":0},`,
].map((text) => new TextEncoder().encode(text));
/** The number of the dictionary of new bodies. */
const WRITTEN_DICTIONARY = 1;
/** A window of 4 kB is enough for one report, and small tables are created faster. */
const COMPRESSION = { level: 3, windowBits: 12, memLevel: 3 };
/** Earlier versions used a window of 8 kB. */
const MAX_WINDOW_BITS = 13;

interface StoredIssue {
  readonly stored: Issue;
  readonly body: Uint8Array;
  /** The length of its JSON. */
  readonly bodyChars: number;
}

/**
 * The body of an issue. Above the row limit, the issue drops the summaries of public reports, then
 * its oldest ones, then its facets, so that no sender can block counting.
 */
export function packIssue(issue: Issue): StoredIssue {
  let stored = issue;
  let json = formatBody(stored);
  if (json.length > MAX_BODY_CHARS) {
    const latestReports = issue.latestReports.filter(({ trust }) => isTrusted(trust));
    stored = { ...issue, latestReports };
    json = formatBody(stored);
  }
  while (json.length > MAX_BODY_CHARS && stored.latestReports.length > 0) {
    stored = {
      ...stored,
      latestReports: stored.latestReports.slice(0, stored.latestReports.length >> 1),
    };
    json = formatBody(stored);
  }
  if (json.length > MAX_BODY_CHARS) {
    const {
      releases: _r,
      environments: _e,
      browsers: _b,
      pages: _p,
      levels: _l,
      tags: _t,
      stacks: _s,
      mergedGroupings: _g,
      ...minimal
    } = stored;
    stored = { ...minimal, aliases: [], trustedAliasCount: 0, serverAliasCount: 0 };
    json = formatBody(stored);
  }
  return { stored, body: compressBody(json), bodyChars: json.length };
}

/**
 * A body begins with the number of its dictionary as `number << 3 | 7`, which no deflate stream
 * begins with (RFC 1951, section 3.2.3: block type 3 is reserved). Those of dictionary 1 have none.
 */
export function compressBody(json: string, number = WRITTEN_DICTIONARY): Uint8Array {
  const dictionary = DICTIONARIES[number - 1] as Uint8Array;
  const bytes = deflateRawSync(json, { ...COMPRESSION, dictionary });
  return number === 1 ? bytes : Uint8Array.from([(number << 3) | 7, ...bytes]);
}

/** The JSON of a body. Throws `Unreadable` for a dictionary of a later version. */
export function inflateBody(body: ArrayBuffer): string {
  const bytes = new Uint8Array(body);
  const [first = 0] = bytes;
  const number = (first & 7) === 7 ? first >> 3 : 1;
  const dictionary = DICTIONARIES[number - 1];
  if (dictionary === undefined)
    throw new Unreadable("the issue", { kind: "newer", version: number });
  const compressed = number === 1 ? bytes : bytes.subarray(1);
  return inflateRawSync(compressed, { windowBits: MAX_WINDOW_BITS, dictionary }).toString();
}

/** The issue of a row, and the length of its JSON. Throws `Unreadable`. */
export function unpackIssue(
  digest: Digest,
  columns: IssueColumns,
  body: ArrayBuffer,
): Pick<StoredIssue, "stored" | "bodyChars"> {
  const json = inflateBody(body);
  const {
    userCount: _,
    recentDays: __,
    recentHours: ____,
    networkCount: ___,
    ...summary
  } = toIssueSummary(digest, columns);
  const members = JSON.parse(json) as { readonly v?: number };
  // Versions 1 and 2 differ only in the columns.
  const version = members.v === 1 ? { v: 2 } : {};
  const stored = ISSUE_JSON.parse({ ...summary, ...members, ...version });
  return { stored, bodyChars: json.length };
}

function formatBody(issue: Issue): string {
  return JSON.stringify({ ...issue, ...WITHOUT_SUMMARY, v: 1 });
}

/** The members of a summary, all undefined: JSON omits them. */
const WITHOUT_SUMMARY = Object.fromEntries(
  Object.keys(issueSummarySchema.entries).map((name) => [name, undefined]),
);
