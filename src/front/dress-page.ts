/**
 * Dresses a page of the site: the reporter's tag in its first bytes, the headers that go with it,
 * and a digest where the page has failed. The first bytes decide; behind them the page is not read.
 */

import { createNoticeHtml } from "../adapters/notice.ts";
import { NOTICE_TEXTS } from "../adapters/notice-parts.ts";
import { readTrace } from "../adapters/page-facts.ts";
import { sha256 } from "../adapters/sha256.ts";
import type { WireReport } from "../adapters/wire-report.ts";
import { normalizeRoute } from "../core/grouping/v1/javascript-location.ts";
import { MemoCache } from "../core/memo-cache.ts";
import { toPolicyHash } from "../core/trust/page-token-format.ts";
import { createFailureReport } from "./failure-report.ts";
import { findFailure, hasFailedBoundary, type SeenFailure } from "./failure-seen.ts";
import { createTag, findTagPlace, MAX_HELD_BYTES, type TagPlace } from "./head-tag.ts";
import { continueBody, type HeldBody, holdBody, splitBody } from "./held-body.ts";
import { isCharsetUnnamed, judgeResponse } from "./may-touch.ts";
import { toScriptPath } from "./own-paths.ts";
import {
  addPageFacts,
  addReportingGroups,
  isShared,
  REPORTING_GROUP,
  readPolicies,
  readSentFacts,
  setPolicies,
  weakenValidators,
} from "./page-headers.ts";
import { allowsReports, allowTag, type PoliciesWithTag, type Wanted } from "./policy-with-tag.ts";
import { reporterScript } from "./reporter-script.ts";

/** What pages are dressed with. */
export interface Dress {
  /** The path of reports on the site: `/monitoring`. */
  readonly path: string;
  readonly release?: string | undefined;
  readonly environment?: string | undefined;
  /** The share of page views that report. With 0, pages get no tag. */
  readonly sample?: number | undefined;
  /** Failed requests of pages are reported too. */
  readonly fetches?: boolean | undefined;
  /** Pages in frames are dressed too. */
  readonly frames: boolean;
  /** The share of good pages that are searched to their end. */
  readonly searchedShare: number;
  /** Sends a report. Never rejects. */
  readonly report: (report: WireReport) => Promise<void>;
  readonly toReceiptUrl: (digest: string) => string;
  readonly sign: (page: {
    readonly trace: string;
    readonly origin: string;
    readonly isShared: boolean;
    readonly policyHash?: number;
  }) => Promise<string | undefined>;
  readonly nowMs: () => number;
  /** A number from 0 to 1. */
  readonly random: () => number;
}

/** A view of a page: what was asked, and what the site has answered. */
interface View {
  readonly request: Request;
  readonly response: Response;
  readonly url: URL;
  readonly trace: string;
  /** Work after the response. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** The tag of a view, and the headers that go with it. */
interface PreparedTag {
  readonly token: string | undefined;
  readonly policies: PoliciesWithTag;
  readonly wanted: Wanted;
  readonly bytes: Uint8Array;
}

/** Where the token will be in the address of reports, while the policies are made that it proves. */
const TOKEN_PLACE = "?t=~";
/** Of a good page. What the runtime passes on itself costs less. */
const FIRST_BYTES = 8_192;
const MAX_WAIT_MS = 1_000;
const MAX_NOTICE_BODY_BYTES = 16_384;
const encoder = new TextEncoder();
/** Each byte is a character, whatever the encoding of the page. */
const decoder = new TextDecoder("latin1");

/** Dresses the pages of a site. */
export class PageDresser {
  readonly #dress: Dress;
  readonly #failingRoutes = new FailingRoutes();
  readonly #policyHashes = new MemoCache<number>();

  constructor(dress: Dress) {
    this.#dress = dress;
  }

