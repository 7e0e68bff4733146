/** `errata/nuxt/client`: the plugin of Vue in the browser. */

import { capture } from "../client/reporter.ts";
import { readProperty, readString } from "../core/read-property.ts";
import { type BrowserOptions, startErrata } from "./browser.ts";
import { type Payload, watchRejections } from "./nuxt-rejections.ts";

/** What the plugin uses of Nuxt. */
interface NuxtApp {
  readonly payload: Payload;
  readonly hook: (name: string, run: (thrown: unknown) => void) => unknown;
  readonly $config: { readonly public: { readonly errata?: BrowserOptions } };
}

/** The plugin. Its options are those of the module. */
export default function plugin({ hook, payload, $config }: NuxtApp): void {
  startErrata($config.public.errata);
  hook("vue:error", report);
  hook("app:error", report);
  watchRejections(payload, (error) => {
    // A failed request is what the option `fetches` reports.
    if (readString(readProperty(error, "cause"), "name") !== "FetchError") report(error);
  });
}

/** A rejection of the server's API has the digest of the server, and belongs to its issue. */
function report(thrown: unknown): void {
  const status = readProperty(thrown, "statusCode");
  if (typeof status === "number" && status < 500) return;
  const digest = readString(readProperty(thrown, "data"), "digest");
  capture("uncaught", findWrapped(thrown), digest === undefined ? undefined : { digest });
}

/** Nuxt makes an error of what was thrown, which it reports as well. */
function findWrapped(thrown: unknown): unknown {
  const cause = readProperty(thrown, "cause");
  const isWrapped = readProperty(cause, "message") === readProperty(thrown, "message");
  return isWrapped && readString(cause, "stack") !== undefined ? cause : thrown;
}
