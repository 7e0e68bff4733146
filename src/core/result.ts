/**
 * The result of an operation that can fail in an expected way. Nothing in `core/` or `ingest/`
 * throws: a failure is a value with a `reason` and its facts, and one switch in `http/failures.ts`
 * turns it into a response.
 */
export type Result<T, E extends { readonly reason: string }> =
  | { readonly ok: true; readonly value: T }
  | ({ readonly ok: false } & E);

/** A success with `value`. */
export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** A failure with its reason and facts. */
export function fail<const E extends { readonly reason: string }>(
  failure: E,
): { readonly ok: false } & E {
  return { ok: false, ...failure };
}

/**
 * Makes a `switch` exhaustive: a missing case is a compile error. Returns `fallback` at runtime.
 */
export function assertNever<T>(_missing: never, fallback: T): T {
  return fallback;
}
