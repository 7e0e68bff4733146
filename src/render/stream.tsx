/**
 * The only place that renders React to a stream. The shell leaves at once; what waits comes later; what fails becomes a
 * notice with a digest, in its own place or, when the shell fails, as the whole page. It always answers, and what it answers
 * never contains a message, a stack or a path.
 */
import type { ReactNode } from "react";
import { renderToReadableStream, renderToStaticMarkup } from "react-dom/server";
import { ClientDisconnected } from "../core/control-flow.ts";
import { FailurePage } from "../ui/failure-page.tsx";
import { NOTICE_SENTENCE, Notice } from "../ui/notice.tsx";
import { assets } from "./assets.ts";
import { DeadlinePassed } from "./deadline.ts";
import { Document, type DocumentProps } from "./document.tsx";
import { type FailureSink, Failures, type ShownCodes } from "./failures.ts";
import { withNotices } from "./notices.ts";

/** How a page is rendered. */
export interface RenderOptions extends Omit<DocumentProps, "children"> {
  /** Of a page whose shell succeeds. A failed shell is always 500. */
  readonly status?: number;
  readonly headers: Headers;
  /** After so many milliseconds what still waits is given up, each boundary with a digest. */
  readonly deadlineMs: number;
  /** Names the page in the report of a passed deadline. */
  readonly route: string;
  readonly failures: FailureSink;
  /** What stands in the failure page; for the self-test, which makes it fail. */
  readonly failurePage?: (codes: ShownCodes | undefined) => ReactNode;
}

/** Status 200 (or `status`) and a stream, or status 500 and the failure page. Never rejects. */
export async function renderPage(page: ReactNode, options: RenderOptions): Promise<Response> {
  const failures = new Failures(options.failures);
  const abort = new AbortController();
  const deadline = setTimeout(
    () => abort.abort(new DeadlinePassed(options.route, options.deadlineMs)),
    options.deadlineMs,
  );
  const { status = 200 } = options;
  try {
    const html = await renderToReadableStream(<Document {...options}>{page}</Document>, {
      nonce: options.nonce,
      bootstrapModules: [assets.page],
      signal: abort.signal,
      onError: failures.onError,
    });
    if (options.wholeUrl === undefined) await html.allReady;
    failures.answered(status);
    const body = withNotices(
      html,
      {
        anyFailed: () => failures.any,
        noticeFor: (digest) => noticeMarkup(failures.codesOf(digest)),
        nonce: options.nonce,
      },
      { ended: () => clearTimeout(deadline), cancelled: () => abort.abort(ClientDisconnected) },
    );
    return new Response(body, { status, headers: options.headers });
  } catch (thrown) {
    clearTimeout(deadline);
    return failedShell(thrown, failures, options);
  }
}

/** The whole page is the notice. Its codes stand in the headers too, for logs that see no bodies. */
function failedShell(thrown: unknown, failures: Failures, options: RenderOptions): Response {
  const codes = failures.codesOfShell(thrown);
  const headers = new Headers(options.headers);
  headers.set("Cache-Control", "no-store");
  if (codes !== undefined) {
    headers.set("Errata-Digest", codes.digest);
    headers.set("Errata-Report", codes.reportId);
  }
  const html = failurePageMarkup(codes, failures, options);
  failures.answered(500);
  return new Response(html, { status: 500, headers });
}

function failurePageMarkup(
  codes: ShownCodes | undefined,
  failures: Failures,
  options: RenderOptions,
): string {
  try {
    const { failurePage = (shown) => <FailurePage {...shown} /> } = options;
    const markup = renderToStaticMarkup(
      <Document {...options} wholeUrl={undefined} title="Application error">
        {failurePage(codes)}
        <script type="module" nonce={options.nonce} src={assets.page} />
      </Document>,
    );
    return `<!DOCTYPE html>${markup}`;
  } catch (thrown) {
    failures.onError(thrown);
    return constantFailurePage(codes);
  }
}

/** The failure of the failure page: nothing in it can fail. A digest is of a known form and needs no escaping. */
function constantFailurePage(codes: ShownCodes | undefined): string {
  return (
    '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Application error</title><main role="alert">' +
    `<p>${NOTICE_SENTENCE}</p>` +
    (codes === undefined
      ? ""
      : `<p>Digest: <code>${codes.digest}</code></p><p><a href="/e/${codes.digest}">See what is known about it</a></p>`) +
    "</main></html>"
  );
}

function noticeMarkup(codes: ShownCodes | undefined): string | null {
  if (codes === undefined) return null;
  return renderToStaticMarkup(<Notice compact digest={codes.digest} reportId={codes.reportId} />);
}
