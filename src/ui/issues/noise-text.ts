/** What the noise rules are called on pages. The rules themselves are in `core/noise.ts`. */
import type { NoiseRule } from "../../core/report.ts";

/** A rule's sentence: why such a report is no fault of the page. */
export const NOISE_TEXTS: Readonly<Record<NoiseRule, string>> = {
  extension: "It comes from a browser extension.",
  injected: "It comes from a script that an app or a network put into the page.",
  translated: "The page was translated, and its text nodes replaced, by the browser or a service.",
};
