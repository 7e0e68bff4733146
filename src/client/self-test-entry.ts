/**
 * The script of the self-test pages, the only pages with islands and therefore with React.
 * `page.ts` is imported first, so that the reporter listens before anything fails.
 */
import "./page.ts";

new MutationObserver(hydrateNewIslands).observe(document.body, { childList: true, subtree: true });
void hydrateNewIslands();

/**
 * Islands can be streamed late. If the React chunk fails to load, `page.ts` reports the rejection.
 */
async function hydrateNewIslands(): Promise<void> {
  if (!document.querySelector("[data-island]")) return;
  const { hydrateIslands } = await import("./hydrate.tsx");
  hydrateIslands();
}
