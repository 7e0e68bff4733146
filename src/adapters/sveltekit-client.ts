/** `errata/sveltekit/client`: the hook of `src/hooks.client.ts`, and the reporter of the browser. */

import { capture } from "../client/reporter.ts";
import { type BrowserOptions, startErrata } from "./browser.ts";

/** What SvelteKit gives to `handleError` in the browser. */
interface HandleErrorInput {
  readonly error: unknown;
  readonly kind?: string;
  readonly status?: number;
}

/**
 * `handleError` of SvelteKit. `own` is that of the application: what it returns is shown. Failures
 * of the server do not come here: SvelteKit shows what the server's hook returned.
 */
export function createHandleError<Input extends HandleErrorInput, Shown = undefined>(
  options?: BrowserOptions,
  own?: (input: Input) => Shown,
): (input: Input) => Shown | undefined {
  startErrata(options);
  return (input) => {
    const { error, kind, status = 500 } = input;
    if (kind === "unknown" || (kind === undefined && status >= 500)) capture("uncaught", error);
    if (own !== undefined) return own(input);
    console.error(error);
    return undefined;
  };
}
