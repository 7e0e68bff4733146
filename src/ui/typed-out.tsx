/** A confirmation that is typed out: the words, a field for them, and the button that nobody presses by a slip. */

/** What is asked for. `name` is the field's, `words` what must stand in it. */
export interface TypedOutProps {
  readonly name: string;
  readonly words: string;
  readonly button: string;
}

/** What means something in a pattern (ECMA-262, SyntaxCharacter). */
const SYNTAX = /[\^$\\.*+?()[\]{}|/]/g;

/** The field and the button, for a form. The browser refuses other words, and so does the server. */
export function TypedOut({ name, words, button }: TypedOutProps) {
  return (
    <>
      <label>
        <span>
          Type <code dir="auto">{words}</code> to confirm
        </span>
        <input
          name={name}
          type="text"
          required
          pattern={words.replace(SYNTAX, "\\$&")}
          title={words}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
        />
      </label>
      <button type="submit" className="danger filled">
        {button}
      </button>
    </>
  );
}
