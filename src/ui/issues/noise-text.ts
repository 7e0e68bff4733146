/** Explanations of the noise rules. The rules are in `core/noise`. */
import type { NoiseRule } from "../../core/report.ts";

/** Why a report that matches the rule is not an error of the page. */
export const NOISE_TEXTS: Readonly<Record<NoiseRule, string>> = {
  extension: "Caused by a browser extension.",
  injected: "Caused by a script that an app or a network injected into the page.",
  translated: "Caused by a page translation, which replaces text nodes.",
  errata: "Caused by a page of Errata itself.",
};
