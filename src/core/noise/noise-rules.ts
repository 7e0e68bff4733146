/** The noise rules that a project can switch off. */
import type { NoiseRule } from "../report.ts";

/** Errata's own errors are noise in every project. */
export type SwitchableNoiseRule = Exclude<NoiseRule, "errata">;

/** The rules, in the order of the settings. */
export const SWITCHABLE_NOISE_RULES = [
  "extension",
  "injected",
  "translated",
] as const satisfies readonly SwitchableNoiseRule[];
