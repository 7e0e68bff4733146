/**
 * Schemas of stored data. The type of a shape, the decoder of what is stored and that of an import
 * derive from one declaration.
 *
 * Stored data is loose: an object keeps the members that it does not know, because a later release
 * has written them. An import is strict: `ImportRules` says how it truncates and checks, and
 * unknown members are dropped. Both keep the order of members. Each message completes "Expected …"
 * and quotes nothing of the value.
 *
 * Functions that make schemas have no side effects, and say so: a script of the browser that needs
 * one constant of a module then leaves out its schemas. Objects that are spread would keep them.
 */
import * as v from "valibot";

/** The codes of Errata whose form the layers above know. */
export type CodeName =
  | "digest"
  | "id"
  | "reportId"
  | "reportFormat"
  | "userSketch"
  | "networkSketch"
  | "senderKey"
  | "base64";

/** How an import reads values that may have been edited. */
export interface ImportRules {
  readonly limitText: (text: string, maxChars: number) => string;
  readonly limitJson: (value: unknown) => unknown;
  /** Later times do not sort as text. */
  readonly maxTimeMs: number;
  readonly codes: Readonly<
    Record<CodeName, readonly [test: (text: string) => boolean, expected: string]>
  >;
}

/** A schema of stored data. */
export type StoredSchema<T = unknown> = v.GenericSchema<unknown, T>;

/** What a schema accepts. */
export type StoredValue<Schema extends v.GenericSchema> = v.InferOutput<Schema>;

/** What is wrong with a value: an issue of Valibot. `message` completes "Expected …". */
export class Mismatch {
  readonly message: string;
  /** Names of members and positions in lists. */
  readonly path: readonly { readonly key: unknown }[];

  constructor(message: string, path: Mismatch["path"] = []) {
    this.message = message;
    this.path = path;
  }
}

type Read<T> = (value: unknown, rules: ImportRules | undefined) => T | Mismatch;
type Config = v.Config<v.BaseIssue<unknown>> & { readonly rules?: ImportRules | undefined };

/** A schema that `read` decodes; without rules for what is stored. */
/* @__NO_SIDE_EFFECTS__ */
function createSchema<T>(read: Read<T>): StoredSchema<T> {
  return {
    ...v.unknown(),
    "~run"({ value }: { value: unknown }, { rules }: Config) {
      const result = read(value, rules);
      return result instanceof Mismatch
        ? { typed: false, value, issues: [result] }
        : { typed: true, value: result };
    },
  } as unknown as StoredSchema<T>;
}

/** The value as a schema decodes it; `rules` are those of an import. */
export function decodeStored<T>(
  schema: StoredSchema<T>,
  value: unknown,
  rules?: ImportRules,
): T | Mismatch {
  // `v.safeParse` would drop the rules.
  const { value: output, issues } = schema["~run"]({ value }, { rules } as Config);
  return issues === undefined ? (output as T) : new Mismatch(issues[0].message, issues[0].path);
}

function decodeMember(
  key: string | number,
  schema: StoredSchema,
  value: unknown,
  rules: ImportRules | undefined,
): unknown {
  const result = decodeStored(schema, value, rules);
  return result instanceof Mismatch
    ? new Mismatch(result.message, [{ key }, ...result.path])
    : result;
}

/** A value for which `test` is true. */
/* @__NO_SIDE_EFFECTS__ */
export function checked<T>(test: (value: unknown) => boolean, expected: string): StoredSchema<T> {
  return createSchema((value) => (test(value) ? (value as T) : new Mismatch(expected)));
}

/** A text of a sender or a member. An import truncates it to `maxChars` UTF-16 units. */
/* @__NO_SIDE_EFFECTS__ */
export function text(maxChars = Number.POSITIVE_INFINITY) {
  const schema = createSchema((value, rules) => {
    if (typeof value !== "string") return new Mismatch("text");
    return rules === undefined ? value : rules.limitText(value, maxChars);
  });
  return { ...schema, type: "text" };
}

