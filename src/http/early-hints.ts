/**
 * What every page loads, said in its head as well: Cloudflare remembers it by the address, and tells a browser (103 Early Hints) while
 * the Worker is still asked. It takes `preload` and `preconnect` alone, from answers with status 200; a module is fetched with CORS,
 * and so must be its preload, or it is loaded twice.
 */
import { assets } from "../render/assets.ts";

const LINKS = [
  `<${assets.style}>; rel=preload; as=style`,
  ...[assets.page, assets.reporter].map(
    (script) => `<${script}>; rel=preload; as=script; crossorigin`,
  ),
].join(", ");

/**
 * The `Link` of a page, `route` being its pattern; undefined where the address names something. Cloudflare gives hints to whoever
 * asks, before the door is asked: they would tell a stranger that somebody has looked at that issue, or that there is such a project.
 */
export function earlyHints(route: string, path: string): string | undefined {
  return path === route ? LINKS : undefined;
}
