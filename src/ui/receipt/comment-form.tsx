/**
 * The comment form of a receipt, where visitors can say what they were doing. Works without
 * scripts; the result replaces the form.
 */
import { limits } from "../../core/limits.ts";
import type { VisitorTexts } from "../../core/visitors/languages/visitor-texts.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { toReceiptUrl } from "../urls/receipt-urls.ts";

/** Whether the comment was sent; if not, the error and the entered text. */
export interface ReceiptCommentState {
  readonly isSent: boolean;
  readonly error?: string;
  readonly enteredText?: string;
}

/** The form, or a message that the comment was sent. */
export function ReceiptCommentForm({
  digest,
  texts,
  comment: { isSent, error, enteredText },
}: {
  digest: string;
  texts: VisitorTexts;
  comment: ReceiptCommentState;
}) {
  if (isSent) {
    return (
      <p className="comment-sent" role="status">
        {texts.thanks}
      </p>
    );
  }
  return (
    <DeskForm className="comment" method="post" action={toReceiptUrl(digest)}>
      <label htmlFor="comment">{texts.question}</label>
      <p id="comment-hint" className="muted">
        {texts.questionHint}
      </p>
      <textarea
        id="comment"
        name="comment"
        rows={3}
        required
        maxLength={limits.maxReceiptCommentChars}
        defaultValue={enteredText}
        aria-describedby={error === undefined ? "comment-hint" : "comment-problem comment-hint"}
        aria-invalid={error === undefined ? undefined : true}
        dir="auto"
      />
      {error !== undefined && (
        <p id="comment-problem" className="field-error" role="alert">
          {error}
        </p>
      )}
      <button type="submit">{texts.send}</button>
    </DeskForm>
  );
}
