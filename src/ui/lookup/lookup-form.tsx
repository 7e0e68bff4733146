/**
 * The lookup box: one field that takes anything pasted, and asks `/lookup`. A plain form; the page's script adds the keys that
 * lead to `[data-lookup-input]`: Ctrl-K everywhere, and `/` where there is no other question.
 */
import { limits } from "../../core/limits.ts";
import { DeskForm } from "../parts/desk-context.tsx";

/** What the box is made of. `id` is the field's, so that a page may have two. */
export interface LookupFormProps {
  readonly id?: string | undefined;
  /** What was asked before, to be mended. */
  readonly query?: string | undefined;
  /** For the header: one line, no hint. */
  readonly isCompact?: boolean | undefined;
  /** Takes the focus when the page opens: for the page that is nothing but this box. */
  readonly hasAutoFocus?: boolean | undefined;
}

/** The lookup box. */
export function LookupForm({ id = "lookup", query, isCompact, hasAutoFocus }: LookupFormProps) {
  const hintId = `${id}-hint`;
  return (
    <search className={isCompact ? "lookup compact" : "lookup"}>
      <DeskForm action="/lookup" method="get">
        <label htmlFor={id}>Paste the code from the screenshot, or the whole message</label>{" "}
        <span className="lookup-field">
          <input
            id={id}
            name="q"
            type="text"
            data-lookup-input=""
            required
            maxLength={limits.maxQueryChars}
            defaultValue={query}
            placeholder={isCompact ? "Look up a digest or words" : "7F3K-Q2M9"}
            aria-describedby={isCompact ? undefined : hintId}
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="search"
            // biome-ignore lint/a11y/noAutofocus: given on the page that is nothing but this box
            autoFocus={hasAutoFocus}
          />
          {isCompact && (
            <span className="shortcut-hint" aria-hidden="true">
              /
            </span>
          )}
          <button type="submit">Look up</button>
        </span>
        {!isCompact && (
          <p className="lookup-hint" id={hintId}>
            Takes a digest, an event id, a Next.js code such as <code>2338823894@E394</code> or{" "}
            <code>ERROR 1629690449</code>, the address of a page, or a line of the error. Case, O
            for 0 and a missing dash do not matter.
          </p>
        )}
      </DeskForm>
    </search>
  );
}
