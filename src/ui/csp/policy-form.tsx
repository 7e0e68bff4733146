/** Where a policy is pasted. A form that changes nothing, and works without scripts. */
import { limits } from "../../core/limits.ts";
import { DeskForm } from "../parts/desk-context.tsx";

/** What the form is made of. */
export interface PolicyFormProps {
  readonly text?: string | undefined;
  readonly placeholder: string;
  readonly error?: string | undefined;
}

/** The form; with `mistake` it says what was expected in place of what stands in it. */
export function PolicyForm({ text, placeholder, error }: PolicyFormProps) {
  return (
    <DeskForm className="policy-form" action="/csp" method="post">
      <label htmlFor="policy">Paste a policy, or the header lines of a response</label>
      <textarea
        id="policy"
        name="policy"
        rows={4}
        maxLength={limits.maxPolicyChars}
        defaultValue={text}
        placeholder={placeholder}
        dir="ltr"
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        aria-describedby={error === undefined ? "policy-hint" : "policy-mistake policy-hint"}
        aria-invalid={error === undefined ? undefined : true}
      />
      {error !== undefined && (
        <p className="field-error" id="policy-mistake" role="alert">
          This was not tried. Write {error}.
        </p>
      )}
      <p className="form-row">
        <button type="submit">Try it</button>
        <span className="muted" id="policy-hint">
          Checks every stored violation against this policy. Changes nothing.
        </span>
      </p>
    </DeskForm>
  );
}
