/**
 * The lookup form: one field that takes any pasted text and sends it to `/lookup`. The page script
 * focuses `[data-lookup-input]` on Ctrl-K, and on `/` if the page has no query field.
 */
import { limits } from "../../core/limits.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { PictureIcon } from "../parts/icons.tsx";

/** The options of the form. `id` is the id of the field, so that a page can have two forms. */
interface LookupFormProps {
  readonly id?: string | undefined;
  /** The previous query, to be edited. */
  readonly query?: string | undefined;
  /** True in the page header: one line without a hint. */
  readonly isCompact?: boolean | undefined;
  /** Focuses the field when the page opens. */
  readonly hasAutoFocus?: boolean | undefined;
}

export function LookupForm(props: Omit<LookupFormProps, "isCompact">) {
  return (
    <search className="lookup">
      <LookupFields {...props} />
    </search>
  );
}

/** The form without its landmark. */
export function LookupFields({ id = "lookup", query, isCompact, hasAutoFocus }: LookupFormProps) {
  const hintId = `${id}-hint`;
  return (
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
          placeholder={isCompact ? "Look up a code or text" : "7F3K-Q2M9"}
          aria-describedby={isCompact ? undefined : hintId}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          // biome-ignore lint/a11y/noAutofocus: set only where this field is the purpose
          autoFocus={hasAutoFocus}
        />
        {isCompact && (
          <span className="shortcut-hint" aria-hidden="true">
            /
          </span>
        )}
        <label className="picture-choice needs-script" title="Read the code in a picture">
          <span className="visually-hidden">Read the code in a picture</span>
          <PictureIcon />
          <input type="file" accept="image/*" data-picture="" />
        </label>
        <button type="submit">Look up</button>
      </span>
      {!isCompact && (
        <p className="lookup-hint" id={hintId}>
          Accepts a digest, an event id, a page URL, a Next.js code such as{" "}
          <code>2338823894@E394</code> or <code>ERROR 1629690449</code>, or a line of the error.
          Lower case, O instead of 0 and a missing dash are accepted.
          <span className="needs-script">
            {" "}
            Or paste or drop a screenshot: your browser reads it, and nothing is uploaded.
          </span>
        </p>
      )}
    </DeskForm>
  );
}
