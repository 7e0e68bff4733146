/**
 * Renders pages. The shell is sent at once and suspended parts follow. A failed part becomes a
 * notice with a digest; if the shell fails, the notice is the whole page. Responses never contain
 * an error message, a stack or a file path.
 */
import type { ReactNode } from "react";
import { ClientDisconnected } from "../core/control-flow/control-flow.ts";
import { NOTICE_SENTENCE } from "../core/notice-sentence.ts";
import type { Visitor } from "../core/visitors/languages/visitor-texts.ts";
import { FailurePage } from "../ui/failure/failure-page.tsx";
import { Notice } from "../ui/failure/notice.tsx";
import { PartMarkup } from "../ui/parts/cached-parts/cached-parts.tsx";
import { assets } from "./assets.ts";
import { HtmlDocument, type HtmlDocumentProps } from "./document.tsx";
import { NoticeRewriter } from "./notice-rewriter.ts";
import { renderCachedPart } from "./part-cache.tsx";
import { type ReactStream, renderToReadableStream, renderToString } from "./react/react-stream.ts";
import { RenderDeadlineError } from "./render-deadline-error.ts";
import { type FailureCodes, type FailureReporter, RenderFailures } from "./render-failures.ts";

/** The time between the probe for a disconnected client and the abort. */
const PROBE_GRACE_MS = 100;

export interface RenderOptions extends Omit<HtmlDocumentProps, "children"> {
  /** The status if the shell succeeds, 200 by default. A failed shell is always 500. */
  readonly status?: number;
  readonly headers: Headers;
  /** After this time suspended boundaries are aborted, each with a digest. */
  readonly deadlineMs: number;
  /** Whose language notices have; English by default. */
  readonly noticeVisitor?: Visitor | undefined;
  /** The name of the page in reports of passed deadlines. */
  readonly route: string;
  readonly reporter: FailureReporter;
  /** The client script; `assets.page` by default. */
  readonly script?: string;
  /** The content of the failure page; the self-test makes it fail. */
  readonly failurePage?: (codes: FailureCodes | undefined) => ReactNode;
}

/** A stream with `status`, or the failure page with status 500. Never rejects. */
export async function renderPage(page: ReactNode, options: RenderOptions): Promise<Response> {
  const failures = new RenderFailures(options.reporter);
  const abort = new AbortController();
  const abortRender = () => abort.abort(new RenderDeadlineError(options.route, options.deadlineMs));
  let html: ReactStream | null = null;
  let deadline = setTimeout(() => {
    // Writing detects a disconnected client, which must not be counted as having seen a notice.
    if (!html?.probeDemand()) return abortRender();
    deadline = setTimeout(abortRender, PROBE_GRACE_MS);
  }, options.deadlineMs);
  const rewriter = new NoticeRewriter({
    hasFailed: () => failures.hasFailed,
    renderNotice: (digest) => renderNotice(failures.takeFailureCodes(digest), options),
    nonce: options.nonce,
  });
  const { status = 200 } = options;
  try {
    const content = <PartMarkup value={renderCachedPart}>{page}</PartMarkup>;
    html = await renderToReadableStream(<HtmlDocument {...options}>{content}</HtmlDocument>, {
      nonce: options.nonce,
      bootstrapModules: [options.script ?? assets.page],
      signal: abort.signal,
      onError: failures.onError,
      // Otherwise React sends large boundaries late, even when they are ready, and needs scripts.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      rewrite: (text, isLast) => rewriter.write(text, isLast),
      onCancel: () => abort.abort(ClientDisconnected),
      onEnd: () => clearTimeout(deadline),
    });
    if (options.nonStreamingUrl === undefined) await html.allReady;
    failures.onResponse(status);
    return new Response(html, { status, headers: options.headers });
  } catch (thrown) {
    clearTimeout(deadline);
    return createFailureResponse(thrown, failures, options);
  }
}

/** The failure page. Its codes are also in the headers, for logs without bodies. */
function createFailureResponse(
  thrown: unknown,
  failures: RenderFailures,
  options: RenderOptions,
): Response {
  const codes = failures.getShellFailureCodes(thrown);
  const headers = new Headers(options.headers);
  headers.set("Cache-Control", "private, no-store");
  if (codes !== undefined) {
    headers.set("Errata-Digest", codes.digest);
    headers.set("Errata-Report", codes.reportId);
  }
  const html = renderFailurePage(codes, failures, options);
  failures.onResponse(500);
  return new Response(html, { status: 500, headers });
}

function renderFailurePage(
  codes: FailureCodes | undefined,
  failures: RenderFailures,
  options: RenderOptions,
): string {
  try {
    const { failurePage = (shown) => <FailurePage {...shown} visitor={options.noticeVisitor} /> } =
      options;
    return renderToString(
      <HtmlDocument {...options} nonStreamingUrl={undefined} title="Application error">
        {failurePage(codes)}
        <script type="module" nonce={options.nonce} src={assets.page} />
      </HtmlDocument>,
    );
  } catch (thrown) {
    failures.onError(thrown);
    return createConstantFailurePage(codes, options);
  }
}

/** The page if the failure page fails: a constant. The codes and the URL need no escaping. */
function createConstantFailurePage(
  codes: FailureCodes | undefined,
  { nonce, reportingUrl }: RenderOptions,
): string {
  const { digest, reportId } = codes ?? {};
  const notice = digest ? ` data-notice data-digest="${digest}" data-report="${reportId}"` : "";
  const shown = digest
    ? `<p>Digest: <code>${digest}</code></p><p><button type="button" data-copy="${digest}">Copy</button> ` +
      `<output data-copied></output> <a href="/e/${digest}">Check the status of this error</a></p>`
    : "";
  return (
    '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Application error</title>' +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    `<meta name="errata" content="${reportingUrl}"><style>${CONSTANT_STYLE}</style>` +
    `<main role="alert"${notice}><h1>${NOTICE_SENTENCE}</h1>${shown}</main>` +
    `<script type="module" nonce="${nonce}" src="${assets.page}"></script></html>`
  );
}

/**
 * The style of the constant page, because the style sheet may have failed too. The policy of every
 * page allows it by its hash (`http/security-headers.ts`).
 */
const CONSTANT_STYLE =
  ":root{color-scheme:light dark;font:1rem/1.5 Inter,system-ui,sans-serif}" +
  "main{max-width:36rem;margin:14vh auto;padding:0 1.5rem}h1{font-size:1.125rem;font-weight:500}" +
  "code{font:600 1.75rem monospace}button{min-height:2rem;padding:0 .75rem;font:inherit}" +
  "a,button{margin-right:.75rem}";

function renderNotice(
  codes: FailureCodes | undefined,
  { noticeVisitor }: RenderOptions,
): string | null {
  if (codes === undefined) return null;
  const { digest, reportId } = codes;
  return renderToString(
    <Notice isCompact digest={digest} reportId={reportId} visitor={noticeVisitor} />,
  );
}
