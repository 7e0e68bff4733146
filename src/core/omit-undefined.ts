/**
 * With `exactOptionalPropertyTypes` an optional member is never `undefined`, so objects built from
 * optional values pass through `omitUndefined`.
 */

type OmitUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** A copy without the members that are undefined. Keeps null, `""`, 0 and false. */
export function omitUndefined<T extends object>(members: T): OmitUndefined<T> {
  // Runs about thirty times per report; `Object.entries` takes four times as long.
  const result: Record<string, unknown> = {};
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) result[name] = value;
  }
  return result as OmitUndefined<T>;
}
