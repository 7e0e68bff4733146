/**
 * The input of an operation in a request: the path, and the query of a `GET` or the JSON body of
 * any other request. A name that the operation does not have is refused, because a misspelt filter
 * that is ignored answers another question.
 */
import { asRecord } from "../../core/decode/as-type.ts";
import { parseJson } from "../../core/decode/parse-json.ts";
import { limits } from "../../core/limits.ts";
import { joinWords } from "../../core/plain-text.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { TRUST_LEVELS, type Trust } from "../../core/trust/trust.ts";
import { getMemberType } from "../../operations/inputs.ts";
import { type Operation, takesQuery } from "../../operations/operation.ts";
import { toNode } from "../../operations/provenance.ts";
import { hasReportedText } from "../../operations/trust-floor.ts";
import type { BodyFailure } from "../failures.ts";
import { readBody } from "../read-body.ts";

/** Why a request has no input. `expected` completes "Expected …" and quotes nothing. */
export type ApiInputFailure =
  | Exclude<BodyFailure, { readonly reason: "empty" }>
  | { readonly reason: "too-large"; readonly limit: "maxFormBytes"; readonly max: number }
  | {
      readonly reason: "bad-media-type" | "bad-request" | "unknown-parameter";
      readonly expected: string;
    };

type Input = Readonly<Record<string, unknown>>;

/** What a request asks for. */
interface ApiInput {
  /** The undecoded input of the operation. */
  readonly input: Input;
  /** The lowest trust of reported text to read, if the request names it. */
  readonly trust?: Trust | undefined;
}

/** The parameter of every operation whose output has reported text. */
export const TRUST_PARAMETER = "trust";

/** Reads a request, and consumes its body. Never rejects. */
export async function readApiInput(
  request: Request,
  route: { readonly operation: Operation; readonly params: Input },
): Promise<Result<ApiInput, ApiInputFailure>> {
  const url = new URL(request.url);
  const trusts = hasReportedText(toNode(route.operation.output))
    ? url.searchParams.getAll(TRUST_PARAMETER)
    : [];
  if (trusts.length === 0) return readInput(request, url, route);
  url.searchParams.delete(TRUST_PARAMETER);
  const trust = TRUST_LEVELS.find((level) => level === trusts[0]);
  if (trust === undefined || trusts.length > 1)
    return fail({
      reason: "bad-request",
      expected: `trust to be ${joinWords(TRUST_LEVELS, "or")}`,
    });
  const read = await readInput(request, url, route);
  return read.ok ? ok({ ...read.value, trust }) : read;
}

async function readInput(
  request: Request,
  url: URL,
  { operation, params }: { readonly operation: Operation; readonly params: Input },
): Promise<Result<ApiInput, ApiInputFailure>> {
  const isQuery = takesQuery(operation);
  const sent = isQuery
    ? readQuery(operation, url.searchParams)
    : await readJsonBody(operation, request);
  if (!sent.ok) return sent;
  const names = isQuery
    ? Object.keys(sent.value)
    : [...url.searchParams.keys(), ...Object.keys(sent.value)];
  const known = Object.keys(operation.input.entries).filter((name) => !(name in params));
  if (!names.every((name) => known.includes(name)) || (!isQuery && url.searchParams.size > 0))
    return fail({ reason: "unknown-parameter", expected: describeNames(known, isQuery) });
  return ok({ input: { ...sent.value, ...params } });
}

function describeNames(known: readonly string[], isQuery: boolean): string {
  const place = isQuery ? "query parameters" : "members of the body";
  return known.length === 0 ? `no ${place}` : `only these ${place}: ${joinWords(known, "and")}`;
}

/** Each parameter once. Numbers and booleans are what the operation expects there. */
function readQuery(operation: Operation, query: URLSearchParams): Result<Input, ApiInputFailure> {
  const input = new Map<string, unknown>();
  for (const [name, text] of query) {
    if (input.has(name))
      return fail({ reason: "bad-request", expected: "each query parameter once" });
    input.set(name, toTyped(getMemberType(operation.input, name), text));
  }
  return ok(Object.fromEntries(input));
}

function toTyped(type: string | undefined, text: string): unknown {
  switch (type) {
    case "number":
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" || text === "false" ? text === "true" : text;
    default:
      return text;
  }
}

async function readJsonBody(
  { maxBodyBytes: max = limits.maxFormBytes }: Operation,
  request: Request,
): Promise<Result<Input, ApiInputFailure>> {
  const body = await readBody(request);
  if (!body.ok) return body.reason === "empty" ? ok({}) : body;
  if (body.value.length > max) return fail({ reason: "too-large", limit: "maxFormBytes", max });
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\b/i.test(type))
    return fail({ reason: "bad-media-type", expected: "Content-Type: application/json" });
  const json = parseJson(body.value, max);
  const fields = json.ok ? asRecord(json.value) : undefined;
  return fields === undefined
    ? fail({ reason: "bad-request", expected: "a JSON object as body" })
    : ok(fields);
}
