/**
 * A button that copies the issue as Markdown, with the selected report. The page's script requests
 * the text when the button is clicked. Without scripts, the page's Markdown link serves it.
 */
import { resolvePath, useDesk } from "../parts/desk-context.tsx";

/** The button and its status output. `url` is that of the Markdown, within the project. */
export function CopyMarkdownButton({ url }: { readonly url: string }) {
  const desk = useDesk();
  return (
    <span className="copy-markdown">
      <button type="button" className="copy" data-copy-url={resolvePath(desk, url)}>
        Copy as Markdown
      </button>{" "}
      <output className="copied" data-copied="" aria-live="polite" />
    </span>
  );
}
