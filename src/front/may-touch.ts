/**
 * Decides which responses the front may change: pages that a browser shows as documents. Everything
 * else passes as it is: data, downloads, parts of pages, signed bodies, and bytes whose encoding is
 * unknown. Sources: RFC 9110 § 5.2.2.6 (`no-transform`), RFC 9530 (digests of content), Fetch
 * Metadata Request Headers, WHATWG Encoding § 4.2.
 */

/** The members of a request that decide. */
export interface AskedFor {
  readonly method: string;
  readonly headers: Headers;
}

/** The members of a response that decide. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/**
 * What a response is: a `page`, which may be changed; a `part` of one that a script of the page shows,
 * whose failure is reported; or anything else. Pages in frames are pages `inFrames` only.
 */
export function judgeResponse(
  request: AskedFor,
  response: Answer,
  inFrames: boolean,
): "page" | "part" | "other" {
  if (!isReadableHtml(request, response)) return "other";
  return isDocumentRequest(request.headers, inFrames) ? "page" : "part";
}

/** True for HTML that can be read and changed. */
function isReadableHtml({ method, headers: asked }: AskedFor, response: Answer): boolean {
  const { status, headers, body } = response;
  return (
    body !== null &&
    (method === "GET" || method === "POST") &&
    hasWholeBody(status) &&
    isHtml(headers.get("content-type")) &&
    DECODED.has(headers.get("content-encoding")?.trim().toLowerCase() ?? "") &&
    !/^\s*attachment\b/i.test(headers.get("content-disposition") ?? "") &&
    !SIGNATURES.some((name) => headers.has(name)) &&
    ![asked, headers].some((one) => /\bno-transform\b/i.test(one.get("cache-control") ?? ""))
  );
}

/** True if the `Content-Type` does not name the encoding, which browsers then read in the page. */
export function isCharsetUnnamed({ headers }: Pick<Answer, "headers">): boolean {
  return readCharset(headers.get("content-type") ?? "") === undefined;
}

/** Not 101, 204, 205 or 206, and no redirect or 304. */
function hasWholeBody(status: number): boolean {
  return (status >= 200 && status < 204) || (status >= 400 && status < 600);
}

/** The codings that the runtime undoes when a body is read, and applies again when it is sent. */
const DECODED: ReadonlySet<string> = new Set(["", "identity", "gzip", "br"]);

/** Headers of a body that others verify. */
const SIGNATURES = ["content-digest", "repr-digest", "digest", "content-md5", "signature"];

/**
 * Encodings in which the bytes of ASCII are ASCII, and no other character contains "<" or ">". Not
 * among them: UTF-16 and ISO-2022-JP.
 */
const ASCII_COMPATIBLE =
  /^(?:utf-?8|(?:us-)?ascii|iso[-_]?8859-?\d{1,2}(?:-[ie])?|latin[1-9]|l[1-9]|windows-\d{3,4}|cp125\d|x-cp125\d|koi8(?:-[ru])?|macintosh|x-mac-cyrillic|shift[-_]jis|sjis|x-sjis|windows-31j|ms_kanji|euc-(?:jp|kr)|x-euc-jp|gbk?|gb2312|gb18030|big5(?:-hkscs)?|ks_c_5601-1987|tis-620|ibm866)$/;

function isHtml(contentType: string | null): boolean {
  if (contentType === null || !/^\s*text\/html\s*(?:;|$)/i.test(contentType)) return false;
  const charset = readCharset(contentType);
  return charset === undefined || ASCII_COMPATIBLE.test(charset);
}

/** The charset in lower case; undefined without one. */
function readCharset(contentType: string): string | undefined {
  const [, quoted, plain] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;,"]*))/i.exec(contentType) ?? [];
  return (quoted ?? plain)?.trim().toLowerCase();
}

/** Scripts that replace a part of a page, or the whole page without a navigation. */
const PART_HEADERS = [
  ...["hx-request", "turbo-frame", "x-turbo-request-id", "x-inertia", "x-pjax", "x-up-version"],
  ...["rsc", "next-router-state-tree", "x-requested-with", "x-sveltekit-invalidated"],
];

/** True unless a script of the page asked, to show the answer as a part of it. */
function isDocumentRequest(asked: Headers, inFrames: boolean): boolean {
  const place = asked.get("sec-fetch-dest") ?? "document";
  return (
    (place === "document" || (inFrames && /^i?frame$/.test(place))) &&
    /\btext\/html\b/i.test(asked.get("accept") ?? "") &&
    !PART_HEADERS.some((name) => asked.has(name))
  );
}
