/**
 * The notice: what a visitor is shown when something broke. It is the same for a failed shell, a failed boundary and a
 * failure in the browser. It uses no hook and no context, so that it can be rendered when everything else has failed, and
 * it reads whole without a style sheet and without scripts: the sentence, then the digest on a line of its own.
 */
import { CopyButton } from "../parts/copy-button.tsx";
import { CorrectionIcon } from "../parts/icons.tsx";
import { toReceiptUrl } from "../urls/receipt-urls.ts";
import { NOTICE_SENTENCE } from "./notice-sentence.ts";

/** What a notice is made of. */
export interface NoticeProps {
  /** Given when the server failed: `7F3K-Q2M9`. Without it the notice is the sentence alone. */
  readonly digest?: string | undefined;
  /** The occurrence that this notice stands for; it is not shown, but stands in `data-report`. */
  readonly reportId?: string | undefined;
  /** Smaller, for the place of one failed part of a page. */
  readonly isCompact?: boolean | undefined;
  /** Makes the sentence the page's heading, where nothing else is on the page. */
  readonly hasHeading?: boolean | undefined;
  /**
   * The notice is shown as an exhibit, not as news: it is not announced, and carries no `data-notice`, `data-digest` or
   * `data-report`, so no script takes it for a failure of this page.
   */
  readonly isExample?: boolean | undefined;
  /** The project that the digest is of, `/p/2`; a failure of the page itself is Errata's own, wherever it is shown. */
  readonly base?: string | undefined;
}

/** The notice as markup, announced to screen readers unless it is an exhibit. */
export function Notice({
  digest,
  reportId,
  isCompact,
  hasHeading,
  isExample,
  base = "",
}: NoticeProps) {
  const noticeAttributes = isExample
    ? {}
    : { role: "alert", "data-notice": "", "data-digest": digest, "data-report": reportId };
  const Sentence = hasHeading ? "h1" : "p";
  return (
    <div className={isCompact ? "notice compact" : "notice"} {...noticeAttributes}>
      <CorrectionIcon />
      <div className="notice-text">
        <Sentence className="notice-sentence">{NOTICE_SENTENCE}</Sentence>
        {digest !== undefined && (
          <>
            <p className="notice-digest">
              Digest: <code>{digest}</code>
            </p>
            <p className="notice-actions">
              <CopyButton text={digest} label="the digest" />{" "}
              <a href={base + toReceiptUrl(digest)}>See what is known about it</a>
            </p>
          </>
        )}
      </div>
    </div>
  );
}
