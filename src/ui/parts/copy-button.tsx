/**
 * A copy button with an output that confirms the copy. The client script handles clicks on
 * `[data-copy]`; the style sheet hides the button where scripts do not run.
 */

/** A copy button for `text`. Screen readers hear "Copy" and `label`. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  return (
    <>
      <button type="button" className="copy" data-copy={text} aria-label={`Copy ${label}`}>
        Copy
      </button>{" "}
      <output className="copied" data-copied="" aria-live="polite" />
    </>
  );
}
