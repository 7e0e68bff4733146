/**
 * The value of something that may fail in an expected way. Nothing in `core/` or `formats/` throws: a failure is a
 * value with a `reason` and the facts that explain it, and one switch in `http/failures.ts` turns it into a response.
 */
export type Result<T, E extends { readonly reason: string }> =
  | { readonly ok: true; readonly value: T }
  | ({ readonly ok: false } & E);

/** A success that carries `value`. */
export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** A failure that carries its reason and facts. */
export function fail<const E extends { readonly reason: string }>(
  failure: E,
): { readonly ok: false } & E {
  return { ok: false, ...failure };
}

/** Makes a `switch` exhaustive: it does not compile while a case is missing. Returns `fallback` if reached all the same. */
export function assertNever<T>(_missing: never, fallback: T): T {
  return fallback;
}
