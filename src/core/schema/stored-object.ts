/**
 * Objects of the schemas of stored data, and the types that derive from them.
 *
 * Functions that make schemas have no side effects, and say so: a script of the browser that needs
 * one constant of a module then leaves out its schemas. Objects that are spread would keep them.
 */
import * as v from "valibot";

/**
 * An object that keeps the members that it does not know: a later release has written them. Its
 * type has only those that it knows.
 */
/* @__NO_SIDE_EFFECTS__ */
export function storedObject<const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.ObjectSchema<Entries, undefined> {
  return v.looseObject(entries) as unknown as v.ObjectSchema<Entries, undefined>;
}

/** What a schema accepts, as values that nobody changes. */
export type StoredValue<Schema extends v.GenericSchema> = DeepReadonly<v.InferOutput<Schema>>;

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
    : T;
