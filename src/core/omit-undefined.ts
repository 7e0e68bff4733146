/**
 * Absent means absent: with `exactOptionalPropertyTypes` an optional member is never `undefined`, so objects that are made
 * from what may be missing go through here.
 */

type OmitUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The same members without those that are undefined, as a new object; null, `""`, 0 and false stay. */
export function omitUndefined<T extends object>(members: T): OmitUndefined<T> {
  // Some thirty of these are made of every report: a list of the entries costs four times as much.
  const result: Record<string, unknown> = {};
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) result[name] = value;
  }
  return result as OmitUndefined<T>;
}
