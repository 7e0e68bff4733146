/** A button that copies the issue as Markdown, with the report that is open. Where no script runs, the page's link does as well. */

/** The button, and the place where it says that it did; the page's script looks for both. */
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
