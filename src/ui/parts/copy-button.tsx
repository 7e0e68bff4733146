/**
 * A copy button with an output that confirms the copy. The client script handles clicks on
 * `[data-copy]`; the style sheet hides the button where scripts do not run.
 */

/**
 * A copy button for `text`. Screen readers hear "Copy" and `label`. `words` are "Copy" and "Copied"
 * in another language.
 */
export function CopyButton({
  text,
  label,
  words: [copy, copied] = ["Copy", ""],
}: {
  readonly text: string;
  readonly label: string;
  readonly words?: readonly [copy: string, copied: string];
}) {
  return (
    <>
      <button type="button" className="copy" data-copy={text} aria-label={`${copy} ${label}`}>
        {copy}
      </button>{" "}
      <output className="copied" data-copied={copied} aria-live="polite" />
    </>
  );
}