  /** The response with everything added; the same response if it may not be changed. */
  async dress(
    request: Request,
    url: URL,
    response: Response,
    waitUntil: View["waitUntil"],
  ): Promise<Response> {
    const { body } = response;
    const kind = judgeResponse(request, response, this.#dress.frames);
    if (body === null || kind === "other") return response;
    const trace = readTrace(request.headers.get("traceparent"));
    const view = { request, response, url, trace, waitUntil };
    if (kind === "part") {
      this.#report(view, findFailure(response, { text: "", isWhole: false }));
      return response;
    }
    const tag = await this.#prepareTag(view);
    const isFailed = response.status >= 500;
    let place: TagPlace = "more";
    const held = await holdBody(body, {
      chunkBytes: isFailed ? MAX_HELD_BYTES : FIRST_BYTES,
      maxWaitMs: MAX_WAIT_MS,
      isEnough: (bytes) => {
        if (place === "more") place = this.#findPlace(view, bytes, false, tag);
        return isFailed ? bytes.length > MAX_NOTICE_BODY_BYTES : place !== "more";
      },
    });
    // From here on, the body can only be continued.
    try {
      if (place === "more") place = this.#findPlace(view, held.bytes, held.isEnd, tag);
      return this.#finish(view, held, place, tag);
    } catch {
      return respondUnchanged(response, held);
    }
  }

  /** Undefined if the page wants no scripts, or has a reporter by an adapter. */
  async #prepareTag(view: View): Promise<PreparedTag | undefined> {
    const { path, release, environment, sample, fetches } = this.#dress;
    const { url, response } = view;
    if (readSentFacts(response.headers).hasToken) return undefined;
    const { origin, pathname, protocol } = url;
    const { integrity } = reporterScript;
    const src = toScriptPath(path);
    const wanted = {
      pageUrl: origin + pathname,
      scriptUrl: origin + src,
      reportUrl: origin + path,
      integrity,
      reporting: {
        uri: path + TOKEN_PLACE,
        // Browsers have groups on secure pages only.
        group: protocol === "https:" ? REPORTING_GROUP : undefined,
      },
    };
    const policies = allowTag(readPolicies(response.headers), wanted);
    if (policies === undefined) return undefined;
    const token = await this.#sign(view, policies.only);
    const { nonce } = policies;
    const hasIntegrity = policies.needsIntegrity || response.headers.has("integrity-policy");
    const facts = { src, token, release, environment, sample, fetches, nonce };
    // An application that starts the reporter itself needs the headers alone.
    const text = sample === 0 ? "" : createTag(hasIntegrity ? { ...facts, integrity } : facts);
    return { token, policies, wanted, bytes: encoder.encode(text) };
  }

