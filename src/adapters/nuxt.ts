/** `errata/nuxt`: the module of Nuxt, which adds the plugins of Nitro and Vue. */

import type { BrowserOptions } from "./browser.ts";

/** Options of the module. */
export interface NuxtOptions {
  /** Options of the browser's reporter that JSON can hold. Without them, the server alone reports. */
  readonly browser?: Pick<BrowserOptions, "to" | "release" | "environment" | "sample" | "fetches">;
}

/** What the module uses of Nitro's configuration. */
interface NitroConfig {
  plugins?: string[];
  errorHandler?: string | string[];
}

/** What the module uses of Nuxt. */
interface Nuxt {
  readonly options: {
    readonly plugins: unknown[];
    readonly runtimeConfig: { readonly public: Record<string, unknown> };
  };
  readonly hook: (name: "nitro:config", run: (config: NitroConfig) => void) => unknown;
}

/** The module: `modules: [["errata/nuxt", { browser: { to: "…" } }]]`. */
export default function errata({ browser }: NuxtOptions, nuxt: Nuxt): void {
  const { plugins, runtimeConfig } = nuxt.options;
  plugins.unshift({ src: toPath("nuxt-server"), mode: "server" });
  if (browser !== undefined) {
    plugins.unshift({ src: toPath("nuxt-client"), mode: "client" });
    runtimeConfig.public.errata = browser;
  }
  nuxt.hook("nitro:config", (config) => {
    config.plugins = [toPath("nuxt-nitro"), ...(config.plugins ?? [])];
    config.errorHandler = [config.errorHandler ?? [], toPath("nuxt-error-handler")].flat();
  });
}

/** Nitro resolves no packages in its lists. The path of a drive has no slash before its letter. */
function toPath(module: string): string {
  const { pathname } = new URL(`./${module}.js`, import.meta.url);
  return decodeURIComponent(pathname).replace(/^\/(?=[A-Za-z]:)/, "");
}
