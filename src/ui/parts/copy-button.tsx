/**
 * A button that copies a text, and the place where it says that it did. The click is handled by the page's script, which
 * looks for `[data-copy]`; a style sheet hides the button where scripts do not run.
 */

/** A copy button for `text`; `what` says to a screen reader what is copied. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <>
      <button type="button" className="copy" data-copy={text} aria-label={`Copy ${label}`}>
        Copy
      </button>{" "}
      <output className="copied" data-copied="" aria-live="polite" />
    </>
  );
}