  /** The token of a view, which proves the page's only policy too. */
  #sign({ response, url, trace }: View, policy: string | undefined): Promise<string | undefined> {
    const page = { trace, origin: url.origin, isShared: isShared(response.headers) };
    if (policy === undefined) return this.#dress.sign(page);
    // A policy with a nonce is new in each view.
    const policyHash = this.#policyHashes.getOrCreate(policy, (text) =>
      toPolicyHash(text.replace(TOKEN_PLACE, ""), sha256),
    );
    return this.#dress.sign({ ...page, policyHash });
  }

  #findPlace(
    { response }: View,
    bytes: Uint8Array,
    isEnd: boolean,
    tag: PreparedTag | undefined,
  ): TagPlace {
    if (tag === undefined) return "none";
    return findTagPlace(bytes, {
      isEnd,
      isCharsetUnnamed: isCharsetUnnamed(response),
      isEncoded: response.headers.has("content-encoding"),
      tagBytes: tag.bytes.length,
    });
  }

  #finish(view: View, held: HeldBody, place: TagPlace, tag: PreparedTag | undefined): Response {
    const { request, response } = view;
    const { bytes, isEnd } = held;
    const text = decoder.decode(bytes.subarray(0, MAX_HELD_BYTES));
    // Frames and scripts load empty pages on purpose.
    const isShown = request.headers.get("sec-fetch-dest") === "document";
    const failure = findFailure(response, { text, isWhole: isEnd && isShown });
    const digest = this.#report(view, failure);
    const insertions: Insertion[] = [];
    const usedTag = tag !== undefined && typeof place === "object" && acceptsTag(text, tag.wanted);
    if (usedTag && tag.bytes.length > 0) insertions.push({ at: place.at, bytes: tag.bytes });
    const isShort = isEnd && bytes.length <= MAX_NOTICE_BODY_BYTES;
    if (digest !== undefined && response.status >= 500 && isShort) {
      const at = findNoticePlace(text);
      if (at !== undefined) insertions.push({ at, bytes: this.#createNotice(view, digest, text) });
    }
    const headers = new Headers(response.headers);
    if (insertions.length > 0) weakenValidators(headers);
    if (usedTag) {
      const place = tag.token === undefined ? "" : `?t=${tag.token}`;
      const fill = (text: string | null) => text?.replaceAll(TOKEN_PLACE, place) ?? null;
      const { enforced, reportOnly } = tag.policies;
      setPolicies(headers, { enforced: fill(enforced), reportOnly: fill(reportOnly) });
      const { group } = tag.wanted.reporting;
      if (group !== undefined) addReportingGroups(headers, this.#dress.path + place);
    }
    const { hasTrace } = readSentFacts(response.headers);
    const token = usedTag ? tag.token : undefined;
    const { status, statusText } = response;
    const sent = failure === undefined ? this.#search(view, held) : held;
    // A page that is not changed does not lose its length, and tells nothing about a silent failure.
    if (!usedTag && (digest === undefined || status < 500)) return respondUnchanged(response, sent);
    addPageFacts(headers, { digest, trace: hasTrace ? undefined : view.trace, token });
    const dressed = insert(bytes, insertions);
    const body = isEnd ? dressed : continueBody(dressed, sent);
    return new Response(body, { status, statusText, headers });
  }

  /** Reports a failure after the response. Returns the digest to show. */
  #report(view: View, failure: SeenFailure | undefined): string | undefined {
    if (failure === undefined) return undefined;
    const { request, response, url, trace, waitUntil } = view;
    const route = normalizeRoute(url.pathname);
    const nowMs = this.#dress.nowMs();
    this.#failingRoutes.add(route, nowMs);
    const wire = createFailureReport(failure, { request, response, route, trace, nowMs });
    waitUntil(this.#dress.report(wire));
    return wire.digest;
  }

  /** The notice. Where a policy would block its style and script, it has neither. */
  #createNotice({ response }: View, digest: string, text: string): Uint8Array {
    const { enforced, reportOnly } = readPolicies(response.headers);
    const isPlain = Boolean(enforced ?? reportOnly) || META_POLICY.test(text);
    const receiptUrl = this.#dress.toReceiptUrl(digest);
    const html = isPlain
      ? createPlainNotice(digest, receiptUrl)
      : createNoticeHtml({ digest, receiptUrl });
    return encoder.encode(html);
  }

  /**
   * Searches the rest of some pages for a failure behind their first bytes: a share of all, and all
   * of routes that have failed within an hour.
   */
  #search(view: View, held: HeldBody): HeldBody {
    const { searchedShare, random, nowMs } = this.#dress;
    const { response, url, waitUntil } = view;
    if (held.isEnd || held.pending !== undefined || !held.isNative) return held;
    const isFailing = this.#failingRoutes.has(() => normalizeRoute(url.pathname), nowMs());
    if (!isFailing && random() >= searchedShare) return held;
    const [sent, reader] = splitBody(held);
    const found = (text: string) =>
      hasFailedBoundary(text) ? findFailure(response, { text, isWhole: false }) : undefined;
    waitUntil(
      searchRest(reader, decoder.decode(held.bytes), found).then(
        (failure) => void this.#report(view, failure),
        () => undefined,
      ),
    );
    return sent;
  }
}

