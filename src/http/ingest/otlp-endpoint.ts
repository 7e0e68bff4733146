/**
 * OTLP/HTTP at `/v1/logs` and `/v1/traces`: JSON or protobuf by content type, with responses in the
 * same encoding, including failures. Rejected items are reported in a 200, because clients retry
 * failed requests. Source: OTLP 1.x § OTLP/HTTP Request, Response, Failures.
 */
import type { IngestResult } from "../../ingest/ingest.ts";
import {
  createOtlpFailure,
  createOtlpResponse,
  type OtlpSignal,
} from "../../ingest/otlp/otlp-response.ts";
import { toFailureResponse } from "../failure-response.ts";
import type { Failure } from "../failures.ts";
import type { IngestRoute } from "./endpoints.ts";
import { formatOutcomeHeader } from "./responses.ts";

const PROTOBUF_TYPE = "application/x-protobuf";

/** The signal and encoding of an OTLP request. */
export interface OtlpRequest {
  readonly signal: OtlpSignal;
  readonly encoding: "json" | "protobuf";
}

/** Parses an OTLP request; null for other paths. */
export function parseOtlpRequest(route: IngestRoute, headers: Headers): OtlpRequest | null {
  if (route.endpoint !== "otlp-logs" && route.endpoint !== "otlp-traces") return null;
  const isProtobuf = (headers.get("content-type") ?? "").startsWith(PROTOBUF_TYPE);
  return {
    signal: route.endpoint === "otlp-logs" ? "logs" : "traces",
    encoding: isProtobuf ? "protobuf" : "json",
  };
}

/** 200, empty if everything was accepted, else with the number of rejected items. */
export function toOtlpResponse(
  { signal, encoding }: OtlpRequest,
  { outcomes }: IngestResult,
): Response {
  const rejectedOutcomes = outcomes.filter(
    ({ outcome }) => outcome === "invalid" || outcome === "dropped",
  );
  const message =
    rejectedOutcomes.length > 0
      ? "Some items were not stored. See the Errata-Outcome header."
      : undefined;
  return new Response(createOtlpResponse(signal, encoding, rejectedOutcomes.length, message), {
    headers: {
      ...createContentTypeHeader(encoding),
      "Errata-Outcome": formatOutcomeHeader(outcomes),
    },
  });
}

/** The status and headers of any failure, with OTLP's `Status` as the body. */
export async function toOtlpFailureResponse(
  { encoding }: OtlpRequest,
  failure: Failure,
): Promise<Response> {
  const jsonResponse = toFailureResponse(failure);
  const { detail } = await jsonResponse.json<{ detail: string }>();
  const headers = new Headers(jsonResponse.headers);
  for (const [name, value] of Object.entries(createContentTypeHeader(encoding)))
    headers.set(name, value);
  return new Response(createOtlpFailure(encoding, detail), {
    status: jsonResponse.status,
    headers,
  });
}

function createContentTypeHeader(encoding: OtlpRequest["encoding"]): Record<string, string> {
  return { "Content-Type": encoding === "protobuf" ? PROTOBUF_TYPE : "application/json" };
}
