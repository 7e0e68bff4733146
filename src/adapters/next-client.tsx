"use client";

/**
 * `errata/next/client`: the browser reporter for `instrumentation-client.ts`, and error pages, which
 * report what they show. `error.tsx` re-exports `ErrorPage` as its default, under "use client".
 */

import { type ReactNode, useEffect } from "react";
import { type BrowserOptions, captureException, startErrata as start } from "./browser.ts";
import { Notice, type NoticeProps } from "./react.tsx";

export { type BrowserOptions, captureException } from "./browser.ts";
export { Boundary, type BoundaryProps, Notice, type NoticeProps } from "./react.tsx";

/**
 * React's word for a boundary that failed on the server. If it fails in the browser, too, the error
 * page reports it; otherwise the visitor sees the page.
 */
const SERVER_FAILED =
  /Minified React error #419;|The server could not finish this Suspense boundary/;

/** Starts to report the errors of the page. Further calls do nothing. Never throws. */
export function startErrata({ ignore = [], ...options }: BrowserOptions = {}): void {
  start({ ...options, ignore: [...ignore, SERVER_FAILED] });
}

/** What Next.js gives to an error page, and the properties of the notice. */
export interface ErrorPageProps extends NoticeProps {
  readonly error: unknown;
  /** The language of the texts, of a global error page. */
  readonly lang?: string | undefined;
}

/** The page of `error.tsx`: the notice. */
export function ErrorPage({ error, lang: _, ...notice }: ErrorPageProps): ReactNode {
  useReport(error);
  return <Notice {...notice} error={error} />;
}

/** The page of `global-error.tsx`, which replaces the whole document. */
export function GlobalErrorPage({ lang = "en", ...props }: ErrorPageProps): ReactNode {
  return (
    <html lang={lang}>
      <head>
        <title>Application error</title>
        <meta name="color-scheme" content="light dark" />
      </head>
      <body>
        <ErrorPage {...props} />
      </body>
    </html>
  );
}

/** The page of `pages/500.tsx`: the notice, with the digest as soon as a script can read it. */
export function ServerErrorPage(props: NoticeProps): ReactNode {
  return <Notice {...props} />;
}

/** Reports an error that an error page of your own shows, once. */
export function useReport(error: unknown): void {
  useEffect(() => {
    captureException(error);
  }, [error]);
}
