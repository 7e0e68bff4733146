/**
 * The wordmark: "Errata", misprinted with one r and corrected by an editor who puts the other in above a caret. It is
 * text, with the correction as the `ins` that it is, and so reads as "Errata" without a style sheet.
 */

/** The wordmark; give `href` where it leads somewhere. */
export function Wordmark({ href }: { readonly href?: string | undefined }) {
  const word = (
    <>
      Er<ins>r</ins>ata
    </>
  );
  return href === undefined ? (
    <span className="wordmark">{word}</span>
  ) : (
    <a className="wordmark" href={href} aria-label="Errata">
      {word}
    </a>
  );
}
