/**
 * Schemas of forms. They read what a browser or a program sent: a form has only texts, JSON also
 * numbers and lists. Each message completes "Expected …" and quotes nothing that was sent.
 */
import * as v from "valibot";

/** The schema of the fields of a form. */
export type FormSchema<Input = unknown> = v.GenericSchema<unknown, Input> & {
  readonly entries: v.ObjectEntries;
};

/** A form with these fields and no others. The message of a field is also that of its absence. */
export function formObject<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.strictObject(entries, ({ path }) => {
    const [{ key } = { key: undefined }] = path ?? [];
    const entry = entries[String(key)] as { readonly message?: unknown } | undefined;
    return typeof entry?.message === "string" ? entry.message : describeNames(Object.keys(entries));
  });
}

function describeNames(names: readonly string[]): string {
  return `no fields except ${names.join(", ")}`;
}

/** What programs send as the value of a field that is more than a text: a JSON type. */
export type FieldType = "number" | "boolean" | "list";

/**
 * A field whose value `decode` reads; undefined if it is invalid. A form has it as a text, programs
 * as a `type`.
 */
export function decodedField<T>(
  decode: (value: unknown) => T | undefined,
  expected: string,
  type: FieldType,
) {
  return v.pipe(
    v.unknown(),
    v.description(expected),
    v.metadata({ "x-type": type }),
    v.rawTransform<unknown, T>(({ dataset, addIssue, NEVER }) => {
      const value = decode(dataset.value);
      if (value !== undefined) return value;
      addIssue({ message: expected });
      return NEVER;
    }),
  );
}

/** A whole number, or its decimal digits. */
export function wholeNumber(name: string, min: number, max: number) {
  const expected = `${name}, a whole number from ${min} to ${max}`;
  return decodedField(
    (value) => {
      const isDigits = typeof value === "string" && /^\d{1,6}$/.test(value);
      const number = isDigits ? Number(value) : value;
      return Number.isSafeInteger(number) && Number(number) >= min && Number(number) <= max
        ? (number as number)
        : undefined;
    },
    expected,
    "number",
  );
}

/** The result of a form; `expected` completes "Expected …". */
export type ParsedForm<Input> =
  | { readonly ok: true; readonly value: Input }
  | { readonly ok: false; readonly reason: "mismatch"; readonly expected: string };

/**
 * Parses the fields of a form. The form also has the fields `others`, which are parsed already. A
 * field that it does not have is the first problem.
 */
export function parseForm<Input>(
  schema: FormSchema<Input>,
  fields: object,
  others: readonly string[] = [],
): ParsedForm<Input> {
  const names = Object.keys(schema.entries);
  if (Object.keys(fields).some((name) => !names.includes(name)))
    return mismatch(describeNames([...others, ...names]));
  const parsed = v.safeParse(schema, fields, { abortEarly: true });
  return parsed.success ? { ok: true, value: parsed.output } : mismatch(parsed.issues[0].message);
}

function mismatch(expected: string) {
  return { ok: false, reason: "mismatch", expected } as const;
}

/** The constraints of a field of a form, as an `input` element states them. */
export function getFieldConstraints(schema: FormSchema, name: string) {
  const entry = schema.entries[name] as
    | { readonly type: string; readonly pipe?: readonly { type: string; requirement?: unknown }[] }
    | undefined;
  const limit = entry?.pipe?.find(({ type }) => type === "max_length")?.requirement;
  return {
    required: entry !== undefined && entry.type !== "optional",
    maxLength: typeof limit === "number" ? limit : undefined,
  };
}
