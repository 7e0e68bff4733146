/**
 * The page that the link of a mail opens. The visitor confirms the address there, because programs
 * open the links of mails. Works without scripts.
 */
import type { Visitor } from "../../core/visitors/languages/visitor-texts.ts";
import { ReceiptHeading } from "./receipt-page.tsx";

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
        <ReceiptHeading digest={digest} texts={texts} />
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
