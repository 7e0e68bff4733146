/**
 * The wordmark: "Errata" misprinted with one r, the other inserted above a caret. The correction is
 * an `ins`, so it reads as "Errata" without the style sheet.
 */

/** The wordmark, linked if `href` is given. */
export function Wordmark({ href }: { href?: string | undefined }) {
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