/** The response with the body as it was. */
function respondUnchanged(response: Response, held: HeldBody): Response {
  const { headers } = response;
  const isPlain = !headers.has("content-encoding");
  const length = isPlain ? Number(headers.get("content-length") ?? Number.NaN) : Number.NaN;
  return new Response(held.isEnd ? held.bytes : continueBody(held.bytes, held, length), response);
}

/** A notice without style and script. Neither value has characters of markup. */
function createPlainNotice(digest: string, receiptUrl: string): string {
  const { sentence, digest: label, receipt } = NOTICE_TEXTS;
  const link = `<a href="${receiptUrl}">${receipt}</a>`;
  return `<div class="errata-notice" role="alert"><p>${sentence}</p><p>${label}: <code>${digest}</code></p><p>${link}</p></div>`;
}

/** False if the page has the tag already, or a policy of its own that would block the reports. */
function acceptsTag(text: string, wanted: Wanted): boolean {
  if (/<script[^>]*\sdata-errata\b/i.test(text)) return false;
  const [, , policy] = META_POLICY.exec(text) ?? [];
  return policy === undefined || allowsReports(decodeQuotes(policy), wanted);
}

/** A policy in the page: its quotation mark, and its text. */
const META_POLICY =
  /<meta\s[^>]*http-equiv\s*=\s*["']?content-security-policy["']?[^>]*?\scontent\s*=\s*(["'])([\s\S]*?)\1/i;

function decodeQuotes(text: string): string {
  return text.replace(/&(?:#39|apos);/g, "'");
}

/** Where a notice goes: at the end of the visible page. Undefined for data. */
function findNoticePlace(text: string): number | undefined {
  const lower = text.toLowerCase();
  for (const end of ["</body", "</html"]) {
    const at = lower.lastIndexOf(end);
    if (at !== -1) return at;
  }
  return /^\s*[[{]/.test(text) ? undefined : text.length;
}

/** Bytes that are added in front of the byte with a number. */
interface Insertion {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** The bytes with these insertions. */
function insert(
  bytes: Uint8Array<ArrayBuffer>,
  insertions: readonly Insertion[],
): Uint8Array<ArrayBuffer> {
  if (insertions.length === 0) return bytes;
  const added = insertions.reduce((sum, one) => sum + one.bytes.length, 0);
  const joined = new Uint8Array(bytes.length + added);
  let from = 0;
  let to = 0;
  for (const one of insertions.toSorted((a, b) => a.at - b.at)) {
    joined.set(bytes.subarray(from, one.at), to);
    to += one.at - from;
    joined.set(one.bytes, to);
    to += one.bytes.length;
    from = one.at;
  }
  joined.set(bytes.subarray(from), to);
  return joined;
}

const MAX_SEARCHED_CHARS = 524_288;
/** Longer than every mark. */
const OVERLAP_CHARS = 256;

/** The first thing that `find` finds in the rest of a body. Reads at most half a megabyte. */
async function searchRest<T>(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  start: string,
  find: (text: string) => T | undefined,
): Promise<T | undefined> {
  let overlap = start.slice(-OVERLAP_CHARS);
  let searched = 0;
  try {
    while (searched < MAX_SEARCHED_CHARS) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      const text = overlap + decoder.decode(value);
      const found = find(text);
      if (found !== undefined) return found;
      overlap = text.slice(-OVERLAP_CHARS);
      searched += value.length;
    }
    return undefined;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

const HOUR_MS = 3_600_000;
const MAX_ROUTES = 500;

/** The routes that have failed within an hour, in the memory of this isolate. */
class FailingRoutes {
  readonly #seenMs = new Map<string, number>();

  add(route: string, nowMs: number): void {
    if (this.#seenMs.size >= MAX_ROUTES) this.#seenMs.clear();
    this.#seenMs.set(route, nowMs);
  }

  /** The route is only computed if any route fails. */
  has(getRoute: () => string, nowMs: number): boolean {
    if (this.#seenMs.size === 0) return false;
    const seenMs = this.#seenMs.get(getRoute());
    return seenMs !== undefined && nowMs - seenMs < HOUR_MS;
  }
}
