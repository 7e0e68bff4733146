/** The button that copies the Markdown at a URL, which it requests when it is clicked. */

/** Starts once for each button with `data-copy-url`. */
export function initCopy(button: HTMLElement): void {
  const output = button.parentElement?.querySelector("[data-copied]");
  button.onclick = async () => {
    const reading = readMarkdown(button.dataset.copyUrl ?? "");
    // Safari permits the write only during the click, so the item waits for the text.
    const copying = navigator.clipboard.write([new ClipboardItem({ "text/plain": reading })]);
    const [loaded, copied] = await Promise.allSettled([reading, copying]);
    if (!output) return;
    if (copied.status === "fulfilled") output.textContent = "Copied";
    else if (loaded.status === "fulfilled")
      output.textContent = "Copying was blocked by the browser";
    else output.textContent = "The text could not be loaded";
  };
}

/** Rejects for another format, such as the page for signing in. */
async function readMarkdown(url: string): Promise<Blob> {
  const response = await fetch(url);
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok || !type.startsWith("text/markdown")) throw new Error(`${response.status}`);
  return new Blob([await response.text()], { type: "text/plain" });
}
