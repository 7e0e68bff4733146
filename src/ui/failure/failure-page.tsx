/**
 * The page when its shell failed: the notice as its heading, and the two things that one can do. Like the notice it uses
 * no hook and no context and knows nothing of what failed.
 */

import { Wordmark } from "../parts/wordmark.tsx";
import { Notice } from "./notice.tsx";

/** The content of `body`. `digest` and `reportId` as for the notice. */
export function FailurePage({
  digest,
  reportId,
}: {
  readonly digest?: string | undefined;
  readonly reportId?: string | undefined;
}) {
  return (
    <>
      <header className="site-header">
        <Wordmark href="/" />
      </header>
      <main id="content" className="failure-page">
        <Notice digest={digest} reportId={reportId} hasHeading />
        <p className="failure-actions">
          {/* biome-ignore lint/a11y/useValidAnchor: an empty reference is this very address (RFC 3986, § 4.4) */}
          <a className="button" href="">
            Try again
          </a>{" "}
          <a href="/">Go to the start page</a>
        </p>
        {digest !== undefined && (
          <p className="muted">
            If you report this to somebody, send them the digest. It tells them exactly which error
            it was.
          </p>
        )}
      </main>
    </>
  );
}
