/** What a row of the table of hostile requests is, and the words that its rows are made of. */
import { bytes } from "./bytes.ts";

/** A POST that means no good, and how it must be answered. */
export interface Hostile {
  readonly name: string;
  /** `/monitoring`, where nothing else is said. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A function where it is large: it is made when it is sent, and not kept. */
  readonly body: string | Uint8Array | (() => string | Uint8Array);
  /** The one answer, or all of those that are right. */
  readonly status: number | readonly number[];
  /** What the JSON of a 4xx says, where one reason alone is right. */
  readonly reason?: string;
  /** True where the path is none that takes reports: the answer is the desk's. */
  readonly desk?: boolean;
}

/** Planted in bodies and in headers: no refusal may repeat it. */
export const MARK = "s3cret-9f27c1";

/** The project's ingest key in the tests. */
export const KEY = "0123456789abcdef0123456789abcdef";

/** Whatever the sender's kind of client understands as yes. */
export const TAKEN: readonly number[] = [200, 202, 204];

/** Nothing is promised but that it is answered, and with a reason when it is refused. */
export const ANSWERED: readonly number[] = [...TAKEN, 400, 401, 404, 413, 415];

/** Values of which no member expects more than a few. */
export const WRONG: readonly unknown[] = [
  ...[null, true, -1, 1.5e308, "", "\u0000", "9".repeat(400)],
  ...[
    [],
    [[[]]],
    [null, 1, "x", {}],
    {},
    { values: 1 },
    { values: [null, [{}], { a: { b: [] } }] },
  ],
];

/** The header that names the codings of a body. */
export function coded(coding: string): Pick<Hostile, "headers"> {
  return { headers: { "content-encoding": coding } };
}

/** An event that is taken; `message` is its group. */
export function anEvent(message: string, members: Readonly<Record<string, unknown>> = {}) {
  return {
    platform: "javascript",
    message: `${MARK} ${message}`,
    exception: { values: [{ type: "TypeError", value: `${MARK} ${message}` }] },
    ...members,
  };
}

/** Lines of an envelope, text as it is and values as JSON, behind an empty header. */
export function envelopeOf(...lines: readonly unknown[]): string {
  return linesOf(lines);
}

/** Lines of an envelope with one event for each of `events`. */
export function eventsOf(events: readonly unknown[]): string {
  return linesOf(events.flatMap((event) => [{ type: "event" }, event]));
}

function linesOf(lines: readonly unknown[]): string {
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  return ["{}", ...texts].join("\n");
}

/** Where a row is sent. */
export function pathOf({ path }: Hostile): string {
  return path ?? "/monitoring";
}

/** The bytes that a row sends. */
export function bodyOf({ body }: Hostile): Uint8Array<ArrayBuffer> {
  const made = typeof body === "function" ? body() : body;
  return typeof made === "string" ? bytes(made) : new Uint8Array(made);
}

/** The same rows, named after their kind. */
export function kind(name: string, rows: readonly Hostile[]): readonly Hostile[] {
  return rows.map((row) => ({ ...row, name: `${name}: ${row.name}` }));
}
