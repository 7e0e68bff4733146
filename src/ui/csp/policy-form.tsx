/** The form for a dry run of a policy. It changes nothing and works without scripts. */
import { limits } from "../../core/limits.ts";
import { DeskForm } from "../parts/desk-context.tsx";

interface PolicyFormProps {
  readonly text?: string | undefined;
  readonly placeholder: string;
  readonly error?: string | undefined;
}

/** The form. `error` describes what was expected instead of `text`. */
export function PolicyForm({ text, placeholder, error }: PolicyFormProps) {
  return (
    <DeskForm className="policy-form" action="/csp" method="post">
      <label htmlFor="policy">Paste a policy or response headers</label>
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
          Not tested. Enter {error}.
        </p>
      )}
      <p className="form-row">
        <button type="submit">Test policy</button>
        <span className="muted" id="policy-hint">
          Checks all stored violations against this policy. Changes nothing.
        </span>
      </p>
    </DeskForm>
  );
}
