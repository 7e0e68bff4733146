// The events of the benchmark, in mixes of few or many issues.

import { createEnvelope, createEventTemplate } from "./event-envelope.ts";
import { createWord } from "./names.ts";

/** The number of issues in each mix of events. */
export const MIXES = { storm: 1, hundred: 100, mixed: 500, distinct: Number.POSITIVE_INFINITY };
export type Mix = keyof typeof MIXES;

const template = JSON.stringify(createEventTemplate());

/**
 * The envelope of the `n`th event of a mix: 4 KB, as @sentry/browser sends it. `id` is 32 hex
 * characters.
 */
export function createMixEvent(mix: Mix, n: number, id: string): string {
  return createEnvelope(template, { id, word: createWord(n % MIXES[mix]), ageMs: 0 });
}
