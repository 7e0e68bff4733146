/** What the person with a receipt can add: what they were doing. A plain form; what came of it is said in its place. */
import { limits } from "../../core/limits.ts";
import { Form } from "../place.tsx";
import { receiptUrl } from "./receipt-url.ts";

/** What is known of a comment: that it was sent, or why it was not, and what had been written. */
export interface Comment {
  readonly isSent: boolean;
  readonly problem?: string;
  readonly written?: string;
}

/** The form, or the thanks. */
export function CommentForm({
  digest,
  comment: { isSent, problem, written },
}: {
  readonly digest: string;
  readonly comment: Comment;
}) {
  if (isSent) {
    return (
      <p className="thanks" role="status">
        <b>Thank you.</b> Your words are with the people who look after this site.
      </p>
    );
  }
  return (
    <Form className="comment" method="post" action={receiptUrl(digest)}>
      <label htmlFor="comment">What were you doing?</label>
      <p id="comment-hint" className="aside">
        It helps to find the cause. Leave out passwords and card numbers.
      </p>
      <textarea
        id="comment"
        name="comment"
        rows={3}
        required
        maxLength={limits.maxReceiptCommentChars}
        defaultValue={written}
        aria-describedby={problem === undefined ? "comment-hint" : "comment-problem comment-hint"}
        aria-invalid={problem === undefined ? undefined : true}
        dir="auto"
      />
      {problem !== undefined && (
        <p id="comment-problem" className="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="submit">Send</button>
    </Form>
  );
}
