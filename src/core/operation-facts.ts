/** What a program must know of an operation to call it: rows of a table that its build inserts. */

/** A member of an input. */
export interface MemberFacts {
  readonly name: string;
  /** `json` is any other value: an object, or a list of objects. */
  readonly type: "text" | "number" | "boolean" | "list" | "json";
  readonly isRequired: boolean;
  /** Completes "Expected …". */
  readonly about: string;
}

/** An operation, as far as a program must know it. */
export interface OperationFacts {
  /** A noun and a verb: `issues.decide`. */
  readonly name: string;
  readonly summary: string;
  readonly method: string;
  /** `/issues/{digest}/decision`, below `/api/v1`. */
  readonly path: string;
  readonly members: readonly MemberFacts[];
}

/** The names of members in the path of an operation, in their order. */
export function listPathMembers(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}
