/** A text that the user must type to confirm a destructive action. */

/** `name` is the name of the field, `text` the text to type. */
interface TypedFieldProps {
  readonly name: string;
  readonly text: string;
  /** Replaces the text in the label. */
  readonly label?: string;
  /** If the server accepts any case, the browser does not compare. */
  readonly isAnyCase?: boolean;
}

/** The characters with a meaning in a pattern (ECMA-262, SyntaxCharacter). */
const REGEXP_SYNTAX = /[\^$\\.*+?()[\]{}|/]/g;

/** The field. The browser and the server reject any other text. */
export function TypedField({ name, text, label, isAnyCase = false }: TypedFieldProps) {
  return (
    <label>
      <span>Type {label ?? <code dir="auto">{text}</code>} to confirm</span>
      <input
        name={name}
        type="text"
        required
        pattern={isAnyCase ? undefined : text.replace(REGEXP_SYNTAX, "\\$&")}
        title={label ?? text}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
      />
    </label>
  );
}

/** The field and the submit button of a form. */
export function TypedConfirmation({
  buttonLabel,
  ...field
}: TypedFieldProps & { readonly buttonLabel: string }) {
  return (
    <>
      <TypedField {...field} />
      <button type="submit" className="danger filled">
        {buttonLabel}
      </button>
    </>
  );
}
