/**
 * The operations of Errata as commands: `issues.decide` is `errata issues decide <digest>
 * --state=resolved`. The build makes the table of `OPERATIONS`, so that the program has every
 * operation and none of their code.
 */
import {
  listPathMembers,
  type MemberFacts,
  type OperationFacts,
  unpackOperations,
} from "../core/operation-facts.ts";
import { CommandFailure } from "./failure.ts";

/** Every operation. */
export const OPERATIONS = unpackOperations(ERRATA_OPERATIONS);

/** A request to `/api/v1`. */
export interface ApiRequest {
  readonly method: string;
  /** The path and query below `/api/v1`. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The words of a command: `issues`, `decide-many`. */
export function toWords({ name }: Pick<OperationFacts, "name">): readonly string[] {
  return name.split(".").map(toOption);
}

/** `inNextRelease` as an option is `in-next-release`. */
export function toOption(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The request of the operation with this name: `issues.get`. */
export function createNamedRequest(
  name: string,
  input: Readonly<Record<string, unknown>> = {},
): ApiRequest {
  const operation = OPERATIONS.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`No operation ${name}`);
  return createRequest(operation, input);
}

/** The request of an operation. `input` has the members that were given. */
export function createRequest(
  { method, path, members }: OperationFacts,
  input: Readonly<Record<string, unknown>>,
): ApiRequest {
  const inPath = listPathMembers(path);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodePath(String(input[name])));
  const others = members
    .filter(({ name }) => !inPath.includes(name) && input[name] !== undefined)
    .map(({ name }) => [name, input[name]] as const);
  if (method === "GET") {
    const query = new URLSearchParams(
      Object.fromEntries(others.map(([name, value]) => [name, String(value)])),
    );
    return { method, path: query.size === 0 ? filled : `${filled}?${query}` };
  }
  return { method, path: filled, body: Object.fromEntries(others) };
}

/**
 * The value as the end of a path. Slashes stay: the names of releases have them. A URL drops `.` and
 * `..` between slashes, and would then name something else.
 */
export function encodePath(value: string): string {
  if (/^\.{1,2}$/.test(value))
    throw new CommandFailure("usage", "Expected another name than . and .. in the path.");
  const parts = value.split("/");
  return parts.some((part) => /^\.{0,2}$/.test(part))
    ? encodeURIComponent(value)
    : parts.map(encodeURIComponent).join("/");
}

/** The value of an option or an argument. Throws what was expected. */
export function parseMember({ name, type, about }: MemberFacts, text: string): unknown {
  switch (type) {
    case "text":
      return text;
    case "number":
      if (/^-?\d{1,15}$/.test(text)) return Number(text);
      break;
    case "boolean":
      if (text === "true" || text === "false") return text === "true";
      break;
    case "list":
      return text.split(",").map((one) => one.trim());
    case "json":
      try {
        return JSON.parse(text);
      } catch {
        break;
      }
  }
  const expected = type === "json" ? `JSON: ${about}` : about;
  throw new CommandFailure("usage", `--${toOption(name)}: expected ${expected}.`);
}