/** A code of Errata. An import checks the form of those that have a name. */
/* @__NO_SIDE_EFFECTS__ */
export function code(name?: CodeName) {
  const schema = createSchema((value, rules) => {
    if (typeof value !== "string") return new Mismatch("text");
    const [test, expected] = (name !== undefined && rules?.codes[name]) || [];
    return test === undefined || test(value) ? value : new Mismatch(String(expected));
  });
  return { ...schema, type: "code" };
}

/** JSON of a sender. */
/* @__NO_SIDE_EFFECTS__ */
export function json<T>() {
  const schema = createSchema((value, rules) => (rules?.limitJson(value) ?? value) as T);
  return { ...schema, type: "json" };
}

/** One of the keys of `options`. */
/* @__NO_SIDE_EFFECTS__ */
export function choice<const T extends string>(options: readonly T[] | Readonly<Record<T, true>>) {
  const known = (Array.isArray(options) ? options : Object.keys(options)) as readonly T[];
  return v.picklist(known, `one of ${known.join(", ")}`);
}

/** True; a member that is not true is absent. */
export const flag = /* @__PURE__ */ v.literal(true, "true");
export const trueOrFalse = /* @__PURE__ */ v.boolean("true or false");
export const version1 = /* @__PURE__ */ v.literal(1, "1");
export const version2 = /* @__PURE__ */ v.literal(2, "2");

export const number = /* @__PURE__ */ checked<number>(Number.isFinite, "a number");

/** A whole number from 0. */
export const count = /* @__PURE__ */ checked<number>(
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  "a non-negative whole number",
);
/** A whole number from 1. */
export const positiveCount = /* @__PURE__ */ checked<number>(
  (value) => Number.isSafeInteger(value) && Number(value) > 0,
  "a positive whole number",
);
/** Whole milliseconds since 1970. */
export const timeMs = /* @__PURE__ */ createSchema<number>((value, rules) => {
  const isTime = Number.isSafeInteger(value) && Number(value) >= 0;
  return isTime && (rules === undefined || Number(value) <= rules.maxTimeMs)
    ? (value as number)
    : new Mismatch("a time in whole milliseconds since 1970");
});

/** A list, of which an import keeps the first `max` items. */
/* @__NO_SIDE_EFFECTS__ */
export function list<T>(item: StoredSchema<T>, max?: number, expected = "a list") {
  const schema = createSchema<readonly T[]>((value, rules) => {
    if (!Array.isArray(value)) return new Mismatch(expected);
    const items: T[] = [];
    for (const [n, one] of (rules === undefined ? value : value.slice(0, max)).entries()) {
      const result = decodeMember(n, item, one, rules);
      if (result instanceof Mismatch) return result;
      items.push(result as T);
    }
    return items;
  });
  return { ...schema, type: "array", item };
}

type Outputs<Items extends readonly StoredSchema[]> = {
  readonly [N in keyof Items]: v.InferOutput<Items[N]>;
};

/** A list with exactly these items. */
/* @__NO_SIDE_EFFECTS__ */
export function tuple<const Items extends readonly StoredSchema[], T = Outputs<Items>>(
  items: Items,
  expected = "a list",
) {
  const schema = createSchema<T>((value, rules) => {
    if (!Array.isArray(value)) return new Mismatch(expected);
    if (value.length !== items.length) return new Mismatch(expected);
    const results = items.map((item, n) => decodeMember(n, item, value[n], rules));
    return (results.find((one) => one instanceof Mismatch) ?? results) as T | Mismatch;
  });
  return { ...schema, type: "tuple", items };
}

/** Names and values, of which an import keeps the first `max`. */
/* @__NO_SIDE_EFFECTS__ */
export function pairs(maxChars: number, max: number) {
  const part = text(maxChars);
  type Pair = readonly [name: string, value: string];
  return list(tuple<readonly [typeof part, typeof part], Pair>([part, part], "two strings"), max);
}

