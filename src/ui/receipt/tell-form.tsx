/** The form of a receipt where visitors ask Errata to tell them once that the error is fixed. */
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import type { VisitorTexts } from "../../core/visitors/languages/visitor-texts.ts";
import { toTellUrl } from "../urls/receipt-urls.ts";
import { ReceiptForm } from "./receipt-form.tsx";

/** Whether the request was taken; if not, the error and the entered address. */
export interface ReceiptTellState {
  readonly isAsked: boolean;
  readonly error?: string;
  readonly enteredAddress?: string;
}

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
  return (
    <ReceiptForm
      id="tell-address"
      action={toTellUrl(digest)}
      label={texts.tell}
      hint={texts.tellHint}
      error={error}
      done={isAsked ? texts.tellAsked : undefined}
      texts={texts}
      renderField={(props) => (
        <input
          {...props}
          name="address"
          type="email"
          autoComplete="email"
          maxLength={alertLimits.maxAddressChars}
          defaultValue={enteredAddress}
          dir="ltr"
        />
      )}
    />
  );
}
