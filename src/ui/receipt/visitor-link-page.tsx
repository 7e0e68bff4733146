/**
 * The page that the link of a mail opens. The visitor confirms the address there, because programs
 * open the links of mails. Works without scripts.
 */

import type { VisitorLinkState } from "../../core/ports/alerts-port.ts";
import type { Visitor } from "../../core/visitors/languages/visitor-texts.ts";
import { ReceiptHeading } from "./receipt-page.tsx";

/** What the request of the link is now; `invalid` for another link. */
export type VisitorLinkPageState = VisitorLinkState | "withdrawn" | "invalid";

/** The value of the field `do` that ends the request. */
export const WITHDRAW = "withdraw";

/** `token` fills the form, which a program that only follows links does not send. */
export function VisitorLinkPage({
  state,
  digest,
  token,
  visitor: { texts },
}: {
  readonly state: VisitorLinkPageState;
  readonly digest: string;
  readonly token: string;
  readonly visitor: Visitor;
}) {
  const titles: Readonly<Record<VisitorLinkPageState, string>> = {
    asked: texts.tell,
    confirmed: texts.tellConfirmed,
    withdrawn: texts.mailDeleted,
    invalid: texts.tellExpired,
  };
  return (
    <div className="card-page">
      <article className="card receipt">
        <ReceiptHeading digest={digest} texts={texts} />
        <h2>{titles[state]}</h2>
        {(state === "asked" || state === "confirmed") && (
          <form method="post" className="comment">
            <input type="hidden" name="token" value={token} />
            {state === "asked" && <button type="submit">{texts.tell}</button>}
            <button type="submit" name="do" value={WITHDRAW} className="secondary">
              {texts.tellWithdraw}
            </button>
          </form>
        )}
      </article>
    </div>
  );
}
