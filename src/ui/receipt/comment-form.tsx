/** The comment form of a receipt, where visitors can say what they were doing. */
import { limits } from "../../core/limits.ts";
import type { VisitorTexts } from "../../core/visitors/languages/visitor-texts.ts";
import { toReceiptUrl } from "../urls/receipt-urls.ts";
import { ReceiptForm } from "./receipt-form.tsx";

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
  return (
    <ReceiptForm
      id="comment"
      action={toReceiptUrl(digest)}
      label={texts.question}
      hint={texts.questionHint}
      error={error}
      done={isSent ? texts.thanks : undefined}
      texts={texts}
      renderField={(props) => (
        <textarea
          {...props}
          name="comment"
          rows={3}
          maxLength={limits.maxReceiptCommentChars}
          defaultValue={enteredText}
          dir="auto"
        />
      )}
    />
  );
}
