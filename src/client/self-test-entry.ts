/**
 * What the pages of the self-test run besides `page.ts`: they alone have islands, and so they alone load React. `page.ts` comes
 * first, so that it listens before anything fails.
 */
import "./page.ts";

new MutationObserver(hydrateNewIslands).observe(document.body, { childList: true, subtree: true });
void hydrateNewIslands();

/** Islands may come with the stream. A chunk of React that is gone is an unhandled rejection, which `page.ts` reports. */
async function hydrateNewIslands(): Promise<void> {
  if (!document.querySelector("[data-island]")) return;
  const { hydrateIslands } = await import("./hydrate.tsx");
  hydrateIslands();
}
