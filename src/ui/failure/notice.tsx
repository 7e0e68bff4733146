/**
 * The notice that visitors see when something failed: the shell, a boundary or a script in the
 * browser. It uses no hooks and no context, so it renders when everything else has failed, and it
 * is readable without the style sheet and without scripts.
 */

import { ENGLISH } from "../../core/visitors/english.ts";
import type { Visitor } from "../../core/visitors/languages/visitor-texts.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { CorrectionIcon } from "../parts/icons.tsx";
import { toReceiptUrl } from "../urls/receipt-urls.ts";

interface NoticeProps {
  /** `7F3K-Q2M9`, if the server failed. Without it, the notice has only the sentence. */
  readonly digest?: string | undefined;
  /** The report of this occurrence. Not shown, only in `data-report`. */
  readonly reportId?: string | undefined;
  /** Smaller, in place of one failed part of a page. */
  readonly isCompact?: boolean | undefined;
  /** Renders the sentence as the page's `h1`. */
  readonly hasHeading?: boolean | undefined;
  /**
   * An example of a notice, not a failure of this page: it is not announced and has no
   * `data-notice`, `data-digest` or `data-report`.
   */
  readonly isExample?: boolean | undefined;
  /** The project of the digest, `/p/2`. Failures of Errata's own pages belong to the first one. */
  readonly base?: string | undefined;
  /** Whose language it has. */
  readonly visitor?: Visitor | undefined;
}

/** The notice, announced to screen readers unless it is an example. */
export function Notice({
  digest,
  reportId,
  isCompact,
  hasHeading,
  isExample,
  base = "",
  visitor = ENGLISH,
}: NoticeProps) {
  const { texts } = visitor;
  const noticeAttributes = isExample
    ? {}
    : { role: "alert", "data-notice": "", "data-digest": digest, "data-report": reportId };
  const Sentence = hasHeading ? "h1" : "p";
  return (
    <div
      className={isCompact ? "notice compact" : "notice"}
      {...noticeAttributes}
      {...getLanguageAttributes(visitor)}
    >
      <CorrectionIcon />
      <div>
        <Sentence className="notice-sentence">{texts.failed}</Sentence>
        {digest !== undefined && (
          <>
            <p className="notice-digest">
              {`${texts.digest}: `}
              <code dir={visitor.direction === "rtl" ? "ltr" : undefined}>{digest}</code>
            </p>
            <p className="notice-actions">
              <CopyButton
                text={digest}
                label={visitor === ENGLISH ? "the digest" : texts.digest}
                words={[texts.copy, texts.copied]}
              />{" "}
              <a href={base + toReceiptUrl(digest)}>{texts.checkStatus}</a>
            </p>
          </>
        )}
      </div>
    </div>
  );
}

/** The attributes of an element that is in a visitor's language; none in English. */
export function getLanguageAttributes({ language, direction }: Visitor) {
  return language === ENGLISH.language ? {} : { lang: language, dir: direction };
}
