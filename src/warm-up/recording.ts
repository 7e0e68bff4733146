/**
 * What the bindings of the Worker answered while it answered some pages, as `npm run record` wrote
 * it. Its data are from a run of the product with the fixtures of the tests.
 */
import recorded from "./recorded-answers.json" with { type: "json" };

/**
 * The answers of each call in their order, by binding and method, and of KV the first part of the
 * key: `PROJECT_INDEX.listIssues`, `KV.get issue`.
 */
export type Answers = Readonly<Record<string, readonly unknown[]>>;

/** A page, or a report if it has a body, and the answers that it got. */
export interface RecordedPage {
  readonly path: string;
  readonly body?: string;
  readonly status: number;
  readonly answers: Answers;
}

export interface Recording {
  /** The time of the run, ms. */
  readonly atMs: number;
  /** Those that an isolate caches for all pages. */
  readonly shared: Answers;
  readonly pages: readonly RecordedPage[];
}

/** The shapes of its answers are compared with those of a new run: `tests/build/warm-up.test.ts`. */
export const RECORDING = recorded as unknown as Recording;

/** The first part of a key of KV. */
export function toKind(key: unknown): string {
  return String(key).split("/")[0] ?? "";
}
