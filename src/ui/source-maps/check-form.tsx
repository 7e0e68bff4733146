/** The check of a script: which upload would map it? A GET form, so that the answer has a URL. */
import { limits } from "../../core/limits.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { SOURCE_MAPS_URL } from "../urls/source-map-urls.ts";

/** The fields as they were sent. */
export interface CheckFormProps {
  readonly script?: string | undefined;
  readonly release?: string | undefined;
  readonly debugId?: string | undefined;
  /** True if `script` names no script. */
  readonly isRefused?: boolean;
}

export function CheckForm({ script, release, debugId, isRefused = false }: CheckFormProps) {
  return (
    <DeskForm className="check-form form-row-inline" action={SOURCE_MAPS_URL} method="get">
      <CheckField
        name="script"
        label="Script URL from a stack trace, with or without line and column"
        value={script}
        placeholder="https://shop.example/assets/index-Cepvnn19.js:3:868"
        isRequired
        isRefused={isRefused}
      />
      <CheckField name="release" label="Release" value={release} placeholder="1.4.0" />
      <CheckField name="debugId" label="Debug id" value={debugId} placeholder="optional" />
      <button type="submit">Check</button>
      {isRefused && (
        <p className="field-error" id="script-problem" role="alert">
          Enter the URL of one script, without spaces.
        </p>
      )}
    </DeskForm>
  );
}

function CheckField({
  name,
  label,
  value,
  placeholder,
  isRequired = false,
  isRefused = false,
}: {
  name: string;
  label: string;
  value: string | undefined;
  placeholder: string;
  isRequired?: boolean;
  isRefused?: boolean;
}) {
  return (
    <label data-field={name}>
      <span>{label}</span>
      <input
        name={name}
        type="text"
        required={isRequired}
        aria-invalid={isRefused || undefined}
        aria-describedby={isRefused ? "script-problem" : undefined}
        maxLength={limits.maxStringChars}
        defaultValue={value}
        placeholder={placeholder}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
      />
    </label>
  );
}
