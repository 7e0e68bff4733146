/**
 * The form of a receipt where visitors ask to be told once, when the error is fixed, and the page
 * that the link of its mail opens. Works without scripts.
 */
import type { Visitor, VisitorTexts } from "../../core/visitors/languages/visitor-texts.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { toTellUrl } from "../urls/receipt-urls.ts";

/** Whether the request was taken; if not, the error and the entered address. */
export interface ReceiptTellState {
  readonly isAsked: boolean;
  readonly error?: string;
  readonly enteredAddress?: string;
}

/** RFC 5321 § 4.5.3.1.3. */
const MAX_ADDRESS_CHARS = 254;

/** The form, or what happens next: the same for every address. */
export function ReceiptTellForm({
  digest,
  texts,
  tell: { isAsked, error, enteredAddress },
}: {
  readonly digest: string;
  readonly texts: VisitorTexts;
  readonly tell: ReceiptTellState;
}) {
  if (isAsked) {
    return (
      <p className="comment-sent" role="status">
        {texts.tellAsked}
      </p>
    );
  }
  return (
    <DeskForm className="comment" method="post" action={toTellUrl(digest)}>
      <label htmlFor="tell-address">{texts.tell}</label>
      <p id="tell-hint" className="muted">
        {texts.tellHint}
      </p>
      <input
        id="tell-address"
        name="address"
        type="email"
        autoComplete="email"
        required
        maxLength={MAX_ADDRESS_CHARS}
        defaultValue={enteredAddress}
        aria-describedby={error === undefined ? "tell-hint" : "tell-problem tell-hint"}
        aria-invalid={error === undefined ? undefined : true}
        dir="ltr"
      />
      {error !== undefined && (
        <p id="tell-problem" className="field-error" role="alert">
          {error}
        </p>
      )}
      <button type="submit">{texts.send}</button>
    </DeskForm>
  );
}

/** `token` fills the form, which a program that only follows links does not send. */
export function VisitorLinkPage({
  state,
  digest,
  token,
  visitor: { texts },
}: {
  readonly state: "asked" | "confirmed" | "invalid";
  readonly digest: string;
  readonly token: string;
  readonly visitor: Visitor;
}) {
  const titles = { asked: texts.tell, confirmed: texts.tellConfirmed, invalid: texts.tellExpired };
  return (
    <div className="card-page">
      <article className="card receipt">
        <h1>
          <span className="label">{texts.receipt}</span>{" "}
          <code className="digest" dir="ltr">
            {digest}
          </code>
        </h1>
        <h2>{titles[state]}</h2>
        {state === "asked" && (
          <form method="post" className="comment">
            <input type="hidden" name="token" value={token} />
            <button type="submit">{texts.tell}</button>
          </form>
        )}
      </article>
    </div>
  );
}
