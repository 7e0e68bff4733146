/** What the person with a receipt can add: what they were doing. A plain form; what came of it is said in its place. */
import { limits } from "../../core/limits.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { toReceiptUrl } from "../urls/receipt-urls.ts";

/** What is known of a comment: that it was sent, or why it was not, and what had been written. */
export interface ReceiptCommentState {
  readonly isSent: boolean;
  readonly error?: string;
  readonly enteredText?: string;
}

/** The form, or the thanks. */
export function ReceiptCommentForm({
  digest,
  comment: { isSent, error, enteredText },
}: {
  readonly digest: string;
  readonly comment: ReceiptCommentState;
}) {
  if (isSent) {
    return (
      <p className="comment-sent" role="status">
        <b>Thank you.</b> Your words are with the people who look after this site.
      </p>
    );
  }
  return (
    <DeskForm className="comment" method="post" action={toReceiptUrl(digest)}>
      <label htmlFor="comment">What were you doing?</label>
      <p id="comment-hint" className="muted">
        It helps to find the cause. Leave out passwords and card numbers.
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
      <button type="submit">Send</button>
    </DeskForm>
  );
}
