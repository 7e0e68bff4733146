/**
 * `errata/nuxt/server`: the plugin of Vue on the server. It remembers what a render throws before
 * Nuxt wraps it, and names the rejections of `useAsyncData` and `useFetch`, of which no hook tells.
 */

import { readProperty, readString } from "../core/read-property.ts";
import { addEventFacts, getEventFacts, type NuxtEvent } from "./nuxt-event.ts";
import { type NuxtError, nameNuxtError } from "./nuxt-failure.ts";
import { type Payload, watchRejections } from "./nuxt-rejections.ts";

/** What the plugin uses of Nuxt. */
interface NuxtApp {
  readonly ssrContext?: { readonly event: NuxtEvent; readonly url: string };
  readonly payload: Payload;
  readonly hook: (name: string, run: (thrown: unknown) => void) => unknown;
  readonly $router?: { readonly resolve: (url: string) => unknown };
}

/** The plugin. It runs before all others. */
export default function plugin(nuxtApp: NuxtApp): void {
  const { ssrContext, payload } = nuxtApp;
  if (ssrContext === undefined) return;
  const { event } = ssrContext;
  const remember = (value: unknown) => {
    if (getEventFacts(event).thrown !== undefined) return;
    addEventFacts(event, { thrown: { value }, route: findRoute(nuxtApp) });
  };
  nuxtApp.hook("vue:error", remember);
  nuxtApp.hook("app:error", remember);
  // Middleware of a page fails without a hook.
  nuxtApp.hook("app:rendered", () => addEventFacts(event, { route: findRoute(nuxtApp) }));
  watchRejections(payload, (error) => nameRejection(error, nuxtApp, event));
}

/** The page itself does not fail: its status says so. */
function nameRejection(error: unknown, nuxtApp: NuxtApp, event: NuxtEvent): void {
  const status = readProperty(error, "statusCode");
  if (typeof status !== "number" || status < 500) return;
  addEventFacts(event, { route: findRoute(nuxtApp) });
  const { statusCode } = event.node.res as { statusCode?: number };
  nameNuxtError(error as NuxtError, event, { how: "data", status: statusCode ?? 200 });
}

/** The pattern of the page, `/teas/:tea`. */
function findRoute({ $router, ssrContext }: NuxtApp): string | undefined {
  // Nuxt renders a server component as a page of its own, without the route of the page around it.
  const [, island] = /^\/__nuxt_island\/([^/?]+)_/.exec(ssrContext?.event.path ?? "") ?? [];
  if (island !== undefined) return `/__nuxt_island/${island}`;
  try {
    const matched = readProperty($router?.resolve(ssrContext?.url ?? ""), "matched");
    const page = readProperty(matched, Number(readProperty(matched, "length")) - 1);
    return readString(page, "path")?.replaceAll("()", "");
  } catch {
    return undefined;
  }
}
