/** A confirmation that is typed out: the words, a field for them, and the button that nobody presses by a slip. */

/** What is asked for. `name` is the field's, `words` what must stand in it. */
export interface TypedConfirmationProps {
  readonly name: string;
  readonly text: string;
  readonly buttonLabel: string;
}

/** What means something in a pattern (ECMA-262, SyntaxCharacter). */
const REGEXP_SYNTAX = /[\^$\\.*+?()[\]{}|/]/g;

/** The field and the button, for a form. The browser refuses other words, and so does the server. */
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
