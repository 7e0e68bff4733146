/**
 * Reads forms and JSON bodies into fields with the same names, so that both are validated alike.
 */
import { parseJsonText } from "../../core/decode/parse-json.ts";
import { limits } from "../../core/limits.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { AppContext } from "../context.ts";
import type { FormBodyFailure, FormReason } from "../failures.ts";
import { readBody } from "../read-body.ts";
import { wantsJson } from "../send-page.tsx";

/**
 * The fields that were sent, by name, without empty ones. A repeated field of a form is an array.
 */
export type FormFields = ReadonlyMap<string, unknown>;

/**
 * Reads the fields of a body of at most `limits.maxFormBytes` bytes; an empty body has none. Only
 * the field `repeated` may occur several times in a form. Consumes the request: later calls return
 * the same fields. Never rejects.
 */
export function readFormBody(
  request: Request,
  repeated?: string,
): Promise<Result<FormFields, FormBodyFailure>> {
  const fields = fieldsByRequest.get(request) ?? readFields(request, repeated);
  fieldsByRequest.set(request, fields);
  return fields;
}

/** The fields that were read, because the audit log and the action need the same ones. */
const fieldsByRequest = new WeakMap<Request, Promise<Result<FormFields, FormBodyFailure>>>();

async function readFields(
  request: Request,
  repeated: string | undefined,
): Promise<Result<FormFields, FormBodyFailure>> {
  const body = await readBody(request);
  if (!body.ok) return body.reason === "empty" ? ok(new Map()) : body;
  const max = limits.maxFormBytes;
  if (body.value.length > max) return fail({ reason: "too-large", limit: "maxFormBytes", max });
  return parseFields(parseMediaType(request), new TextDecoder().decode(body.value), repeated);
}

/** Why a parser does not accept the fields. "Expected …." is the detail of the response. */
interface FormMismatch {
  readonly reason: "mismatch";
  readonly expected: string;
}

/** The result of a form parser. Parsers do not know the reason that the API reports. */
export type Parsed<T> = Result<T, FormMismatch>;

/**
 * Fails a parser of a form. `expected` completes "Expected …." and never contains what was sent.
 */
export function expected(text: string): Result<never, FormMismatch> {
  return fail({ reason: "mismatch", expected: text });
}

/**
 * Reads the body of a request as a form and parses its fields. A mismatch fails with `reason`.
 * Consumes the request. Never rejects.
 */
export async function readForm<T, Reason extends FormReason>(
  request: Request,
  reason: Reason,
  parse: (fields: FormFields) => Parsed<T>,
  repeated?: string,
): Promise<Result<T, FormBodyFailure | { readonly reason: Reason; readonly expected: string }>> {
  const fields = await readFormBody(request, repeated);
  if (!fields.ok) return fields;
  const parsed = parse(fields.value);
  return parsed.ok ? parsed : fail({ reason, expected: parsed.expected });
}

/** True if the client reads JSON: it accepts JSON, or sent JSON. */
export function isJsonClient(c: AppContext): boolean {
  if (wantsJson(c) || parseMediaType(c.req.raw) === "application/json") return true;
  // A browser sends no token, and a program with one that accepts anything reads no page.
  const hasToken = c.req.header("authorization") !== undefined;
  return hasToken && !(c.req.header("accept") ?? "").includes("text/html");
}

/** The media type of a body, lowercase and without parameters: `application/json`. */
function parseMediaType({ headers }: Pick<Request, "headers">): string {
  return (headers.get("content-type") ?? "").split(";", 1).join().trim().toLowerCase();
}

function parseFields(
  type: string,
  text: string,
  repeated: string | undefined,
): Result<FormFields, FormBodyFailure> {
  switch (type) {
    case "application/x-www-form-urlencoded": {
      const sent = [...new URLSearchParams(text)];
      const once = sent.filter(([name]) => name !== repeated);
      const fields = new Map<string, unknown>(once);
      if (fields.size !== once.length)
        return fail({ reason: "bad-form", expected: "each field once" });
      const several = sent.filter(([name]) => name === repeated).map(([, value]) => value);
      if (repeated !== undefined && several.length > 0) fields.set(repeated, several);
      return ok(dropEmptyFields(fields));
    }
    case "application/json": {
      const json = parseJsonText(text);
      if (typeof json !== "object" || json === null || Array.isArray(json))
        return fail({ reason: "bad-form", expected: "a JSON object" });
      return ok(dropEmptyFields(new Map<string, unknown>(Object.entries(json))));
    }
    default: {
      const expected = "the Content-Type application/x-www-form-urlencoded or application/json";
      return fail({ reason: "bad-media-type", expected });
    }
  }
}

function dropEmptyFields(fields: FormFields): FormFields {
  const isEmpty = (value: unknown) => value === "" || value === null || value === false;
  return new Map([...fields].filter(([, value]) => !isEmpty(value)));
}
