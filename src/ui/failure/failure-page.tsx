/**
 * The page when the shell failed: the notice as heading and two links. Like the notice, it uses no
 * hooks, no context and no data of the failed render.
 */

import { Wordmark } from "../parts/wordmark.tsx";
import { Notice } from "./notice.tsx";

/** The content of `body`. `digest` and `reportId` as for the notice. */
export function FailurePage({
  digest,
  reportId,
}: {
  digest?: string | undefined;
  reportId?: string | undefined;
}) {
  return (
    <>
      <header className="site-header">
        <Wordmark href="/" />
      </header>
      <main id="content" className="failure-page">
        <Notice digest={digest} reportId={reportId} hasHeading />
        <p className="failure-actions">
          {/* biome-ignore lint/a11y/useValidAnchor: links to this URL (RFC 3986 § 4.4) */}
          <a className="button" href="">
            Try again
          </a>{" "}
          <a href="/">Go to the home page</a>
        </p>
        {digest !== undefined && (
          <p className="muted">
            When you report this, include the digest. It identifies this exact error.
          </p>
        )}
      </main>
    </>
  );
}
