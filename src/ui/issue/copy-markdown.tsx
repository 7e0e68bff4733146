/**
 * A button that copies the issue as Markdown, with the selected report. Without scripts, the page's
 * Markdown link serves the same text.
 */

/** The button and its status output. The page's script handles both. */
export function CopyMarkdownButton({ markdown }: { readonly markdown: string }) {
  return (
    <span className="copy-markdown">
      <button type="button" className="copy" data-copy={markdown}>
        Copy as Markdown
      </button>{" "}
      <output className="copied" data-copied="" aria-live="polite" />
    </span>
  );
}
