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
  /** Set if its answer has text of reports: it takes the parameter `trust`. */
  readonly hasReports?: true | undefined;
}

/** The table as JSON without names, and with each member once: half as long. */
export interface PackedOperations {
  readonly members: readonly (readonly [
    name: string,
    type: MemberFacts["type"],
    isRequired: 0 | 1,
    about: string,
  ])[];
  readonly rows: readonly (readonly [
    name: string,
    summary: string,
    route: string,
    hasReports: 0 | 1,
    ...members: number[],
  ])[];
}

/** Packs the table, for a build. */
export function packOperations(operations: readonly OperationFacts[]): PackedOperations {
  const members = new Map<string, PackedOperations["members"][number]>();
  const rows = operations.map(({ name, summary, method, path, hasReports, ...operation }) => {
    const numbers = operation.members.map((member) => {
      const packed = [member.name, member.type, member.isRequired ? 1 : 0, member.about] as const;
      const key = JSON.stringify(packed);
      members.set(key, packed);
      return [...members.keys()].indexOf(key);
    });
    const flag = hasReports ? 1 : 0;
    return [name, summary, `${method} ${path}`, flag, ...numbers] as const;
  });
  return { members: [...members.values()], rows: rows as unknown as PackedOperations["rows"] };
}

/** The table that was packed. */
export function unpackOperations({ members, rows }: PackedOperations): readonly OperationFacts[] {
  return rows.map(([name, summary, route, hasReports, ...numbers]) => {
    const [method = "", path = ""] = route.split(" ");
    return {
      ...{ name, summary, method, path },
      members: numbers.flatMap((number) => {
        const member = members[number];
        if (member === undefined) return [];
        const [of, type, isRequired, about] = member;
        return [{ name: of, type, isRequired: isRequired === 1, about }];
      }),
      hasReports: hasReports === 1 || undefined,
    };
  });
}

/** The names of members in the path of an operation, in their order. */
export function listPathMembers(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}
