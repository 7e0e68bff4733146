/**
 * OTLP/HTTP at `/v1/logs` and `/v1/traces`: JSON or protobuf by the content type, and answered in the same encoding, failures
 * included. What was rejected is told in a 200, because a client would send a refused request again.
 * Source: OTLP 1.x § OTLP/HTTP Request, Response, Failures.
 */
import { type Ingested, type OtlpSignal, otlpAnswer, otlpFailure } from "../ingest.ts";
import { outcomeHeader } from "./answers.ts";
import { type Failure, failureResponse } from "./failures.ts";
import type { ReportingRoute } from "./reporting-route.ts";

const PROTOBUF = "application/x-protobuf";

/** What a request to one of the two paths carries, and in which encoding; null for every other path. */
export interface OtlpRequest {
  readonly signal: OtlpSignal;
  readonly encoding: "json" | "protobuf";
}

/** How the request is to be read and answered; null when its path is none of OTLP's. */
export function otlpRequest(route: ReportingRoute, headers: Headers): OtlpRequest | null {
  if (route.endpoint !== "otlp-logs" && route.endpoint !== "otlp-traces") return null;
  const isProtobuf = (headers.get("content-type") ?? "").startsWith(PROTOBUF);
  return {
    signal: route.endpoint === "otlp-logs" ? "logs" : "traces",
    encoding: isProtobuf ? "protobuf" : "json",
  };
}

/** 200, empty when all was taken, else with the number of items that were not. */
export function otlpResponse({ signal, encoding }: OtlpRequest, { outcomes }: Ingested): Response {
  const refused = outcomes.filter(({ outcome }) => outcome === "invalid" || outcome === "dropped");
  const message = refused.length > 0 ? "Some items are not kept; see Errata-Outcome." : undefined;
  return new Response(otlpAnswer(signal, encoding, refused.length, message), {
    headers: { ...typeOf(encoding), "Errata-Outcome": outcomeHeader(outcomes) },
  });
}

/** The same status and headers as everywhere, with OTLP's `Status` as the body. */
export async function otlpFailed({ encoding }: OtlpRequest, failure: Failure): Promise<Response> {
  const plain = failureResponse(failure);
  const { detail } = await plain.json<{ detail: string }>();
  const headers = new Headers(plain.headers);
  for (const [name, value] of Object.entries(typeOf(encoding))) headers.set(name, value);
  return new Response(otlpFailure(encoding, detail), { status: plain.status, headers });
}

function typeOf(encoding: OtlpRequest["encoding"]): Record<string, string> {
  return { "Content-Type": encoding === "protobuf" ? PROTOBUF : "application/json" };
}
