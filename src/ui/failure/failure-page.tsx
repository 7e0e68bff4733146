/**
 * The page when the shell failed: the notice as heading and two links. Like the notice, it uses no
 * hooks, no context and no data of the failed render.
 */

import { ENGLISH } from "../../core/visitors/english.ts";
import type { Visitor } from "../../core/visitors/languages/visitor-texts.ts";
import { Wordmark } from "../parts/wordmark.tsx";
import { getLanguageAttributes, Notice } from "./notice.tsx";

/** The content of `body`. `digest` and `reportId` as for the notice. */
export function FailurePage({
  digest,
  reportId,
  visitor = ENGLISH,
}: {
  digest?: string | undefined;
  reportId?: string | undefined;
  visitor?: Visitor | undefined;
}) {
  const { texts } = visitor;
  return (
    <>
      <header className="site-header">
        <Wordmark href="/" />
      </header>
      <main id="content" className="failure-page" {...getLanguageAttributes(visitor)}>
        <Notice digest={digest} reportId={reportId} hasHeading visitor={visitor} />
        <p className="failure-actions">
          {/* biome-ignore lint/a11y/useValidAnchor: links to this URL (RFC 3986 § 4.4) */}
          <a className="button" href="">
            {texts.tryAgain}
          </a>{" "}
          <a href="/">{texts.homePage}</a>
        </p>
        {digest !== undefined && <p className="muted">{texts.includeDigest}</p>}
      </main>
    </>
  );
}