/** Values by names. The names are not decoded. */
/* @__NO_SIDE_EFFECTS__ */
export function valuesByName<T>(key: StoredSchema<string>, value: StoredSchema<T>) {
  const schema = createSchema((members, rules) => {
    return decodeMembers(members, rules, () => value) as Readonly<Record<string, T>> | Mismatch;
  });
  return { ...schema, type: "record", key, value };
}

/** A member that is only of use in its project: an import drops it. */
/* @__NO_SIDE_EFFECTS__ */
export function local<Schema extends StoredSchema>(schema: Schema): Schema {
  return { ...schema, isLocal: true };
}

type OptionalNames<Entries extends v.ObjectEntries> = {
  [Name in keyof Entries]: Entries[Name] extends { readonly type: "optional" } ? Name : never;
}[keyof Entries];

type StoredObject<Entries extends v.ObjectEntries> = {
  readonly [Name in keyof Omit<Entries, OptionalNames<Entries>>]: v.InferOutput<Entries[Name]>;
} & {
  readonly [Name in keyof Pick<Entries, OptionalNames<Entries>>]?: v.InferOutput<Entries[Name]>;
} extends infer Members
  ? { [Name in keyof Members]: Members[Name] }
  : never;

/** The schema of an object with these members. */
export type StoredObjectSchema<Entries extends v.ObjectEntries = v.ObjectEntries> = StoredSchema<
  StoredObject<Entries>
> & { readonly entries: Entries };

/** An object with these members. Its type has only those that it knows. */
/* @__NO_SIDE_EFFECTS__ */
export function storedObject<const Entries extends v.ObjectEntries>(
  entries: Entries,
): StoredObjectSchema<Entries> {
  const schema = createSchema((value, rules) => {
    const isRead = (entry: object) => rules === undefined || !("isLocal" in entry);
    const output = decodeMembers(value, rules, (name) => {
      const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
      return entry !== undefined && isRead(entry) ? (entry as StoredSchema) : undefined;
    });
    if (output instanceof Mismatch) return output;
    const missing = Object.entries(entries).find(
      ([name, entry]) => entry.type !== "optional" && isRead(entry) && !Object.hasOwn(output, name),
    );
    return missing === undefined ? output : new Mismatch("a value", [{ key: missing[0] }]);
  });
  return { ...schema, type: "object", entries } as unknown as StoredObjectSchema<Entries>;
}

/** An object with the members of another one, and these. */
/* @__NO_SIDE_EFFECTS__ */
export function extendObject<
  const Base extends v.ObjectEntries,
  const Entries extends v.ObjectEntries,
>(base: StoredObjectSchema<Base>, entries: Entries) {
  return storedObject<Base & Entries>({ ...base.entries, ...entries });
}

function decodeMembers(
  value: unknown,
  rules: ImportRules | undefined,
  getSchema: (name: string) => StoredSchema | undefined,
): object | Mismatch {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return new Mismatch("an object");
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const schema = getSchema(name);
    if (schema === undefined && rules !== undefined) continue;
    const result = schema === undefined ? member : decodeMember(name, schema, member, rules);
    if (result instanceof Mismatch) return result;
    members.push([name, result]);
  }
  return Object.fromEntries(members);
}

/** One of several objects, told apart by the member `key`. */
/* @__NO_SIDE_EFFECTS__ */
export function variant<
  const Options extends readonly (StoredSchema & { readonly entries: v.ObjectEntries })[],
>(key: string, options: Options, expected = `a known ${key}`) {
  type Output = v.InferOutput<Options[number]>;
  const schema = createSchema<Output>((value, rules) => {
    const named = (value as Readonly<Record<string, unknown>> | null | undefined)?.[key];
    const option = options.find(({ entries }) => {
      return !(decodeStored(entries[key] as StoredSchema, named) instanceof Mismatch);
    });
    if (option === undefined) return new Mismatch(expected, [{ key }]);
    return decodeStored(option, value, rules) as Output | Mismatch;
  });
  return { ...schema, type: "variant", key, options };
}
