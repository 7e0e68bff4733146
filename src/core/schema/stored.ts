/**
 * Versions of stored JSON. A stored value has its version as the member `v`. What this code wrote
 * last is trusted; an older value is upgraded step by step and validated; a newer one belongs to a
 * later release and is unreadable, which is never the same as missing.
 *
 * Schemas are loose: members that this version does not know belong to a later one and are kept.
 */
import { decodeStored, Mismatch, type StoredSchema } from "./stored-object.ts";

/** A stored value as this code knows it, or why it cannot be read. */
export type Stored<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "newer"; readonly version: number }
  | { readonly kind: "damaged"; readonly problem: string };

/** A value that is stored but cannot be read: of a later version, or damaged. */
export class Unreadable extends Error {
  constructor(what: string, { kind }: Exclude<Stored<unknown>, { kind: "ok" }>) {
    const reason = kind === "newer" ? "was written by a later release of Errata" : "is damaged";
    super(`${what} ${reason}`);
  }
}

type Members = Readonly<Record<string, unknown>>;
/** Changes a value of one version into one of the next or the previous version. */
type Step = (value: Members) => Members;

interface Definition<T> {
  /** What the value is, for messages: `the decision`. */
  readonly name: string;
  /** The newest version that this code reads. */
  readonly version: number;
  /** The version that it writes: one that the release before reads, too. */
  readonly writes?: number;
  /** Of `version`. */
  readonly schema: StoredSchema<T>;
  /** Version 1 is a list, which has no room for the member `v`. */
  readonly isList?: boolean;
  /** `up[1]` makes version 2 of version 1. */
  readonly up?: Readonly<Record<number, Step>>;
  /** `down[2]` makes version 1 of version 2, while `writes` is lower than `version`. */
  readonly down?: Readonly<Record<number, Step>>;
}

/** Reads and writes one kind of stored JSON. */
export interface StoredFormat<T> {
  readonly version: number;
  /** Trusts the current version. */
  decode(value: unknown): Stored<T>;
  /** Validates every version: for imports, and to check what is stored. */
  check(value: unknown): Stored<T>;
  /** Throws `Unreadable` for a value that cannot be read. */
  parse(value: unknown): T;
  /** Null for a damaged value. Throws `Unreadable` for one of a later version. */
  parseOrNull(value: unknown, isTrusted?: boolean): T | null;
  /** The value in the version that is written, to be formatted as JSON. */
  toWritten(value: T): unknown;
  /** The JSON of `toWritten`. */
  encode(value: T): string;
}

export function defineStored<T>(definition: Definition<T>): StoredFormat<T> {
  const { name, version, writes = version, schema, isList, up = {}, down = {} } = definition;

  function read(value: unknown, isTrusted: boolean): Stored<T> {
    const found = isList && Array.isArray(value) ? 1 : readVersion(value);
    if (found === undefined) return { kind: "damaged", problem: "It has no version." };
    if (found > version) return { kind: "newer", version: found };
    if (found === version && isTrusted) return { kind: "ok", value: value as T };
    let upgraded = value as Members;
    for (let from = found; from < version; from++)
      upgraded = { ...takeStep(up, from)(upgraded), v: from + 1 };
    const decoded = decodeStored(schema, upgraded);
    if (!(decoded instanceof Mismatch)) return { kind: "ok", value: decoded };
    // The path, and never the value: it may be anyone's data.
    return {
      kind: "damaged",
      problem: `${decoded.path.map(({ key }) => key).join(".") || "It"} is not valid.`,
    };
  }

  function toWritten(value: T): unknown {
    let written = value as Members;
    for (let from = version; from > writes; from--)
      written = { ...takeStep(down, from)(written), v: from - 1 };
    return written;
  }

  return {
    version,
    toWritten,
    decode: (value) => read(value, true),
    check: (value) => read(value, false),
    parse(value) {
      const result = read(value, true);
      if (result.kind !== "ok") throw new Unreadable(name, result);
      return result.value;
    },
    parseOrNull(value, isTrusted = true) {
      const result = read(value, isTrusted);
      if (result.kind === "newer") throw new Unreadable(name, result);
      return result.kind === "ok" ? result.value : null;
    },
    encode: (value) => JSON.stringify(toWritten(value)),
  };
}

function readVersion(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null || !("v" in value)) return undefined;
  const { v: version } = value;
  return Number.isInteger(version) && Number(version) >= 1 ? Number(version) : undefined;
}

/** A missing step would lose every member of the value. */
function takeStep(steps: Readonly<Record<number, Step>>, from: number): Step {
  const step = steps[from];
  if (step === undefined) throw new Error(`there is no step from version ${from}`);
  return step;
}
