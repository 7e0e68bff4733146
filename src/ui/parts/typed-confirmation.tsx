/** A text that the user must type to confirm a destructive action. */

/** `name` is the name of the field, `text` the text to type. */
interface TypedConfirmationProps {
  readonly name: string;
  readonly text: string;
  readonly buttonLabel: string;
}

/** The characters with a meaning in a pattern (ECMA-262, SyntaxCharacter). */
const REGEXP_SYNTAX = /[\^$\\.*+?()[\]{}|/]/g;

/** The field and the submit button of a form. The browser and the server reject any other text. */
export function TypedConfirmation({ name, text, buttonLabel }: TypedConfirmationProps) {
  return (
    <>
      <label>
        <span>
          Type <code dir="auto">{text}</code> to confirm
        </span>
        <input
          name={name}
          type="text"
          required
          pattern={text.replace(REGEXP_SYNTAX, "\\$&")}
          title={text}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
        />
      </label>
      <button type="submit" className="danger filled">
        {buttonLabel}
      </button>
    </>
  );
}
