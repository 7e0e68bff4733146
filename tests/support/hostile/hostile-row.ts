/** The type of a row in the table of hostile requests, and helpers that build rows. */
import { toBytes } from "#support/bytes.ts";

/** A hostile POST, and the expected response. */
export interface Hostile {
  readonly name: string;
  /** `/monitoring` by default. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A function for large bodies: it builds the body when the request is sent. */
  readonly body: string | Uint8Array | (() => string | Uint8Array);
  /** The allowed status, or all allowed statuses. */
  readonly status: number | readonly number[];
  /** The `reason` in the JSON of a 4xx, where only one is right. */
  readonly reason?: string;
  /** True when the path takes no reports, so the web interface responds. */
  readonly desk?: boolean;
}

/** Planted in bodies and headers: no error response may repeat it. */
export const PLANTED_SECRET = "s3cret-9f27c1";

/** The project's ingest key in the tests. */
export const KEY = "0123456789abcdef0123456789abcdef";

/** The success statuses of all kinds of senders. */
export const SUCCESS_STATUSES: readonly number[] = [200, 202, 204];

/** Any status except a 5xx is allowed; a refusal needs a reason. */
export const HANDLED_STATUSES: readonly number[] = [...SUCCESS_STATUSES, 400, 401, 404, 413, 415];

/** Values whose types few members accept. */
export const UNEXPECTED_VALUES: readonly unknown[] = [
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
export function withEncoding(coding: string): Pick<Hostile, "headers"> {
  return { headers: { "content-encoding": coding } };
}

/** A valid event; `message` decides its issue. */
export function createEvent(message: string, members: Readonly<Record<string, unknown>> = {}) {
  return {
    platform: "javascript",
    message: `${PLANTED_SECRET} ${message}`,
    exception: { values: [{ type: "TypeError", value: `${PLANTED_SECRET} ${message}` }] },
    ...members,
  };
}

/** Lines of an envelope behind an empty header: text unchanged, values as JSON. */
export function createEnvelope(...lines: readonly unknown[]): string {
  return joinLines(lines);
}

/** Lines of an envelope with one item for each of `events`. */
export function createEventEnvelope(events: readonly unknown[]): string {
  return joinLines(events.flatMap((event) => [{ type: "event" }, event]));
}

function joinLines(lines: readonly unknown[]): string {
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  return ["{}", ...texts].join("\n");
}

/** The path of a row. The key admits more than a body without one may have. */
export function getPath({ path }: Hostile): string {
  return path ?? `/monitoring?sentry_key=${KEY}`;
}

/** The body bytes of a row. */
export function buildBody({ body }: Hostile): Uint8Array<ArrayBuffer> {
  const content = typeof body === "function" ? body() : body;
  return typeof content === "string" ? toBytes(content) : new Uint8Array(content);
}

/** The same rows, with their kind as a prefix of the name. */
export function prefixNames(name: string, rows: readonly Hostile[]): readonly Hostile[] {
  return rows.map((row) => ({ ...row, name: `${name}: ${row.name}` }));
}
