/**
 * What the pages of the self-test run besides `page.ts`: they alone have islands, and so they alone load React. `page.ts` comes
 * first, so that it listens before anything fails.
 */
import "./page.ts";

new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
void look();

/** Islands may come with the stream. A chunk of React that is gone is an unhandled rejection, which `page.ts` reports. */
async function look(): Promise<void> {
  if (!document.querySelector("[data-island]")) return;
  const { hydrateIslands } = await import("./hydrate.tsx");
  hydrateIslands();
}
